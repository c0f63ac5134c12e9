import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { OperationKey } from "#contracts/api-registry/resources.ts";
import type { Pair, RequestBody } from "#contracts/test-registry/requests.ts";
import type { Capture } from "#contracts/test-registry/tests.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import { listPlaceholders } from "#libraries/template/placeholders.ts";
import { toPlain, toWords } from "../names.ts";
import { writePlaceholders } from "../suggestion/body-placeholders.ts";
import type { PlannedCall } from "./calls.ts";
import { CircleDraft, type PlanParts } from "./circle-draft.ts";
import { endsSession, removesByPost } from "./effect-by-name.ts";
import { toKey } from "./known.ts";
import { findReturnedObject, findSentObject, getObject, pathTo } from "./objects.ts";
import type { Draft } from "./planned-tests.ts";

const joining = /^(sign-?up|register|registration)$/i;
const entering = /^(sign-?in|log-?in|authenticate)$/i;
const tokens = ["token", "accessToken", "access_token", "authToken", "auth_token", "sessionToken", "jwt"];
const password = /^(current|old|previous)?(password|passphrase)$/;
const who = /^(email|emailaddress|mail|username|login|user|identifier)$/;

const ofOneself = new Set([
  ...["me", "self", "myself", "account", "accounts", "profile", "session", "sessions", "user", "password"],
  ...["logout", "signout", "out"],
]);
/** What needs a mailbox, another service or another person. */
const beyondIt = new Set([
  ...["admin", "all", "scim", "system", "users", "reset", "forgot", "forget", "send", "resend", "verification"],
  ...["social", "link", "unlink", "callback", "invite", "invitation", "oauth", "token", "refresh", "confirm"],
]);

const token = "accountToken";
const tokenWords = "It gives the token of the account.";

/** An account that a run signs up for itself, and what an account does with itself. */
interface Account {
  signUp: PlannedCall;
  signUpOperation: OperationKey;
  signIn: OperationKey | undefined;
  /** Where the responses to them have the token; RFC 9535. */
  tokenIn: ReadonlyMap<string, string>;
}

/**
 * The life of an account, where people can sign up: sign up, sign in, and with the token of that account whatever an
 * account does with itself. So neither the stored credential nor its account is changed.
 * @param homeless operations that belong to no resource
 */
export function planAccount(
  all: readonly OperationKey[],
  homeless: readonly OperationKey[],
  parts: PlanParts,
): { circle: CircleDraft; covered: OperationKey[] } | undefined {
  const account = findAccount(all, parts);
  const own = account ? homeless.filter((one) => isOfOneself(one, account, parts)) : [];
  if (!account || own.every(({ method }) => isSafe(method))) return undefined;
  return new AccountPlanner(account, parts).plan(own);
}

function findAccount(all: readonly OperationKey[], parts: PlanParts): Account | undefined {
  const find = (words: RegExp) => all.find((one) => isEntrance(one, words, parts));
  const signUpOperation = find(joining);
  const signUp = signUpOperation && parts.tests.calls.find(signUpOperation);
  if (!signUpOperation || !signUp || signUp.values.length > 0) return undefined;
  const signIn = find(entering);
  const tokenIn = new Map<string, string>();
  for (const operation of [signUpOperation, ...(signIn ? [signIn] : [])]) {
    const object = findReturnedObject(parts.known.operations.get(toKey(operation))!, tokens);
    const name = object && tokens.find((one) => object.members.has(one));
    if (object && name) tokenIn.set(toKey(operation), pathTo(object, name));
  }
  return tokenIn.size === 0 ? undefined : { signUp, signUpOperation, signIn, tokenIn };
}

const segmentsOf = ({ path }: OperationKey) => path.split(/[/?#]/).filter((part) => part !== "" && !part.includes("{"));

/** Whether it takes the name and the password of an account. */
function isEntrance(operation: OperationKey, words: RegExp, { known }: PlanParts): boolean {
  const described = known.operations.get(toKey(operation));
  if (operation.method !== "post" || operation.path.includes("{") || !described) return false;
  const members = [...(findSentObject(described)?.members.keys() ?? [])].map(toPlain);
  return (
    segmentsOf(operation).some((one) => words.test(one)) &&
    members.some((one) => password.test(one)) &&
    members.some((one) => who.test(one))
  );
}

function isOfOneself(
  operation: OperationKey,
  { signUpOperation, signIn }: Account,
  { known, tests }: PlanParts,
): boolean {
  const described = known.operations.get(toKey(operation));
  if (!described || operation.path.includes("{") || !takesBearer(described)) return false;
  if ([signUpOperation, signIn].some((one) => one && toKey(one) === toKey(operation))) return false;
  const words = segmentsOf(operation).slice(-2).flatMap(toWords);
  return (
    words.some((word) => ofOneself.has(word)) &&
    !words.some((word) => beyondIt.has(word)) &&
    (tests.calls.find(operation)?.gaps.length ?? 1) === 0
  );
}

function takesBearer({ operation, securitySchemes }: OperationWithComponents): boolean {
  const bearers = new Set(
    securitySchemes.flatMap(({ name, type, scheme }) => (type === "http" && scheme === "bearer" ? [name] : [])),
  );
  return operation.security.some((one) => one.length === 1 && bearers.has(one[0]!.schemeName));
}

class AccountPlanner {
  readonly #circle: CircleDraft;
  readonly #sent: ReadonlyMap<string, unknown>;
  readonly #covered: OperationKey[];

  constructor(
    private readonly account: Account,
    private readonly parts: PlanParts,
  ) {
    this.#circle = new CircleDraft(parts);
    this.#covered = [account.signUpOperation, ...(account.signIn ? [account.signIn] : [])];
    const described = this.#describe(account.signUpOperation);
    const object = findSentObject(described);
    const sent = Object.entries(getObject(account.signUp.sent, object?.steps ?? []) ?? {});
    this.#sent = new Map(sent.map(([name, value]) => [toPlain(name), value]));
  }

  plan(own: readonly OperationKey[]): { circle: CircleDraft; covered: OperationKey[] } {
    const circle = this.#circle;
    const { signUpOperation, signIn, tokenIn } = this.account;
    const give = (operation: OperationKey | undefined): Capture[] => {
      const at = operation && tokenIn.get(toKey(operation));
      return at === undefined ? [] : [{ name: token, source: "jsonPath", property: at, secret: true }];
    };
    const signUp = this.#call(signUpOperation, { name: "Sign up", captures: give(signUpOperation), isOwn: false });
    const enter = signIn && this.#call(signIn, { name: "Sign in", captures: give(signIn), isOwn: false });
    if (!signUp) return { circle, covered: [] };
    circle.add("create", signUp, { effect: "allowed" });
    circle.makes.push("an account");
    const begins = give(signUpOperation).length > 0;
    const signsInAgain = enter && give(signIn).length > 0;
    if (enter && signsInAgain && !begins) circle.add("call", enter, { effect: "allowed", why: tokenWords });
    const removals = own.filter(removes);
    const ends = own.filter((one) => endsSession(one) && !removals.includes(one));
    const others = own.filter((one) => !ends.includes(one) && !removals.includes(one));
    const changesPassword = (one: OperationKey) => /password/i.test(one.path) && !/verify|check/i.test(one.path);
    const rank = (one: OperationKey) => (isSafe(one.method) ? 0 : changesPassword(one) ? 2 : 1);
    for (const one of [...others].sort((a, z) => rank(a) - rank(z))) {
      if (rank(one) < 2) this.#addCall(one);
    }
    // Signed in once a run: servers count how often.
    const [end] = ends;
    if (signsInAgain && begins) {
      if (end) this.#addCall(end);
      circle.add("call", enter, { effect: "allowed", why: tokenWords });
    }
    for (const one of others.filter((one) => rank(one) === 2)) this.#addCall(one);
    const [removal] = removals;
    const draft = removal && this.#call(removal, { name: "Delete the account" });
    if (draft) circle.add("remove", draft, { phase: "tearDown", effect: "allowed" });
    else circle.leaves.push("an account");
    if (removal) this.#covered.push(removal);
    return { circle, covered: this.#covered };
  }

  #addCall(operation: OperationKey): void {
    const draft = this.#call(operation);
    if (!draft || draft.asks.length > 0) return;
    const isRead = isSafe(operation.method);
    this.#circle.add("call", draft, isRead ? {} : { effect: "allowed", why: "It changes the new account." });
    // Reads are also made with the stored credential.
    if (!isRead) this.#covered.push(operation);
  }

  /** With the account's token; undefined where it has nothing to change. */
  #call(operation: OperationKey, { name, captures = [], isOwn = true }: CallOptions = {}): Draft | undefined {
    const call = this.parts.tests.calls.find(operation)!;
    const body = this.#writeBody(operation, call);
    if (!body) return undefined;
    const bearer: Pair = { name: "Authorization", value: `Bearer {{${token}}}`, enabled: true };
    const { headers } = call.test.request;
    return this.parts.tests.call(operation, {
      kind: "as account",
      name: name ?? `${call.test.name}, as a new account`,
      generated: new Map([...call.generated, ...this.account.signUp.generated]),
      captures,
      request: {
        ...call.test.request,
        body,
        headers: isOwn ? [...headers, bearer] : headers,
        authorization: { kind: "none" },
      },
    });
  }

  /** What is required, what the account has, and what is generated: nothing else is known to be accepted. */
  #writeBody(operation: OperationKey, call: PlannedCall): RequestBody | undefined {
    const object = findSentObject(this.#describe(operation));
    const usual = (object && getObject(call.sent, object.steps)) ?? {};
    const { body } = call.test.request;
    const isUpdate = /update|change|edit|patch/i.test(`${operation.method} ${operation.path}`);
    if (call === this.account.signUp || body.kind !== "json") return body;
    if (!object) return isUpdate ? undefined : body;
    const inner: JsonRecord = {};
    for (const [name, schema] of object.members) {
      const plain = toPlain(name);
      const isGenerated = listPlaceholders(JSON.stringify(usual[name] ?? "")).some((one) => call.generated.has(one));
      const isNeeded = object.required.has(name);
      // A changed one is not known before.
      if (password.test(plain)) {
        if (isNeeded || !removes(operation)) inner[name] = this.#sent.get("password") ?? this.#sent.get("passphrase");
      } else if (who.test(plain) && getSchemaType(schema) === "string")
        inner[name] = this.#sent.get(plain) ?? this.#findWho();
      else if (usual[name] !== undefined && (isNeeded || isGenerated)) inner[name] = usual[name];
    }
    if (isUpdate && Object.keys(inner).length === 0) return undefined;
    const sent = object.steps.reduceRight<unknown>((content, step) => ({ [step]: content }), inner);
    return { ...body, text: writePlaceholders(JSON.stringify(sent, null, 2)) };
  }

  #findWho(): unknown {
    return [...this.#sent].find(([name]) => who.test(name))?.[1];
  }

  #describe(operation: OperationKey): OperationWithComponents {
    return this.parts.known.operations.get(toKey(operation))!;
  }
}

interface CallOptions {
  name?: string;
  captures?: Capture[];
  /** Whether it sends the account's token. */
  isOwn?: boolean;
}

/** Whether it deletes the account, and not only its session. */
const removes = (operation: OperationKey) =>
  (operation.method === "delete" || removesByPost(operation)) &&
  !segmentsOf(operation)
    .flatMap(toWords)
    .some((word) => word.startsWith("session"));
