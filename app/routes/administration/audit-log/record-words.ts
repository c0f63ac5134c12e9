/** `changeUser` as “change user”, `alert-channel` as “alert channel”. */
export function plainWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("-", " ")
    .toLowerCase();
}

export const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

const kinds: Record<string, string> = {
  api: "API",
  "api-token": "API token",
  authentication: "Authentication",
  authorizationConfig: "Authorization config",
  code: "Assurance as code",
  counts: "Counts",
  roles: "Roles",
  "second-factor": "Second factor",
  singleSignOn: "Single sign-on",
  subscription: "Subscription",
  "test-letter": "Test email",
  "test-proposal": "Proposed test",
  vaultConnection: "Vault connection",
};

/** A kind of resource: “Alert channel”, “API token”. */
export const kindWords = (kind: string): string => kinds[kind] ?? capitalized(plainWords(kind));

/** Where verb and noun of an operation's name don't say it. */
const actions: Record<string, string> = {
  addUserRoles: "Added roles",
  askAboutAny: "Asked PayPal",
  askProvider: "Asked PayPal",
  cancelOwnEmail: "Cancelled the new address",
  changeOwnAccount: "Changed their account",
  changeOwnEmail: "Asked for a new address",
  changeOwnPassword: "Changed their password",
  completePasswordReset: "Reset their password",
  confirmEmail: "Confirmed the new address",
  createAccount: "Registered",
  createAccountByInvitation: "Accepted an invitation",
  deleteExecutionsOfApi: "Deleted executions",
  deleteExecutionsOfTest: "Deleted executions",
  deleteTestsOfApi: "Deleted with its API",
  endUserSessions: "Signed out everywhere",
  finishSingleSignOn: "Signed in by single sign-on",
  invite: "Invited",
  putBillingAddress: "Saved",
  recount: "Recounted",
  removeUserRoles: "Removed roles",
  replaceSecret: "Replaced the secret",
  requireSecondFactors: "Changed the need for second factors",
  resetSecondFactor: "Reset the second factor",
  rotateChannelSecret: "Replaced the signing secret",
  runCircle: "Started",
  runTest: "Started",
  runTestsOfApi: "Started",
  sendDeliveryAgain: "Sent again",
  sendTestLetter: "Sent",
  startRun: "Started",
  takeOverDocument: "Accepted a new version",
  undoSettingChange: "Undid a change",
};

const verbs: Record<string, string> = {
  add: "Added",
  apply: "Applied",
  ask: "Asked about",
  begin: "Began",
  cancel: "Cancelled",
  change: "Changed",
  check: "Checked",
  close: "Closed",
  confirm: "Confirmed",
  create: "Created",
  decide: "Decided",
  delete: "Deleted",
  forget: "Removed",
  import: "Imported",
  propose: "Proposed",
  register: "Registered",
  remove: "Removed",
  renew: "Renewed",
  replace: "Replaced",
  resend: "Resent",
  revoke: "Revoked",
  rotate: "Replaced",
  set: "Set",
  start: "Started",
  store: "Stored",
  verify: "Verified",
  withdraw: "Withdrew",
};

const singular = (word: string) => word.replace(/s$/, "");

/** What was done, in the past: `createTest` on a test as “Created”. The resource is named beside it. */
export function actionWords(operation: string, kind: string): string {
  const known = actions[operation];
  if (known) return known;
  const [verb = "", ...rest] = plainWords(operation).split(" ");
  const past = verbs[verb];
  if (!past) return capitalized(plainWords(operation));
  const said = new Set(plainWords(kind).split(" ").map(singular));
  const others = rest.filter((word) => !said.has(singular(word)) && word !== "test" && word !== "own");
  return [past, ...others].join(" ");
}
