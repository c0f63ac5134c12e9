import { type TOTP, URI } from "otpauth";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { startDocumentServer } from "../services/api-registry/testing/document-server.ts";
import { smallDocument } from "../services/api-registry/testing/fixtures.ts";
import { type CallResult, connectTo } from "../services/kit/client/client.ts";
import { createAuthenticator } from "../services/security-service/testing/authenticator.ts";
import { startOpenIdProvider } from "../services/security-service/testing/openid-provider.ts";
import { startTarget, type Target } from "../services/test-executioner/testing/target.ts";
import {
  addMember,
  furnish,
  type RegisteredOrganization,
  registerOrganization,
} from "./support/furnished-organization.ts";
import { newPassword } from "./support/handled-newcomer.ts";
import { type HandledServices, openHandledServices } from "./support/handled-services.ts";
import { attemptsAt, type Operation, operations } from "./support/operation-attempts.ts";
import { openPayPalSandbox } from "./support/paypal-sandbox.ts";
import type { PortalBackend } from "./support/portal-backend.ts";
import type { Ids } from "./support/tried-operations.ts";

let target: Target;
let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let services: HandledServices;
let database: pg.Client;
let ours: RegisteredOrganization;
let ids: Ids;

beforeAll(async () => {
  target = await startTarget((_, response) => void response.end("{}"));
  sandbox = await openPayPalSandbox();
  services = await openHandledServices(sandbox.environment);
  database = new pg.Client({ connectionString: services.databaseUrl });
  await database.connect();
  await services.limitPlans({ members: 100, apis: 100 });
  ours = await registerOrganization(services, "Ours");
  const furnished = await furnish(ours.backend, target, "Ours");
  ids = { ...furnished, organizationId: ours.id };
});
afterAll(async () => {
  await database.end();
  await services.stop();
  await Promise.all([sandbox.stop(), target.close()]);
});

async function done<Value>(requested: Promise<CallResult<Value>>): Promise<Value> {
  const result = await requested;
  if (!result.ok) throw new Error(JSON.stringify(result.problem));
  return result.value;
}

/** The token in the link of the newest email about this. */
async function mailedToken(email: string, subject: RegExp): Promise<string> {
  const { html = "" } = await services.mail.newest(email, subject);
  return decodeURIComponent(/[?&](?:amp;)?token=([^"&]*)/.exec(html)?.[1] ?? "");
}

/** Adds a passkey, signs in with it, and removes it. */
async function signInByPasskey({ securityService }: PortalBackend, username: string, currentPassword: string) {
  const visitor = (await services.backendOfVisitor("198.51.100.201")).securityService;
  const authenticator = createAuthenticator();
  const options = await done(securityService.beginPasskey({ body: { currentPassword } }));
  const body = { name: "Laptop", credential: authenticator.create(options) };
  const { passkey } = await done(securityService.addPasskey({ body }));
  const params = { passkeyId: passkey.id };
  await done(securityService.renamePasskey({ params, body: { name: "Old laptop" } }));
  const login = await visitor.login({ headers: { username, password: encodeURIComponent(currentPassword) } });
  const challenge = login.ok ? "" : login.problem.challenge!;
  const requested = await done(visitor.beginSecondStep({ body: { challenge } }));
  await done(visitor.completePasskeyLogin({ body: { challenge, credential: authenticator.use(requested.passkey!) } }));
  await done(securityService.removePasskey({ params, body: { currentPassword } }));
}

/** Changes to one's own account, which take a password, a code or an email. */
async function changeOwnAccount(): Promise<void> {
  const { id: userId, person, backend } = await addMember(services, ours, "VIEWER");
  ids.userId = userId;
  const visitor = (await services.backendOfVisitor("198.51.100.200")).securityService;
  const switchOn = async ({ securityService }: typeof backend, currentPassword: string) => {
    const { uri } = await done(securityService.beginSecondFactor({ body: { currentPassword } }));
    await done(securityService.confirmSecondFactor({ body: { code: (URI.parse(uri) as TOTP).generate() } }));
  };
  const currentPassword = newPassword;
  await switchOn(backend, currentPassword);
  await done(backend.securityService.renewRecoveryCodes({ body: { currentPassword } }));
  await done(backend.securityService.removeSecondFactor({ body: { currentPassword } }));
  await signInByPasskey(backend, person.username, currentPassword);
  const email = "moved@example.com";
  await done(backend.securityService.changeOwnEmail({ body: { email, currentPassword } }));
  await done(visitor.confirmEmail({ body: { token: await mailedToken(email, /confirm/i) } }));
  await done(visitor.requestPasswordReset({ body: { email } }));
  const forgotten = { token: await mailedToken(email, /password/i), password: "seven quiet harbours at dusk" };
  await done(visitor.completePasswordReset({ body: forgotten }));
  const encoded = encodeURIComponent(forgotten.password);
  const own = await services.createBackend({ username: person.username, password: encoded });
  await switchOn(own, forgotten.password);
  const change = { currentPassword: forgotten.password, password: "wooden spoon in the garden" };
  await done(own.securityService.changeOwnPassword({ body: change }));
  await done(ours.backend.securityService.resetSecondFactor({ params: { userId } }));
}

/** With the organization's own provider, by a user without an account. */
async function signOn(): Promise<void> {
  const { securityService } = ours.backend;
  const name = "signed-on.example.com";
  await done(securityService.createDomain({ body: { name } }));
  await database.query("update security_service.domains set state = 'verified' where name = $1", [name]);
  const { redirectUri } = await done(securityService.getSingleSignOn());
  const provider = await startOpenIdProvider(redirectUri);
  provider.people.set("ada", { email: `ada@${name}`, email_verified: true });
  const { issuer, clientId, clientSecret } = provider;
  const body = {
    ...{ issuer, clientId, clientSecret, domains: [name], isRequired: false, createsAccounts: true },
    ...{ rolesClaim: "", roles: [], usualRole: "VIEWER" as const },
  };
  await done(securityService.setSingleSignOn({ body }));
  const ask = connectTo(securityServiceContract, { transport: (request) => services.ask("security-service", request) });
  const portal = ask({ token: await services.serviceToken(ours.id) });
  const started = await done(portal.startSingleSignOn({ body: { email: `ada@${name}` } }));
  const { url, organizationName: _, ...begun } = started;
  const returned = await provider.visit(url, "ada");
  await done(portal.finishSingleSignOn({ body: { ...begun, returned } }));
  await provider.close();
  await done(securityService.deleteSingleSignOn());
}

/** Paid subscriptions, and the operator's actions on them. */
async function payAndOperate(): Promise<void> {
  const { portalService } = ours.backend;
  const operator = services.backend.portalService;
  const subscribed = async () => {
    const { id, approveUrl } = await done(portalService.createSubscription({ body: { serviceId: "team" } }));
    return { params: { subscriptionId: id }, back: await sandbox.decide(approveUrl!, "approve") };
  };
  const first = await subscribed();
  const returned = first.back.searchParams;
  const params = { providerId: returned.get("subscription_id")! };
  await done(portalService.verifySubscription({ params, body: { ba_token: returned.get("ba_token")! } }));
  await done(portalService.createPlanChange({ ...first, body: { serviceId: "business" } }));
  await done(portalService.withdrawPlanChange(first));
  const body = { reason: "Asked for by letter" };
  await done(operator.suspendAny({ ...first, body }));
  await done(operator.activateAny({ ...first, body }));
  await done(operator.cancelAny({ ...first, body }));
  const second = await subscribed();
  await done(operator.askAboutAny(second));
  await done(portalService.cancelSubscription(second));
  const third = await subscribed();
  await done(portalService.askProvider(third));
  const limits = {
    ...{ apis: 5, tests: null, executionsPerMonth: 10_000 },
    ...{ shortestIntervalSeconds: 300, members: 3, retentionDays: 30 },
  };
  const plan = { name: "Studio", description: "For a studio.", limits };
  const price = { amount: "19.50", currency: "USD" as const };
  const { serviceId } = await done(operator.createPlan({ body: { ...plan, price } }));
  await done(operator.changePlan({ params: { serviceId }, body: { ...plan, name: "Atelier" } }));
  await done(operator.offerPlanPrice({ params: { serviceId }, body: { amount: "21" } }));
  ids.subscriptionId = third.params.subscriptionId;
  ids.providerId = third.back.searchParams.get("subscription_id")!;
}

async function administrate(): Promise<void> {
  const { securityService, portalService, testExecutioner } = services.backend;
  await done(securityService.changeSettings({ body: { testTimeoutSeconds: 45 } }));
  const { id: domain } = await done(ours.backend.securityService.createDomain({ body: { name: "left.example.com" } }));
  await done(ours.backend.securityService.deleteDomain({ params: { domain } }));
  const { items } = await done(securityService.listSettingChanges({ query: {} }));
  await done(securityService.undoSettingChange({ params: { changeId: items[0]!.id } }));
  await done(portalService.sendTestLetter({ body: { address: "operator@example.com" } }));
  await done(testExecutioner.recount({ body: { organizationId: ours.id } }));
}

/** Consequences of other actions: an email, a running run, a muted incident, another service's event. */
async function testAndAlert(): Promise<void> {
  const { testAnalyzer, testExecutioner, testRegistry, apiRegistry } = ours.backend;
  const onCall = "on-call@example.com";
  const mail = { kind: "mail" as const, name: "On call", addresses: [onCall] };
  const channel = { params: { channelId: (await done(testAnalyzer.createChannel({ body: mail }))).id } };
  await done(testAnalyzer.confirmAddress({ body: { token: await mailedToken(onCall, /./) } }));
  await done(testAnalyzer.changeChannel({ ...channel, body: { ...mail, name: "On duty" } }));
  const incident = { params: { incidentId: ids.incidentId! } };
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await done(testAnalyzer.muteIncident({ ...incident, body: { until } }));
  await done(testAnalyzer.unmuteIncident(incident));
  const { testId, testCircleId, apiId, maintenanceWindowId } = ids as Record<string, string>;
  const circle = { name: "Renamed", members: [{ testId: testId! }] };
  await done(testRegistry.changeCircle({ params: { testCircleId: testCircleId! }, body: circle }));
  const [from, to] = ["2050-03-01T00:00:00Z", "2050-03-02T00:00:00Z"];
  const moved = { name: "Moved", testCircleId: testCircleId!, times: { kind: "once" as const, from, to } };
  const params = { maintenanceWindowId: maintenanceWindowId! };
  await done(testRegistry.changeMaintenanceWindow({ params, body: moved }));
  const { waiting, letGo } = target.hold();
  const twin = { name: "Twin", method: "get", path: "/pets", request: {}, checks: ["not_a_server_error" as const] };
  const { id: twinId } = await done(testRegistry.createTest({ params: { apiId: apiId! }, body: twin }));
  const draft = { test: { ...twin, name: "Draft" } };
  const { id: proposalId } = await done(testRegistry.proposeTest({ params: { apiId: apiId! }, body: draft }));
  await done(testRegistry.rejectTestProposal({ params: { proposalId } }));
  const body = { source: { tests: [testId!, twinId] }, order: "sequential" as const };
  const { id: runId, members } = await done(testExecutioner.startRun({ body }));
  // A schedule may be due as well.
  await expect.poll(() => waiting.length).toBeGreaterThan(0);
  await done(testExecutioner.cancelExecution({ params: { executionId: members.items[1]!.executionId } }));
  await done(testExecutioner.cancelRun({ params: { runId } }));
  const ran = await done(testExecutioner.runCircle({ params: { testCircleId: testCircleId! }, body: {} }));
  await done(testExecutioner.cancelCircleExecution({ params: { testCircleExecutionId: ran.id } }));
  letGo();
  await done(testRegistry.deleteTests({ params: { apiId: apiId! }, body: { testIds: [twinId] } }));
  const source = { document: JSON.stringify({ openapi: "3.1.0", info: { title: "Gone", version: "1" }, paths: {} }) };
  const deleted = { params: { apiId: (await done(apiRegistry.registerApi({ body: { source } }))).id } };
  await done(testRegistry.createTest({ ...deleted, body: { ...twin, name: "Gone" } }));
  await done(apiRegistry.deleteApi(deleted));
}

/** Decisions about new versions that a watched address serves. */
async function decideAboutVersions(): Promise<void> {
  const { apiRegistry } = ours.backend;
  const server = await startDocumentServer(smallDocument());
  const { id: apiId } = await done(apiRegistry.registerApi({ body: { source: { url: server.url } } }));
  const params = { apiId };
  const body = { url: server.url, everyMinutes: 60, action: "report" } as const;
  const waitForVersion = async (version: string) => {
    server.serve(smallDocument({ info: { title: "Small", version } }));
    await done(apiRegistry.setDocumentWatch({ params, body }));
    const find = async () => (await done(apiRegistry.getDocumentWatch({ params }))).watch?.change;
    await expect.poll(find, { timeout: 60_000 }).toMatchObject({ version });
    return { params, body: { digest: (await find())!.digest } };
  };
  await done(apiRegistry.dismissDocument(await waitForVersion("2")));
  await done(apiRegistry.takeOverDocument(await waitForVersion("3")));
  await done(apiRegistry.endDocumentWatch({ params }));
  await server.close();
}

async function removeSubscriber(): Promise<void> {
  const { testAnalyzer } = ours.backend;
  const params = { testCircleId: ids.testCircleId! };
  const email = "reader@example.com";
  const ask = connectTo(testAnalyzerContract, { transport: (request) => services.ask("test-analyzer", request) });
  const visitor = ask();
  await done(visitor.subscribeToStatus({ params: { address: ids.address! }, body: { email } }));
  await done(visitor.confirmSubscription({ body: { token: await mailedToken(email, /updates/) } }));
  const { items } = await done(testAnalyzer.listStatusSubscribers({ params, query: {} }));
  await done(testAnalyzer.removeStatusSubscriber({ params: { ...params, subscriberId: items[0]!.id } }));
}

const changes = operations.filter(({ endpoint: { method, audit } }) => method !== "get" && typeof audit === "string");

/** Adds the names of operations in the audit records of each service. */
async function findRecorded(recorded: Set<string>): Promise<void> {
  const parts = [...new Set(operations.map(({ service }) => service))].map(
    (service) => `select '${service} ' || operation as label from ${service.replace("-", "_")}.audit_records`,
  );
  const { rows } = await database.query<{ label: string }>(parts.join(" union "));
  for (const { label } of rows) recorded.add(label);
}

/** Resources that others depend on are deleted last. */
const removedLast = [
  "Test",
  "Circle",
  "TestsOfApi",
  "AuthorizationConfig",
  "Credential",
  "Domain",
  "Api",
  "Organization",
];
/** First creations and changes, then deletions. */
const order = ({ name, endpoint: { method } }: Operation) =>
  method === "delete" ? 2 + removedLast.findIndex((one) => name === `delete${one}`) : 0;

test("every operation that changes something leaves an audit record", async () => {
  await changeOwnAccount();
  await signOn();
  await payAndOperate();
  await administrate();
  await testAndAlert();
  await decideAboutVersions();
  await removeSubscriber();
  // Collected here, since an organization's records are deleted with it.
  const recorded = new Set<string>();
  const refused: Record<string, string> = {};
  for (const operation of changes.toSorted((a, b) => order(a) - order(b))) {
    const { endpoint, service, label } = operation;
    await findRecorded(recorded);
    if (recorded.has(label)) continue;
    const caller = endpoint.access === "system:manage" ? services.backend : ours.backend;
    const token = endpoint.access === "internal" ? await services.serviceToken(ours.id) : caller.token;
    const response = await services.ask(service, attemptsAt(operation, ids)[0]!.request(ids, token));
    if (response.status >= 300) refused[label] = `${response.status} ${await response.text()}`;
  }
  // The effects of another service's event arrive a moment later.
  await expect
    .poll(async () => {
      await findRecorded(recorded);
      return changes
        .filter(({ label }) => !recorded.has(label))
        .map(({ label }) => `${label}: ${refused[label] ?? "done without a record"}`);
    })
    .toEqual([]);
});
