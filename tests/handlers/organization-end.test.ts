import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { requireAnswer } from "../../services/kit/client/client.ts";
import { answerJson, startTarget } from "../../services/test-executioner/testing/target.ts";
import { completeAccount, mailedLink, newcomer, newPassword } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";
import type { PortalBackend } from "../support/portal-backend.ts";

const schemas = [
  "api_registry",
  "portal_service",
  "security_service",
  "test_analyzer",
  "test_executioner",
  "test_registry",
];
/** Ten minutes long it tells every process who is signed out. */
const goesByItself = ["security_service.access_changes"];
/** In the operator's organization it says who deleted another one. */
const grows = ["security_service.audit_records"];
/** Go on by the clock: alerts are sent, and burn rates looked at. */
const goesOn = ["test_analyzer.alert_deliveries", "test_analyzer.service_levels"];

let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let target: Awaited<ReturnType<typeof startTarget>>;
let portal: HandledPortal;
let database: pg.Client;
beforeAll(async () => {
  [sandbox, target] = await Promise.all([openPayPalSandbox(), startTarget(answerJson({}))]);
  portal = await openHandledPortal(sandbox.environment);
  database = new pg.Client({ connectionString: portal.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await portal.stop();
  await Promise.all([sandbox.stop(), target.close()]);
});

/** Somebody who registered an organization of their own. */
async function registerOrganization(name: string) {
  const person = newcomer();
  const visitor = portal.visit();
  const form = await visitor.open("/create-account-organization");
  await form.submit("Mail me the link", { email: person.email, organizationName: name });
  const completing = await visitor.open(await mailedLink(portal, person.email, /registration/i));
  const login = await completeAccount(completing, portal, person);
  await login.submit("log in", { password: newPassword });
  const backend = await portal.backendOf({ username: person.username, password: encodeURIComponent(newPassword) });
  const { id } = requireAnswer(await backend.portalService.getCurrentOrganization(), "organization");
  return { id, name, person, visitor, backend };
}

/** Something in every room of an organization. */
async function furnish({ apiRegistry, testRegistry, testExecutioner, testAnalyzer, ...others }: PortalBackend) {
  const { securityService, portalService } = others;
  const described = {
    ...{ openapi: "3.1.0", info: { title: "Pets", version: "1" } },
    paths: { "/pets": { get: { responses: { 200: { description: "Done" } } } } },
  };
  const source = { document: JSON.stringify(described) };
  const registered = await apiRegistry.registerApi({ body: { source, baseUrl: target.baseUrl } });
  const { id: apiId } = requireAnswer(registered, "API");
  const teapot = { source: "statusCode" as const, comparison: "equals" as const, target: 418 };
  const body = { name: "List", method: "get", path: "/pets", request: {}, assertions: [teapot] };
  const { id: testId } = requireAnswer(await testRegistry.createTest({ params: { apiId }, body }), "test");
  const circle = await testRegistry.createCircle({ body: { name: "Daily", members: [{ testId }] } });
  const { id: testCircleId } = requireAnswer(circle, "circle");
  const yearly = { cron: "0 0 1 1 *", timeZone: "UTC" };
  requireAnswer(await testRegistry.createSchedule({ params: { testCircleId }, body: yearly }), "schedule");
  const times = { kind: "once" as const, from: "2050-01-01T00:00:00Z", to: "2050-01-02T00:00:00Z" };
  requireAnswer(await testRegistry.createMaintenanceWindow({ body: { name: "Move", times } }), "window");
  requireAnswer(await testRegistry.renewCalendar(), "calendar");
  const hook = { kind: "webhook" as const, name: "On call", url: target.baseUrl };
  const channelId = requireAnswer(await testAnalyzer.createChannel({ body: hook }), "channel").id;
  const rule = { scope: { kind: "circle" as const, testCircleId }, channelIds: [channelId] };
  requireAnswer(await testAnalyzer.createRule({ body: rule }), "rule");
  const level = { objective: 99.5, days: 30 as const };
  requireAnswer(await testAnalyzer.setServiceLevel({ params: { testCircleId }, body: level }), "service level");
  requireAnswer(await testAnalyzer.setStatusPage({ params: { testCircleId }, body: { title: "Pets" } }), "status page");
  requireAnswer(await testAnalyzer.createMark({ body: { name: "2.4.0", apiId } }), "mark");
  const run = await testExecutioner.runCircle({
    params: { testCircleId },
    query: { wait: 30 },
    body: { trigger: "ci" },
  });
  requireAnswer(run, "run");
  const incidents = async () => requireAnswer(await testAnalyzer.listIncidents({ query: {} }), "incidents").items;
  await vi.waitUntil(async () => (await incidents()).length > 0, { timeout: 20_000 });
  const bearer = {
    name: "Key",
    domain: target.host,
    type: "bearer" as const,
    settings: {},
    secret: "a secret to forget",
  };
  requireAnswer(await securityService.createCredential({ body: bearer }), "credential");
  const address = { country: "IE", organization: "B", street: "1", city: "Dublin", postalCode: "D02 AF30" };
  requireAnswer(await portalService.putBillingAddress({ body: address }), "address");
  return { apiId, testId };
}

/** Every table with a column of organizations, as the database has them. */
async function listTables(): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.columns
     where column_name = 'organization_id' and table_schema = any($1) order by 1`,
    [schemas],
  );
  return rows.map(({ name }) => name).filter((name) => !goesByItself.includes(name));
}

/** How many rows of an organization each table has, where it has any. */
async function rowsOf(organizationId: string): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const name of await listTables()) {
    const { rows } = await database.query(`select count(*)::int as rows from ${name} where organization_id = $1`, [
      organizationId,
    ]);
    if (rows[0].rows > 0) counted[name] = rows[0].rows;
  }
  return counted;
}

/** What each table has of an organization, as a hash. */
async function checksumsOf(organizationId: string): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const name of (await listTables()).filter((one) => ![...grows, ...goesOn].includes(one))) {
    const { rows } = await database.query(
      `select md5(string_agg(one::text, '|' order by one::text)) as sum from ${name} one where organization_id = $1`,
      [organizationId],
    );
    sums[name] = rows[0].sum;
  }
  return sums;
}

const isQuiet = async (organizationId: string) =>
  Object.keys(await rowsOf(organizationId)).every((name) => !name.endsWith("event_deliveries"));

async function count(query: string, ...values: unknown[]): Promise<number> {
  return (await database.query<{ rows: number }>(`select count(*)::int as rows from ${query}`, values)).rows[0]!.rows;
}

/** The names of the files of an archive, and what stands in it. */
async function readArchive(visitor: Visitor) {
  const { headers, status, html } = await visitor.open("/organization/export");
  return { status, type: headers.get("content-type"), name: headers.get("content-disposition"), text: html };
}

test("T04: a deleted organization leaves no row in any table, no subscription, and no other one changed", async () => {
  const doomed = await registerOrganization("Doomed Ltd");
  const neighbour = await registerOrganization("Neighbour Ltd");
  for (const { backend } of [neighbour, doomed]) await furnish(backend);
  const subscribing = await (await doomed.visitor.open("/billing")).submit("Subscribe to Team");
  await doomed.visitor.open((await sandbox.decide(subscribing.link("Approve at PayPal"), "approve")).href);
  const listed = await doomed.backend.portalService.listSubscriptions({ query: {} });
  const [subscription] = requireAnswer(listed, "subscriptions").items;
  expect(subscription?.state).toBe("ACTIVE");
  const invited = { emails: [newcomer().email], roles: ["VIEWER" as const] };
  requireAnswer(await doomed.backend.securityService.invite({ body: invited }), "invitation");
  const atProvider = await database.query<{ id: string }>(
    "select provider_id as id from portal_service.subscriptions where organization_id = $1",
    [doomed.id],
  );
  const documents = await database.query<{ id: string }>(
    "select id from api_registry.documents where organization_id = $1",
    [doomed.id],
  );
  const documentIds = documents.rows.map(({ id }) => id);
  await vi.waitUntil(async () => (await isQuiet(neighbour.id)) && (await isQuiet(doomed.id)), { timeout: 20_000 });
  const before = await checksumsOf(neighbour.id);
  // What is counted below is really looked for: these tables have rows of the doomed one.
  expect(Object.keys(await rowsOf(doomed.id)).length).toBeGreaterThan(35);

  const page = await (await doomed.visitor.open("/organization")).follow("Delete the organization");
  const mistyped = await page.submit("Delete everything", { name: "doomed" });
  expect(mistyped.status).toBe(422);
  expect(mistyped.errors("name")).toBe("Type the organization's name as it stands here: Doomed Ltd");
  const archive = await readArchive(doomed.visitor);
  expect([archive.status, archive.type]).toEqual([200, "application/zip"]);
  for (const words of ["users.json", '"title":"Pets"', doomed.person.email, "circles/", "runs.json"])
    expect(archive.text).toContain(words);
  expect(archive.text).not.toContain("a secret to forget");
  const gone = await mistyped.submit("Delete everything", { name: "Doomed Ltd" });
  expect([gone.address, gone.text.includes("The organization is deleted")]).toEqual(["/", true]);

  expect((await doomed.visitor.open("/dashboard")).address).toMatch(/^\/login/);
  expect(await doomed.backend.apiRegistry.listApis({ query: {} })).toMatchObject({ status: 401 });
  const login = await (await portal.visit().open("/login")).submit("log in", {
    ...{ username: doomed.person.username, password: newPassword },
  });
  expect(login.address).toMatch(/^\/login/);

  await expect.poll(() => rowsOf(doomed.id), { timeout: 60_000, interval: 250 }).toEqual({});
  for (const name of ["document_chunks", "operations", "operation_details", "components", "loose_contents"])
    await expect
      .poll(() => count(`api_registry.${name} where document_id = any($1)`, documentIds), { timeout: 20_000 })
      .toBe(0);
  expect(await count("security_service.users where username = $1", doomed.person.username)).toBe(0);
  expect(await count("security_service.organizations where id = $1", doomed.id)).toBe(0);
  expect(await count("job_queue.job where data::text like '%' || $1 || '%'", doomed.id)).toBe(0);
  expect(await checksumsOf(neighbour.id)).toEqual(before);
  const cancelled = await fetch(`${sandbox.base}/v1/billing/subscriptions/${atProvider.rows[0]!.id}`, {
    headers: { authorization: `Bearer ${await tokenOfSandbox()}` },
  });
  expect(((await cancelled.json()) as { status: string }).status).toBe("CANCELLED");
  const { rows } = await database.query(
    "select actor_name, before from security_service.audit_records where operation = 'deleteOrganization'",
  );
  expect(rows).toEqual([{ actor_name: doomed.person.username, before: { name: "Doomed Ltd", kind: "organization" } }]);
});

async function tokenOfSandbox(): Promise<string> {
  const answer = await fetch(`${sandbox.base}/v1/oauth2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${sandbox.clientId}:${sandbox.clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

test("the organization that operates the installation is not deleted, whatever is typed", async () => {
  const operator = await portal.signIn();
  expect((await operator.open("/organization")).text).toContain("It operates this installation");
  expect((await operator.open("/organization/delete")).text).toContain("which would have no operator left");
  const forced = await operator.post("/organization/delete", { name: "My organization" });
  expect(forced.status).toBe(409);
  expect((await operator.open("/dashboard")).status).toBe(200);
});

test("only an administrator deletes or exports", async () => {
  const { visitor } = await registerOrganization("Two Ltd");
  const invite = await visitor.open("/administration/user-management/invite");
  expect(invite.status).toBe(200);
  expect((await portal.visit().open("/organization/export")).address).toMatch(/^\/login/);
});
