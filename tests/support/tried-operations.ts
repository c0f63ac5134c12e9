import { uuidv7 } from "uuidv7";
import { createAuthenticator } from "../../services/security-service/testing/authenticator.ts";
import { newPassword } from "./handled-newcomer.ts";

/** The ids that an operation is tried with, by their names in contracts. */
export type Ids = Record<string, string>;

/** How to try an operation, beyond the ids in its path. */
interface Tried {
  /** Its required query parameters. */
  query?(ids: Ids): Record<string, string>;
  body?(ids: Ids): unknown;
  /** Bodies of other kinds, which take other ids. */
  otherBodies?: ((ids: Ids) => unknown)[];
}

const [from, to] = ["2026-04-17T00:00:00.000Z", "2026-04-18T00:00:00.000Z"];
const once = { kind: "once", from: "2050-03-01T00:00:00Z", to: "2050-03-02T00:00:00Z" };
const described = { openapi: "3.1.0", info: { title: "Tried", version: "1" }, paths: {} };
const source = { document: JSON.stringify(described) };
const operations = [{ method: "get", path: "/pets" }];
const steps = { starts: [from], until: to };
let made = 0;
/** A unique name: names can be taken only once. */
const newName = () => {
  made += 1;
  return { name: `Tried ${made}` };
};
const newVariable = () => ({ [newName().name.replace(" ", "_")]: "1" });
const actor = { id: "01900000-0000-7000-8000-000000000000", name: "tried" };
/** Of files. */
const part = {
  exportCodeObjects: {
    body: () => ({ kinds: [], after: null, limit: 1, references: {}, secrets: {} }),
  },
};
const credentialIn = ({ domain }: Ids) => ({
  ...newName(),
  domain,
  type: "bearer",
  settings: {},
  secret: "s3cret!!",
});
const configIn = ({ domain, credentialId }: Ids) => ({ domain, schemeName: "tried", credentialId });
const testIn = ({ credentialId }: Ids) => ({
  ...newName(),
  ...{ method: "get", path: "/pets", checks: ["not_a_server_error"] },
  request: { authorization: { kind: "credentials", bindings: [{ schemeName: "tried", credentialId }] } },
});
const circleIn = ({ testId, apiId }: Ids) => ({
  ...newName(),
  members: [{ testId }, { kind: "selection", apiId }],
  environments: { [apiId!]: "Staging" },
});
const importIn = ({ apiId }: Ids) => ({
  ...{ apiId, unmatched: true },
  source: { files: [{ name: "tried.http", text: `### ${newName().name}\nGET https://api.example.com/pets\n` }] },
});
const scheduleIn = () => ({ ...newName(), cron: "0 0 2 1 *", timeZone: "UTC" });
const windowIn = ({ apiId, testCircleId }: Ids) => ({ ...newName(), apiId, testCircleId, times: once });
const channelIn = ({ userId }: Ids) => ({ kind: "mail", ...newName(), memberIds: [userId], addresses: [] });
const ruleIn = ({ testCircleId, channelId }: Ids) => ({
  ...{ scope: { kind: "circle", testCircleId }, channelIds: [channelId] },
});
const postal = { country: "IE", organization: "Tried Ltd", street: "1", city: "Dublin", postalCode: "D02 AF30" };
const signOnIn = {
  ...{ issuer: "https://login.tried.example", clientId: "tried", clientSecret: "s3cret", domains: ["tried.example"] },
  ...{ rolesClaim: "", roles: [], usualRole: "VIEWER", createsAccounts: true, isRequired: false },
};
const returnIn = ({ organizationId }: Ids) => ({
  ...{ organizationId, state: "tried", nonce: "tried", codeVerifier: "tried", returned: "?code=tried" },
});
/** References nothing that an organization could own. */
const plain = (body: unknown = {}): Tried => ({ body: () => body });

/**
 * How to try every operation that takes a body, or ids by other names than in paths. An operation that is not listed
 * and has ids only in its path or its query is tried automatically; any other fails the tests until it is listed.
 */
export const triedOperations: Record<string, Record<string, Tried>> = {
  "security-service": {
    invite: plain({ emails: ["tried@example.com"], roles: ["VIEWER"] }),
    beginSecondFactor: plain({ currentPassword: "wrong" }),
    confirmSecondFactor: plain({ code: "123456" }),
    renewRecoveryCodes: plain({ currentPassword: "wrong" }),
    removeSecondFactor: plain({ currentPassword: "wrong" }),
    beginPasskey: plain({ currentPassword: "wrong" }),
    renamePasskey: plain({ name: "Tried" }),
    removePasskey: plain({ currentPassword: newPassword }),
    addPasskey: { body: () => ({ name: "Tried", credential: createAuthenticator().create({ challenge: "dHJpZWQ" }) }) },
    createApiToken: plain({ name: "Tried", scopes: ["apis:read"] }),
    changeOwnAccount: plain({ fullName: "Ada Lovelace" }),
    changeOwnPassword: plain({ currentPassword: "wrong", password: "wooden spoon in the garden" }),
    changeOwnEmail: plain({ email: "tried-too@example.com", currentPassword: "wrong" }),
    changeUser: plain({ fullName: "Staging" }),
    addUserRoles: plain({ roles: ["EDITOR"] }),
    removeUserRoles: plain({ roles: ["EDITOR"] }),
    createCredential: { body: credentialIn },
    takeCredentials: {
      body: () => ({ items: [{ id: uuidv7(), ...credentialIn({ domain: "tried.example.com" }) }], actor }),
    },
    changeCredential: { body: (ids) => ({ ...credentialIn(ids), ...newName() }) },
    replaceSecret: plain({ secret: "an0ther s3cret" }),
    openCredentials: { body: ({ domain, credentialId }) => ({ host: domain, credentialIds: [credentialId] }) },
    createDomain: { body: ({ domain }) => ({ name: `tried.${domain}` }) },
    changeDomain: { body: ({ domain }) => ({ name: domain, description: "Staging" }) },
    createAuthorizationConfig: { body: configIn },
    changeAuthorizationConfig: { body: (ids) => ({ ...configIn(ids), schemeName: "triedAgain" }) },
    findHostRules: { body: ({ domain }) => ({ host: domain }) },
    changeOrganization: plain({ name: "Tried Ltd" }),
    requireSecondFactors: plain({ required: false }),
    deleteOrganization: plain({ name: "Tried Ltd" }),
    setSingleSignOn: plain(signOnIn),
    readVaultSecret: plain({ path: "secret/data/shop", key: "password" }),
    setVaultConnection: plain({ address: "http://127.0.0.1:9", authentication: "token", secret: "s3cret!!" }),
    setTracing: plain({ verifiedDomains: true, hosts: ["tried.example.com"], linkTemplate: "" }),
    startSingleSignOn: plain({ email: "ada@tried.example" }),
    finishSingleSignOn: { body: returnIn },
    trySingleSignOn: { body: returnIn },
    confirmSingleSignOn: {
      body: (ids) => ({ ...returnIn(ids), userId: ids.userId, sessionId: "01900000-0000-7000-8000-000000000000" }),
    },
    admitVisitor: plain({ purpose: "tried" }),
    exchangeApiToken: plain({ token: "tried" }),
    refreshForPortal: plain({ refreshToken: "tried" }),
    continueAccess: plain({ refreshToken: "tried" }),
    listCredentials: { query: ({ domain }) => ({ domain: domain! }) },
  },
  "portal-service": {
    setNotificationState: plain({ state: "PENDING" }),
    createSubscription: plain({ serviceId: "team" }),
    verifySubscription: plain({}),
    createPlanChange: plain({ serviceId: "business" }),
    putBillingAddress: plain(postal),
  },
  "api-registry": {
    searchApis: { query: () => ({ query: "pets" }) },
    listApis: { query: ({ apiId, testId, locationId }) => ({ ids: apiId!, except: testId!, locationId: locationId! }) },
    inspectDocument: plain(source),
    registerApi: plain({ name: "Tried", source }),
    changeApi: plain({ name: "Tried", baseUrl: "http://tried.example.com", tags: [] }),
    importDocument: plain({ source }),
    compareDocument: plain({ source }),
    setDocumentWatch: plain({ url: "http://tried.example.com/openapi.json", everyMinutes: 60, action: "report" }),
    takeOverDocument: plain({ digest: "0".repeat(64) }),
    dismissDocument: plain({ digest: "0".repeat(64) }),
    findOperations: { body: ({ documentId }) => ({ documentId, operations }) },
    chooseEnvironment: plain({ environment: null }),
    replaceVariables: plain({ variables: { tried: "1" } }),
    findDependencies: plain({ operations }),
    setDependency: plain({ operation: operations[0], in: "query", name: "tried", resource: null }),
    forgetDependency: plain({ operation: operations[0], in: "query", name: "tried" }),
    setVariables: plain({ variables: { tried: "1" } }),
    changeAuthentication: plain({ sendsHostCredentials: true }),
    openSecretVariables: { body: ({ apiId }) => ({ apiId, environment: null, names: ["tried"] }) },
    replaceEnvironments: plain({ items: [{ name: "Tried", baseUrl: "http://tried.example.com", variables: {} }] }),
    ...part,
    takeImport: {
      body: ({ apiId }) => ({ apiId, variables: newVariable(), secretVariables: [], environments: [], actor }),
    },
    listRunnableApis: { body: ({ organizationId, apiId }) => ({ items: [{ organizationId, apiId }] }) },
  },
  "test-registry": {
    ...part,
    planCode: plain({ objects: [] }),
    applyCode: plain({ objects: [] }),
    createTest: { body: testIn },
    searchTests: { query: () => ({ query: "pets" }) },
    listCircles: { query: ({ testCircleId, locationId }) => ({ ids: testCircleId!, locationId: locationId! }) },
    listTests: { query: ({ testId, locationId }) => ({ ids: testId!, locationId: locationId! }) },
    listAllTests: { query: ({ testId, locationId }) => ({ ids: testId!, locationId: locationId! }) },
    createTests: { body: (ids) => ({ items: [testIn(ids)] }) },
    changeTest: { body: testIn },
    proposeTest: { body: (ids) => ({ testId: ids.testId, test: testIn(ids) }) },
    previewImport: { body: importIn },
    importTests: { body: importIn },
    acceptTestProposal: plain({ testVersion: null }),
    exportTest: { query: () => ({ format: "hurl" }) },
    exportTests: { body: ({ testId }) => ({ format: "hurl", testIds: [testId] }) },
    exportCircle: { query: () => ({ format: "hurl" }) },
    deleteTests: { body: ({ testId }) => ({ testIds: [testId] }) },
    countTests: { query: ({ apiId }) => ({ apiIds: apiId! }) },
    findTestsOfOperations: plain({ operations }),
    countLackingTests: plain({ operations }),
    listLackingValues: { body: ({ testId }) => ({ testIds: [testId] }) },
    findTestsOfCredentials: { body: ({ credentialId }) => ({ credentialIds: [credentialId] }) },
    inspectCircle: {
      body: ({ testId, apiId }) => ({
        members: [{ testId }, { kind: "selection", apiId }],
        environments: { [apiId!]: "Staging" },
      }),
    },
    createCircle: { body: (ids) => ({ ...circleIn(ids), copyOf: ids.testCircleId }) },
    changeCircle: { body: circleIn },
    openCircles: { body: ({ organizationId, testCircleId }) => ({ items: [{ organizationId, testCircleId }] }) },
    previewSchedule: {
      body: ({ testCircleId, scheduleId }) => ({ cron: "@daily", timeZone: "UTC", testCircleId, scheduleId }),
    },
    createSchedule: { body: scheduleIn },
    changeSchedule: { body: scheduleIn },
    summarizeSchedules: { query: ({ testCircleId }) => ({ testCircleIds: testCircleId! }) },
    summarizeSchedulesOfApis: { query: ({ apiId }) => ({ apiIds: apiId! }) },
    listScheduledTimes: { query: ({ scheduleId }) => ({ scheduleIds: scheduleId!, from, to }) },
    listUpcomingOccurrences: { query: ({ locationId }) => ({ locationId: locationId! }) },
    listMaintenanceWindowTimes: { query: ({ testCircleId }) => ({ testCircleId: testCircleId!, from, to }) },
    previewMaintenanceWindow: plain({ times: once }),
    createMaintenanceWindow: { body: windowIn },
    changeMaintenanceWindow: { body: windowIn },
  },
  "test-executioner": {
    startRun: {
      body: ({ testId, apiId }) => ({ source: { tests: [testId] }, environments: { [apiId!]: "Staging" } }),
      otherBodies: [
        ({ apiId }) => ({ source: { apiId } }),
        ({ testCircleId }) => ({ source: { testCircleId } }),
        ({ runId }) => ({ source: { runId, only: "failed" } }),
        ({ runId }) => ({ source: { runId, from: 1 } }),
      ],
    },
    compareRun: { query: ({ runId }) => ({ before: runId! }) },
    runCircle: plain({ trigger: "ci" }),
    listCircleStandings: { query: ({ testCircleId }) => ({ testCircleIds: testCircleId! }) },
    runTest: plain({ trigger: "ci" }),
    runTestsOfApi: plain({ trigger: "ci" }),
    startExploration: plain({ maxRequests: 10 }),
    judgeProposedTest: { body: (ids) => ({ test: testIn(ids), testIds: [ids.testId] }) },
    listTestNotices: { query: ({ testId }) => ({ testIds: testId! }) },
    listLatestExecutions: { query: ({ testId }) => ({ testIds: testId! }) },
    summarizeApis: { query: ({ apiId }) => ({ apiIds: apiId! }) },
    listApiRuns: { query: ({ apiId }) => ({ apiIds: apiId! }) },
    sendRequest: { body: ({ apiId }) => ({ apiId, method: "get", path: "/pets", request: {} }) },
    resolveRequest: { body: ({ apiId }) => ({ apiId, method: "get", path: "/pets", request: {} }) },
    tryCredential: { body: ({ credentialId, domain }) => ({ credentialId, url: `http://${domain}/` }) },
    createLocation: { body: newName },
    changeLocation: { body: newName },
    countExecutions: { body: ({ apiId }) => ({ subjectId: apiId, ...steps }) },
    rankOperations: { query: () => ({ from }) },
    countOutcomes: { body: ({ testCircleId }) => ({ subjectIds: [testCircleId], ...steps }) },
    countSubjects: { body: ({ apiId }) => ({ subjectIds: [apiId], from, until: to }) },
    countPlaces: { body: ({ testCircleId }) => ({ subjectId: testCircleId, ...steps }) },
    findResponseTimeShift: { query: () => ({ from, until: to }) },
    listOperationVerdicts: plain({ operations }),
    countOccurrences: { query: ({ scheduleId }) => ({ scheduleIds: scheduleId!, from, to, runs: "3" }) },
    readHistories: { body: ({ testId }) => ({ testIds: [testId] }) },
  },
  "test-analyzer": {
    ...part,
    judgeResponse: plain({ response: { status: 200 } }),
    listApiFigures: { query: ({ apiId }) => ({ apiIds: apiId! }) },
    suggestTests: plain({ operations }),
    planSuite: plain({ operations }),
    createMark: { body: ({ apiId }) => ({ ...newName(), apiId }) },
    createChannel: { body: channelIn },
    changeChannel: { body: channelIn },
    rotateChannelSecret: plain({ previousHours: 24 }),
    listRecipients: { query: ({ userId }) => ({ ids: userId! }) },
    sendAddressLink: plain({ address: "tried@example.com" }),
    createRule: { body: ruleIn, otherBodies: [({ apiId }) => ({ scope: { kind: "api", apiId } })] },
    changeRule: { body: ruleIn },
    muteIncident: plain({ until: "2050-01-01T00:00:00.000Z" }),
    createIncidentComment: { body: () => ({ text: newName().name }) },
    listIncidents: { query: ({ testId }) => ({ testIds: testId! }) },
    listRecoveringTests: { query: ({ apiId }) => ({ apiIds: apiId! }) },
    listServiceLevels: { query: ({ testCircleId }) => ({ testCircleIds: testCircleId! }) },
    setServiceLevel: plain({ objective: 99, days: 30 }),
    setStatusPage: plain({ title: "Staging" }),
  },
};

/** Of one installation, or of no organization: never another organization's. */
export const plainParameters: Ids = {
  ...{ method: "get", pathName: "/pets", webhookName: "newPet", code: "DE", serviceId: "team" },
  ...{ resourceKey: "/pets/{}", importId: "01900000-0000-7000-8000-000000000001" },
  kind: "test",
};

/**
 * Operations with an empty response for an unknown id: lists by host name, which need no domain, and calls of other
 * services that know the id already. Every other operation responds with 404.
 */
export const emptyOfUnknown = [
  "security-service listDomainCredentials",
  "security-service listDomainAuthorizationConfigs",
  "test-registry findTestsOfOperations",
  "test-executioner findResponseTimeShift",
  "test-executioner judgeProposedTest",
  "test-executioner listOperationVerdicts",
];

/** Lists of what outlives the resources they are filtered by: with a deleted id they may still have items. */
export const outlasting = ["test-analyzer listIncidents"];
