import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Contract, scopes } from "#contracts/kit/endpoint.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Run } from "#contracts/test-executioner/runs.ts";
import type { Backend } from "../app/backend/backend.ts";
import { type Client, connectTo, requireValue } from "../services/kit/client/client.ts";
import { testEngines } from "../services/kit/testing/databases.ts";
import { respondJson, startTarget, type Target } from "../services/test-executioner/testing/target.ts";
import { toTheEnd } from "../services/test-executioner/testing/to-the-end.ts";
import { createExecutionWorld, type ExecutionWorld } from "../services/test-executioner/testing/world.ts";
import { createPortalHandler, listRoutes } from "./support/portal-handler.ts";

/** Start pages redirect; streams and files are no pages. */
const notPages =
  /(start|example)\.ts$|\/file\.ts$|choose-environment\.ts$|add-checks\.ts$|events\.ts$|download\.ts$|report\.ts$|export\.ts$|send\.tsx?$|body(-schema)?\.ts$|not-found\.tsx$/;
/** The routes that the world below has data for. */
const sections = /^\/(dashboard|profile|billing|organization|administration|api-management|test-management)(\/|$)/;

/** Query parameters of pages. */
const queries: Record<string, string> = {
  operation: "?method=get&path=/",
  webhook: "?method=post&path=told",
  resource: "?key=/things/{}",
  schema: "?method=get&path=/&place=/operation/responses/0/content/0/schema",
};
const schema = { type: "object", properties: { id: { type: "integer" } } };

const credential = {
  id: "0190a000-0000-7000-8000-000000000001",
  ...{ name: "Key", domain: "api.test", type: "bearer", settings: {}, secretSet: true },
  secretSetAt: "2026-01-01T00:00:00.000Z",
  usedBy: {
    tests: { total: 0, items: [] },
    apis: { total: 0, items: [] },
    authorizationConfigs: { total: 0, items: [] },
  },
};

const config = {
  ...{ id: "0190a000-0000-7000-8000-000000000005", domain: "api.test", schemeName: "key" },
  ...{ credentialId: credential.id, credentialName: "Key", credentialFits: true, type: "bearer", settings: {} },
  ...{ createdAt: credential.secretSetAt, updatedAt: credential.secretSetAt },
};

const domain = {
  ...{
    id: "0190a000-0000-7000-8000-000000000004",
    name: "api.test",
    description: "",
    credentialCount: 1,
    authorizationConfigCount: 0,
    unsafeMethods: "allowed",
  },
  verification: {
    ...{ state: "unverified", method: "dnsTxt", token: "t", checkedAt: null, provenAt: null, missedChecks: 0 },
    ...{ failure: null, record: { name: "_api-assurance.api.test", value: "api-assurance=t" }, file: null },
  },
};
const user = {
  ...{ id: "0190a000-0000-7000-8000-000000000002", username: "ada", fullName: "Ada", email: "ada@example.com" },
  ...{ roles: ["VIEWER"], disabled: false, secondFactor: true, createdAt: "2026-01-01T00:00:00.000Z" },
};
const ownAccount = {
  ...{ id: user.id, username: "ada", fullName: "Ada", email: "ada@example.com", timeZone: null, hasPassword: true },
  ...{ takesPassword: true, confirmedUntil: null, newEmail: null },
};
const invitation = {
  ...{ id: "0190a000-0000-7000-8000-000000000003", email: "bob@example.com", roles: ["VIEWER"], status: "SENT" },
  ...{ invitedBy: "Ada", createdAt: "2026-01-01T00:00:00.000Z", expiresAt: "2026-01-08T00:00:00.000Z" },
  ...{ mailFailure: null, history: [] },
};
/** The responses of security-service, by the end of the address. */
const known: Record<string, object> = {
  [credential.id]: credential,
  [config.id]: config,
  [`domains/${domain.name}`]: domain,
  [user.id]: user,
  [invitation.id]: invitation,
  "/api/v1/profile": ownAccount,
  "/profile/second-factor": { enabled: true, enabledAt: "2026-01-01T00:00:00.000Z", passkeys: 1, recoveryCodesLeft: 2 },
  "/profile/passkeys": {
    items: [{ id: user.id, name: "Laptop", createdAt: "2026-01-01T00:00:00.000Z", lastUsedAt: null }],
  },
  "count?status=PENDING%2CSENT": { count: 1 },
};

let world: ExecutionWorld;
let target: Target;
let params: Record<string, string>;
let open: (path: string) => Promise<Response>;
let startCircle: () => Promise<Run>;
let calls: string[] = [];

/** Calls for parts of one resource count as the same; of a list, each filter counts as a different one. */
const askedFor = (input: { params?: object } = {}) => input.params ?? input;

function counting<C extends Contract>(service: string, client: Client<C>): Client<C> {
  const counted = Object.entries(client).map(([name, call]) => [
    name,
    (input?: object) => {
      calls.push(`${service}.${name} ${JSON.stringify(askedFor(input))}`);
      return (call as (input?: object) => unknown)(input);
    },
  ]);
  return Object.fromEntries(counted) as Client<C>;
}

const noItems = { transport: () => Response.json({ items: [], nextCursor: null }) };

beforeAll(async () => {
  target = await startTarget(respondJson({}));
  world = await createExecutionWorld(await testEngines()[0].open(), { withAnalyzer: true });
  const { token, organizationId, apiId, client, createTest, run } = await world.createTenant(target.baseUrl, {
    paths: {
      "/": { get: { responses: { "200": { description: "ok", content: { "application/json": { schema } } } } } },
      "/things/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" }, example: "a" }],
        get: { responses: { "200": { description: "ok" } } },
      },
    },
    webhooks: { told: { post: { responses: { "200": { description: "ok" } } } } },
  });
  const { id: testId } = await createTest();
  const { id: testExecutionId } = await run(testId);
  const runs = requireValue(await client.listRuns({ query: {} }), "runs");
  const runId = runs.items[0]!.id;
  const registry = world.testRegistry({ token });
  const wrong = await createTest({ assertions: [{ source: "statusCode", comparison: "equals", target: 418 }] });
  const members = [testId, wrong.id].map((id) => ({ kind: "test" as const, testId: id }));
  const circle = await registry.createCircle({ body: { name: "All", members } });
  const testCircleId = requireValue(circle, "circle").id;
  startCircle = async () =>
    requireValue(await client.startRun({ query: {}, body: { source: { testCircleId }, trigger: "ci" } }), "run");
  const circleRun = await toTheEnd(client).runCircle({ params: { testCircleId }, body: { trigger: "ci" } });
  const analyzer = world.testAnalyzer({ token });
  requireValue(await analyzer.createRule({ body: { scope: { kind: "circle", testCircleId } } }), "rule");
  const findIncidents = async () => requireValue(await analyzer.listIncidents({ query: {} }), "incidents").items;
  await vi.waitUntil(async () => (await findIncidents()).length > 0, { timeout: 300_000 });
  const body = { cron: "@daily", timeZone: "UTC" };
  const schedule = await registry.createSchedule({ params: { testCircleId }, body });
  const times = { kind: "once" as const, from: "2050-01-01T00:00:00Z", to: "2050-01-02T00:00:00Z" };
  const window = await registry.createMaintenanceWindow({ body: { name: "Move", testCircleId, times } });
  const hook = { kind: "webhook" as const, name: "On call", enabled: true, url: target.baseUrl };
  const channelId = requireValue(await analyzer.createChannel({ body: hook }), "channel").id;
  const sent = await analyzer.testChannel({ params: { channelId } });
  const started = await client.startExploration({ params: { apiId }, body: { maxRequests: 10 } });
  const explorationId = requireValue(started, "exploration").id;
  const location = await client.createLocation({ body: { name: "Office" } });
  const locationId = requireValue(location, "location").id;
  params = {
    ...{ channelId, explorationId, locationId },
    deliveryId: requireValue(sent, "delivery").id,
    passkeyId: user.id,
    credentialId: credential.id,
    authorizationConfigId: config.id,
    domain: domain.name,
    userId: user.id,
    invitationId: invitation.id,
    organizationId,
    runId,
    apiId,
    testId,
    testExecutionId,
    testCircleId,
    testCircleExecutionId: requireValue(circleRun, "circle's run").id,
    incidentId: (await findIncidents())[0]!.id,
    scheduleId: requireValue(schedule, "schedule").id,
    maintenanceWindowId: requireValue(window, "window").id,
    pathName: "%2F",
    method: "get",
    "*": "%2F/get",
  };
  const portalService = connectTo(portalServiceContract, {
    transport: (request) => (request.url.endsWith("/notifications") ? Response.json([]) : noItems.transport()),
  });
  const securityService = connectTo(securityServiceContract, {
    transport({ url }) {
      const end = Object.keys(known).find((one) => url.endsWith(one));
      return end ? Response.json(known[end]) : noItems.transport();
    },
  });
  const connect = (caller: object): Backend => ({
    securityService: counting("security-service", securityService(caller)),
    portalService: counting("portal-service", portalService(caller)),
    apiRegistry: counting("api-registry", world.apiRegistry(caller)),
    testRegistry: counting("test-registry", world.testRegistry(caller)),
    testExecutioner: counting("test-executioner", world.connect(caller)),
    testAnalyzer: counting("test-analyzer", world.testAnalyzer(caller)),
  });
  open = (await createPortalHandler({ connect, token, scopes: [...scopes] })).open;
});

afterAll(async () => {
  await world.stop();
  await world.database.close();
  await target.close();
});

function listPages(): string[] {
  const all = listRoutes();
  const getAddress = (id: string): string => {
    const route = all.find((one) => one.id === id);
    return route ? `${getAddress(route.parentId ?? "root")}${route.path ? `/${route.path}` : ""}` : "";
  };
  return all
    .filter(({ file, hasChildren }) => !notPages.test(file) && !hasChildren)
    .map(({ id }) => getAddress(id).replace(/:(\w+)|\*/g, (name, of?: string) => params[of ?? "*"] ?? name));
}

/** Opens every page and collects duplicate calls within one request. */
async function findRequestedTwice(): Promise<string[]> {
  const pages = listPages();
  expect(pages.filter((page) => sections.test(page)).length).toBeGreaterThan(25);
  const twice: string[] = [];
  for (const page of pages) {
    calls = [];
    const { status } = await open(page + (queries[page.split("/").at(-1)!] ?? ""));
    if (sections.test(page)) expect([page, status]).toEqual([page, 200]);
    twice.push(...calls.filter((call, index) => calls.indexOf(call) !== index).map((call) => `${page} ${call}`));
    // Its parts are requested one by one: most pages have the summary from their layout.
    expect(
      calls.filter((call) => call.startsWith("api-registry.getApi ")),
      page,
    ).toEqual([]);
  }
  return twice;
}

test("opening a page requests nothing twice from a service", async () => {
  expect(await findRequestedTwice()).toEqual([]);
});

test("opening a page requests nothing twice while a run is in progress", async () => {
  const held = target.hold();
  const { id } = await startCircle();
  await vi.waitUntil(() => held.waiting.length > 0, { timeout: 300_000 });
  const ended = params;
  params = { ...ended, runId: id, testCircleExecutionId: id };
  const twice = await findRequestedTwice();
  params = ended;
  held.letGo();
  expect(twice).toEqual([]);
});
