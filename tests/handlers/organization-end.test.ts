import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { respondJson, startTarget } from "../../services/test-executioner/testing/target.ts";
import {
  furnish,
  type RegisteredOrganization,
  registerOrganization,
  subscribe,
} from "../support/furnished-organization.ts";
import { newcomer, newPassword } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { countRows, isQuiet, keepLocationsHeard, readChecksums } from "../support/organization-rows.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";

let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let target: Awaited<ReturnType<typeof startTarget>>;
let portal: HandledPortal;
let database: pg.Client;
beforeAll(async () => {
  [sandbox, target] = await Promise.all([openPayPalSandbox(), startTarget(respondJson({}))]);
  portal = await openHandledPortal(sandbox.environment);
  database = new pg.Client({ connectionString: portal.databaseUrl });
  await database.connect();
  await portal.limitPlans({ members: 10 });
});
afterAll(async () => {
  await database.end();
  await portal.stop();
  await Promise.all([sandbox.stop(), target.close()]);
});

async function count(query: string, ...values: unknown[]): Promise<number> {
  return (await database.query<{ rows: number }>(`select count(*)::int as rows from ${query}`, values)).rows[0]!.rows;
}

async function signIn({ person: { username } }: RegisteredOrganization): Promise<Visitor> {
  const visitor = portal.visit();
  await (await visitor.open("/login")).submit("log in", { username, password: newPassword });
  return visitor;
}

/** Queues with jobs; a queue without jobs has data of no organization. */
async function listUnfinished(): Promise<string[]> {
  const { testAnalyzer, securityService, portalService } = await portal.createBackend(portal.administrator);
  const results = await Promise.all(
    [testAnalyzer, securityService, portalService].map((service) => service.listWaitingWork()),
  );
  return results
    .flatMap((result) => requireValue(result, "waiting work").items)
    .filter(({ waiting, running }) => waiting + running > 0)
    .map(({ name }) => name);
}

/** The names and contents of the files of an archive. */
async function readArchive(visitor: Visitor) {
  const { headers, status, html } = await visitor.open("/organization/export");
  return { status, type: headers.get("content-type"), name: headers.get("content-disposition"), text: html };
}

test("T04: a deleted organization leaves no row in any table, no subscription, and no other organization changed", async () => {
  const doomed = await registerOrganization(portal, "Doomed Ltd");
  const visitor = await signIn(doomed);
  const neighbour = await registerOrganization(portal, "Neighbour Ltd");
  for (const { backend, name } of [neighbour, doomed]) await furnish(backend, target, name.split(" ")[0]!);
  const subscribing = await (await visitor.open("/billing")).submit("Subscribe to Team");
  await visitor.open((await sandbox.decide(subscribing.link("Approve at PayPal"), "approve")).href);
  const listed = await doomed.backend.portalService.listSubscriptions({ query: {} });
  const [subscription] = requireValue(listed, "subscriptions").items;
  expect(subscription?.state).toBe("ACTIVE");
  const invited = { emails: [newcomer().email], roles: ["VIEWER" as const] };
  requireValue(await doomed.backend.securityService.invite({ body: invited }), "invitation");
  const atProvider = await database.query<{ id: string }>(
    "select provider_id as id from portal_service.subscriptions where organization_id = $1",
    [doomed.id],
  );
  const documents = await database.query<{ id: string }>(
    "select id from api_registry.documents where organization_id = $1",
    [doomed.id],
  );
  const documentIds = documents.rows.map(({ id }) => id);
  await keepLocationsHeard(database, neighbour.id);
  await vi.waitUntil(async () => (await isQuiet(database, neighbour.id)) && (await isQuiet(database, doomed.id)), {
    timeout: 300_000,
  });
  const before = await readChecksums(database, neighbour.id);
  // Emails with a delay longer than this test.
  for (const schema of ["security_service", "portal_service", "test_analyzer"])
    await database.query(
      `insert into ${schema}.letters (id, organization_id, sealed, is_for_nobody)
       values (gen_random_uuid(), $1, 'sealed', false)`,
      [doomed.id],
    );
  // Ensures that the counts below cover these tables: they have rows of the doomed organization.
  expect(Object.keys(await countRows(database, doomed.id)).length).toBeGreaterThan(35);

  const page = await (await visitor.open("/organization")).follow("Delete the organization");
  const mistyped = await page.submit("Delete everything", { name: "doomed" });
  expect(mistyped.status).toBe(422);
  expect(mistyped.errors("name")).toBe("Enter the organization's name exactly as shown here: Doomed Ltd");
  const archive = await readArchive(visitor);
  expect([archive.status, archive.type]).toEqual([200, "application/zip"]);
  for (const words of ["users.json", '"title":"Doomed API"', doomed.person.email, "circles/", "runs.json"])
    expect(archive.text).toContain(words);
  expect(archive.text).not.toContain("a secret to forget");
  const deleted = await mistyped.submit("Delete everything", { name: "Doomed Ltd" });
  expect([deleted.address, deleted.text.includes("The organization is deleted")]).toEqual(["/", true]);

  expect((await visitor.open("/dashboard")).address).toMatch(/^\/login/);
  expect(await doomed.backend.apiRegistry.listApis({ query: {} })).toMatchObject({ status: 401 });
  const login = await (await portal.visit().open("/login")).submit("log in", {
    ...{ username: doomed.person.username, password: newPassword },
  });
  expect(login.address).toMatch(/^\/login/);

  await expect.poll(() => countRows(database, doomed.id), { timeout: 300_000, interval: 250 }).toEqual({});
  for (const name of ["document_chunks", "operations", "operation_details", "components", "loose_contents"])
    await expect.poll(() => count(`api_registry.${name} where document_id = any($1)`, documentIds)).toBe(0);
  expect(await count("security_service.users where username = $1", doomed.person.username)).toBe(0);
  expect(await count("security_service.organizations where id = $1", doomed.id)).toBe(0);
  await expect.poll(listUnfinished, { timeout: 300_000, interval: 250 }).toEqual([]);
  expect(await readChecksums(database, neighbour.id)).toEqual(before);
  const cancelled = await fetch(`${sandbox.base}/v1/billing/subscriptions/${atProvider.rows[0]!.id}`, {
    headers: { authorization: `Bearer ${await tokenOfSandbox()}` },
  });
  expect(((await cancelled.json()) as { status: string }).status).toBe("CANCELLED");
  const { rows } = await database.query(
    "select actor_name, before from security_service.audit_records where operation = 'deleteOrganization'",
  );
  expect(rows).toEqual([{ actor_name: doomed.person.username, before: { name: "Doomed Ltd", kind: "organization" } }]);
});

test("T04: an organization deleted under load leaves no row, and no execution that ends later adds one", async () => {
  const busy = await registerOrganization(portal, "Busy Ltd");
  const neighbour = await registerOrganization(portal, "Calm Ltd");
  const prepare = async ({ backend }: RegisteredOrganization) => {
    const document = JSON.stringify({
      ...{ openapi: "3.1.0", info: { title: "Busy API", version: "1" }, servers: [{ url: target.baseUrl }] },
      paths: { "/": { get: { responses: { 200: { description: "ok" } } } } },
    });
    const registered = await backend.apiRegistry.registerApi({ body: { source: { document } } });
    const { id: apiId } = requireValue(registered, "API");
    const body = { name: "Read", method: "get", path: "/", request: {}, checks: ["not_a_server_error" as const] };
    const create = () => backend.testRegistry.createTest({ params: { apiId }, body });
    const { id: testId } = requireValue(await create(), "test");
    const members = [{ testId }];
    const circle = { name: "Minutely", members, schedules: [] };
    requireValue(await backend.testRegistry.createCircle({ body: circle }), "circle");
    return { create, run: () => backend.testExecutioner.startRun({ body: { source: { tests: [testId] } } }) };
  };
  const [own, other] = [await prepare(busy), await prepare(neighbour)];
  const held = target.hold();
  let isWorking = true;
  const statuses = new Set<number>();
  /** Until it is refused, and for a while after. */
  const work = async (call: () => Promise<{ ok: boolean; status: number }>) => {
    while (isWorking) {
      statuses.add((await call()).status);
      await pause(20);
    }
  };
  const working = [work(own.run), work(own.run), work(own.create)];
  await expect.poll(() => held.waiting.length).toBeGreaterThan(8);
  const visitor = await signIn(busy);
  const page = await (await visitor.open("/organization")).follow("Delete the organization");
  const deleted = await page.submit("Delete everything", { name: "Busy Ltd" });
  expect([deleted.address, deleted.text.includes("The organization is deleted")]).toEqual(["/", true]);
  await expect.poll(() => statuses.has(401), { timeout: 60_000 }).toBe(true);
  isWorking = false;
  await Promise.all(working);
  // What was sent before ends now, and its rows are deleted a minute later.
  held.letGo();
  const running = () => count("test_executioner.unfinished_executions where organization_id = $1", busy.id);
  await expect.poll(running, { timeout: 300_000, interval: 250 }).toBe(0);
  for (const schema of [
    "api_registry",
    "portal_service",
    "security_service",
    "test_analyzer",
    "test_executioner",
    "test_registry",
  ])
    await database.query(`update ${schema}.ended_organizations set sweep_at = now() where id = $1`, [busy.id]);
  await expect.poll(() => countRows(database, busy.id), { timeout: 300_000, interval: 250 }).toEqual({});
  await expect.poll(listUnfinished, { timeout: 300_000, interval: 250 }).toEqual([]);
  const afterwards = requireValue(await other.run(), "the neighbour's run");
  const ended = async () => {
    const params = { runId: afterwards.id };
    return requireValue(await neighbour.backend.testExecutioner.getRun({ params, query: {} }), "run").verdict;
  };
  await expect.poll(ended).toBe("passed");
  expect(await countRows(database, busy.id)).toEqual({});
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
});

async function tokenOfSandbox(): Promise<string> {
  const response = await fetch(`${sandbox.base}/v1/oauth2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${sandbox.clientId}:${sandbox.clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

test("data beyond a lapsed plan is still read and exported, and nothing is added", async () => {
  const lapsed = await registerOrganization(portal, "Lapsed Ltd");
  const visitor = await signIn(lapsed);
  const { subscriptionId, providerId } = await subscribe(lapsed.backend, sandbox);
  await furnish(lapsed.backend, target, "Lapsed");
  await database.query(
    `update portal_service.services set limits = limits || '{"apis": 0, "tests": 0}' where id = 'free'`,
  );
  // PayPal is asked again on a timer, and then reports it as well.
  await sandbox.tamper(providerId, { status: "SUSPENDED" });
  const requested = await lapsed.backend.portalService.askProvider({ params: { subscriptionId } });
  expect(requireValue(requested, "asking PayPal").state).toBe("SUSPENDED");
  await database.query(
    "update portal_service.subscriptions set state_changed_at = now() - interval '30 days' where organization_id = $1",
    [lapsed.id],
  );
  await database.query("update portal_service.organization_plans set settle_at = now() where organization_id = $1", [
    lapsed.id,
  ]);
  await expect.poll(async () => (await visitor.open("/api-management/register")).text).toContain("allows no more APIs");
  await expect.poll(() => isQuiet(database, lapsed.id)).toBe(true);

  const api = await (await visitor.open("/api-management/list")).follow("Lapsed API");
  expect([api.status, api.text.includes("Lapsed API")]).toEqual([200, true]);
  const document = JSON.stringify({ openapi: "3.1.0", info: { title: "One more", version: "1" }, paths: {} });
  const form = await visitor.open("/api-management/register");
  const refused = await form.submit("Register", { way: "text", document, name: "One more" });
  expect([refused.status, refused.value("name"), refused.value("document")]).toEqual([402, "One more", document]);
  const archive = await readArchive(visitor);
  expect([archive.status, archive.type]).toEqual([200, "application/zip"]);
  for (const words of ['"title":"Lapsed API"', "circles/", "runs.json"]) expect(archive.text).toContain(words);
});

test("the organization that operates the installation is not deleted, whatever is typed", async () => {
  const operator = await portal.signIn();
  expect((await operator.open("/organization")).text).toContain("It operates this installation");
  expect((await operator.open("/organization/delete")).text).toContain("This is the only operator organization");
  const forced = await operator.post("/organization/delete", { name: "My organization" });
  expect(forced.status).toBe(409);
  expect((await operator.open("/dashboard")).status).toBe(200);
});

test("only an administrator deletes or exports", async () => {
  const visitor = await signIn(await registerOrganization(portal, "Two Ltd"));
  const invite = await visitor.open("/administration/user-management/invite");
  expect(invite.status).toBe(200);
  expect((await portal.visit().open("/organization/export")).address).toMatch(/^\/login/);
});
