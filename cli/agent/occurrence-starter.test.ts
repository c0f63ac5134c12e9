import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { AgentTask } from "#contracts/test-executioner/agent-work.ts";
import { test as testSchema } from "#contracts/test-registry/tests.ts";
import { type AgentKeys, createAgentKeys, getPublicKeys } from "#libraries/agent-keys/agent-keys.ts";
import { seal } from "#libraries/agent-keys/sealed.ts";
import { createEgress } from "#libraries/egress/egress.ts";
import { createJudging } from "#libraries/judging/judging.ts";
import { createHiding } from "#libraries/running/hiding/hiding.ts";
import { createAccessTokens } from "#libraries/running/sending/access-tokens.ts";
import { HeldOccurrences } from "./held-occurrences.ts";
import { createLog } from "./log.ts";
import { OccurrenceStarter } from "./occurrence-starter.ts";
import { Plan } from "./plan.ts";

const uuid = (last: number) => `0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e1${last}`;
const judging = createJudging();
const hiding = createHiding();
const egress = createEgress({ policy: { allow: [], allowLoopback: true, ownTargets: [] } });
const folders: string[] = [];
const urls: string[] = [];
const cookies: (string | undefined)[] = [];
let respond: (url: string) => { status: number; body: string };
let base: string;
let keys: AgentKeys;
const server = createServer((request, response) => {
  urls.push(request.url ?? "");
  cookies.push(request.headers.cookie);
  const { status, body } = respond(request.url ?? "");
  response.writeHead(status, { "content-type": "application/json", "set-cookie": `last=${urls.length}` }).end(body);
});

beforeAll(async () => {
  keys = await createAgentKeys();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  urls.length = 0;
  cookies.length = 0;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
  await Promise.all([egress.close(), judging.stop()]);
  hiding.stop();
});

async function makeTask(number: number, change: object = {}): Promise<AgentTask> {
  const at = "2026-04-17T09:30:00.000Z";
  const sealed = {
    ...{ executionId: uuid(number), expiresAt: new Date(Date.now() + 60_000).toISOString() },
    ...{ captures: [], secretReferences: [], credentials: [], cookies: '{"cookies":[]}' },
  };
  return {
    ...{ executionId: uuid(number), fence: 0, organizationId: uuid(0), variables: {}, baseUrls: [base] },
    test: testSchema.parse({
      ...{ id: uuid(number), apiId: uuid(0), name: "a test", method: "get", path: `/${number}`, request: {} },
      ...{ version: 1, createdAt: at, updatedAt: at },
      assertions: [{ source: "statusCode", comparison: "equals", target: 200 }],
      ...change,
    }),
    ...{ isConfirmed: false, hostRules: [], files: [] },
    settings: { verifiedDomainsOnly: false, testTimeoutSeconds: 5, answerKibibytes: 64, judgedMebibytes: 1 },
    sealed: await seal(sealed, getPublicKeys(keys).sealingKey),
  };
}

const first = "2026-06-01T07:00:00.000Z";
const second = "2026-06-01T07:01:00.000Z";

/** An agent with a plan, at a time that the test moves. */
async function makeAgent(circle: object, { folder = "" } = {}) {
  const own = folder || mkdtempSync(join(tmpdir(), "agent-"));
  if (!folder) folders.push(own);
  const time = { now: Date.parse("2026-06-01T06:59:00.000Z"), answeredAt: Date.parse("2026-06-01T06:59:00.000Z") };
  const calls = {
    now: () => new Date(time.now),
    get answeredAt() {
      return time.answeredAt;
    },
  };
  const clock = { now: () => new Date() };
  const plan = new Plan(own);
  await plan.load();
  const held = new HeldOccurrences(join(own, "occurrences"));
  await held.load();
  const starter = new OccurrenceStarter({
    shared: { egress, judging, hiding, clock, userAgent: "agent", accessTokens: createAccessTokens({ egress, clock }) },
    ...{
      keys,
      secrets: { prefix: undefined, find: () => undefined, readVault: undefined },
      log: createLog(true, () => {}),
    },
    ...{ calls, plan, held, concurrency: 4, startAfterMilliseconds: 30_000 },
  });
  if (!folder) {
    const schedule = { scheduleId: uuid(8), testCircleId: uuid(9), moments: [first, second], tag: "a" };
    const given = { order: "sequential", concurrency: null, stopOnFailure: false, generated: [], ...circle };
    await plan.replace({ schedules: [{ ...schedule, circle: given }], operations: {}, leftOut: 0 });
  }
  return {
    ...{ folder: own, plan, held, starter, time },
    async tickAt(moment: string, seconds: number) {
      time.now = Date.parse(moment) + seconds * 1_000;
      starter.tick();
      await starter.whenIdle();
    },
  };
}

test("a due time is started once the portal has been silent for long enough, and not if it was there", async () => {
  respond = () => ({ status: 200, body: "{}" });
  const agent = await makeAgent({ members: [await makeTask(1)] });
  await agent.tickAt(first, 29);
  expect(urls).toEqual([]);
  await agent.tickAt(first, 31);
  await agent.tickAt(first, 32);
  expect(urls).toEqual(["/1"]);
  agent.time.answeredAt = Date.parse(second) + 3_000;
  await agent.tickAt(second, 40);
  expect(urls).toEqual(["/1"]);
  expect(agent.held.list()).toMatchObject([
    { scheduleId: uuid(8), scheduledFor: first, members: 1, executions: [{ position: 1, testId: uuid(1) }] },
  ]);
});

test("members of a sequential circle get what those before them captured, and their cookies", async () => {
  respond = () => ({ status: 200, body: '{"id":"seven"}' });
  const captures = [{ name: "id", source: "jsonPath", property: "$.id" }];
  const members = [
    await makeTask(1, { captures }),
    await makeTask(2, { request: { query: [{ name: "id", value: "{{id}}" }] } }),
  ];
  const agent = await makeAgent({ members });
  await agent.tickAt(first, 31);
  expect(urls).toEqual(["/1", "/2?id=seven"]);
  expect(cookies).toEqual([undefined, "last=1"]);
  expect(await agent.held.read({ scheduleId: uuid(8), scheduledFor: first }, 2)).toMatchObject({ verdict: "passed" });
});

test("a circle that stops at its first failure has no results beyond it", async () => {
  respond = () => ({ status: 500, body: "{}" });
  const members = [await makeTask(1), await makeTask(2)];
  const stopping = await makeAgent({ members, stopOnFailure: true });
  await stopping.tickAt(first, 31);
  expect(urls).toEqual(["/1"]);
  const going = await makeAgent({ members, order: "parallel", concurrency: 1 });
  await going.tickAt(first, 31);
  expect(urls).toEqual(["/1", "/1", "/2"]);
});

const capturing = { captures: [{ name: "id", source: "jsonPath", property: "$.id" }] };
const removing = { request: { query: [{ name: "id", value: "{{id}}" }] } };

/** Set-up of two, two members, and tear-down that needs what set-up captured. */
const makeLife = async () => [
  { ...(await makeTask(1)), phase: "setUp" },
  { ...(await makeTask(2, capturing)), phase: "setUp" },
  { ...(await makeTask(3, removing)), phase: "main" },
  await makeTask(4),
  { ...(await makeTask(5, removing)), phase: "tearDown" },
];

test("set-up runs first, tear-down last, and what set-up captured is there for members that run in parallel", async () => {
  respond = () => ({ status: 200, body: '{"id":"seven"}' });
  const agent = await makeAgent({ members: await makeLife(), order: "parallel", concurrency: 2 });
  await agent.tickAt(first, 31);
  expect(urls.slice(0, 2)).toEqual(["/1", "/2"]);
  expect(urls.slice(2, 4).sort()).toEqual(["/3?id=seven", "/4"]);
  expect(urls.slice(4)).toEqual(["/5?id=seven"]);
});

test("where set-up failed, only tear-down runs, and what was never created is not removed", async () => {
  respond = (url) => (url === "/2" ? { status: 500, body: "{}" } : { status: 200, body: '{"id":"seven"}' });
  const agent = await makeAgent({ members: await makeLife(), order: "parallel", concurrency: 2 });
  await agent.tickAt(first, 31);
  expect(urls).toEqual(["/1", "/2"]);
  const [occurrence] = agent.held.list();
  expect(occurrence!.executions.map(({ position }) => position)).toEqual([1, 2, 5]);
  expect(await agent.held.read(occurrence!, 5)).toMatchObject({
    verdict: "skipped",
    cause: {
      code: "nothing_to_remove",
      detail: expect.stringMatching(/^Nothing to remove: \{\{id\}\} was never created\. Member 2, "a test", failed: /),
    },
  });
});

test("set-up that fails and still gave its values lets the others run, unless the circle stops at failures", async () => {
  respond = (url) => ({ status: url === "/2" ? 201 : 200, body: '{"id":"seven"}' });
  const going = await makeAgent({ members: await makeLife() });
  await going.tickAt(first, 31);
  expect(urls).toEqual(["/1", "/2", "/3?id=seven", "/4", "/5?id=seven"]);
  urls.length = 0;
  const stopping = await makeAgent({ members: await makeLife(), stopOnFailure: true });
  await stopping.tickAt(first, 31);
  expect(urls).toEqual(["/1", "/2", "/5?id=seven"]);
});

test("tear-down that needs what a skipped member would have captured says that it was not run", async () => {
  respond = (url) => ({ status: url === "/1" ? 500 : 200, body: '{"id":"seven"}' });
  const members = [
    { ...(await makeTask(1)), phase: "setUp" },
    await makeTask(2, capturing),
    { ...(await makeTask(3, removing)), phase: "tearDown" },
  ];
  const agent = await makeAgent({ members });
  await agent.tickAt(first, 31);
  expect(urls).toEqual(["/1"]);
  expect(await agent.held.read({ scheduleId: uuid(8), scheduledFor: first }, 3)).toMatchObject({
    verdict: "skipped",
    cause: { detail: 'Nothing to remove: {{id}} was never created. Member 2, "a test", was not run.' },
  });
});

const marked = { name: "mark", text: "m-{{$uuid}}" };
const other = "of nobody";

/** Changes what a value identifies, in a run that may change only what it created. */
async function makeChange(number: number, method: string, value: string, effect?: string) {
  const change = { method, path: "/things/{id}", request: { pathParameters: [{ name: "id", value }] } };
  const rules = { isVerified: true, unsafeMethods: "allowed", ruledBy: null, authorizationConfigs: [] };
  return {
    ...(await makeTask(number, change)),
    ...{ onlyOwn: { effect, ofRun: [] }, hostRules: [{ host: new URL(base).host, rules }] },
  };
}

const makeOwn = async () => [
  await makeChange(1, "put", "{{mark}}", "makes"),
  await makeChange(2, "delete", other),
  { ...(await makeChange(3, "delete", "{{mark}}")), phase: "tearDown" },
];

test("variables are generated once a run, and reported with it, also by the next process", async () => {
  respond = () => ({ status: 200, body: "{}" });
  const agent = await makeAgent({ members: await makeOwn(), generated: [marked] });
  await agent.tickAt(first, 31);
  await agent.tickAt(second, 31);
  const [own, ...others] = urls;
  expect(own).toMatch(/^\/things\/m-[\da-f-]{36}$/);
  expect(others.slice(0, 1)).toEqual([own]);
  expect(others[1]).not.toBe(own);
  expect(others.slice(2)).toEqual([others[1]]);
  const { held } = await makeAgent({}, { folder: agent.folder });
  const generated = await Promise.all(held.list().map((occurrence) => held.readGenerated(occurrence)));
  expect(generated).toEqual([own, others[1]].map((url) => [{ name: "mark", value: url!.slice("/things/".length) }]));
});

test("a run that may change only what it created changes nothing else, and nothing where it created nothing", async () => {
  respond = () => ({ status: 200, body: "{}" });
  const agent = await makeAgent({ members: await makeOwn(), generated: [marked] });
  await agent.tickAt(first, 31);
  const [occurrence] = agent.held.list();
  expect(await agent.held.read(occurrence!, 2)).toMatchObject({
    verdict: "blocked",
    cause: { code: "change_not_own" },
  });
  expect(await agent.held.read(occurrence!, 3)).toMatchObject({ verdict: "passed" });
  urls.length = 0;
  respond = (url) => ({ status: url.startsWith("/things/m-") ? 409 : 200, body: "{}" });
  const failing = await makeAgent({ members: await makeOwn(), generated: [marked] });
  await failing.tickAt(first, 31);
  expect(urls).toHaveLength(1);
  expect(await failing.held.read(occurrence!, 3)).toMatchObject({ cause: { code: "change_not_own" } });
});

test("of several due times that have passed, as after a pause of its machine, the last is started", async () => {
  respond = () => ({ status: 200, body: "{}" });
  const agent = await makeAgent({ members: [await makeTask(1)] });
  await agent.tickAt(second, 31);
  expect(agent.held.list().map(({ scheduledFor }) => scheduledFor)).toEqual([second]);
});

test("a restarted agent continues with its plan and results, which only its user can read", async () => {
  respond = () => ({ status: 200, body: "{}" });
  const before = await makeAgent({ members: [await makeTask(1)] });
  await before.tickAt(first, 31);
  const files = join(before.folder, "occurrences");
  const [name] = readdirSync(files);
  for (const path of [join(files, name!), join(before.folder, "plan.json")])
    expect(statSync(path).mode & 0o777).toBe(0o600);
  const after = await makeAgent({}, { folder: before.folder });
  expect(after.held.list()).toEqual(before.held.list());
  await after.tickAt(first, 40);
  await after.tickAt(second, 31);
  expect(after.held.list().map(({ scheduledFor }) => scheduledFor)).toEqual([first, second]);
  expect(urls).toEqual(["/1", "/1"]);
  for (const { scheduleId, scheduledFor } of after.held.list()) await after.held.remove({ scheduleId, scheduledFor });
  expect([after.held.size, readdirSync(files)]).toEqual([0, []]);
});

test("G07: a plan of any other shape is refused, and the one before stays", async () => {
  respond = () => ({ status: 200, body: "{}" });
  const { plan } = await makeAgent({ members: [await makeTask(1)] });
  const schedule = { scheduleId: uuid(8), testCircleId: uuid(9), moments: [first], tag: "a" };
  const shapes = [
    {},
    { schedules: [{ ...schedule, scheduleId: "../../escape" }], operations: {} },
    { schedules: [{ ...schedule, moments: [1] }], operations: {} },
    { schedules: [{ ...schedule, circle: { order: "sideways", members: [] } }], operations: {} },
    {
      schedules: [{ ...schedule, circle: { order: "parallel", stopOnFailure: false, generated: [7], members: [] } }],
      operations: {},
    },
    {
      schedules: [
        {
          ...schedule,
          circle: {
            ...{ order: "parallel", stopOnFailure: false, generated: [] },
            members: [{ ...(await makeTask(1)), phase: "never" }],
          },
        },
      ],
      operations: {},
    },
  ];
  for (const shape of shapes) await expect(plan.replace(shape)).rejects.toThrow("The plan");
  expect(plan.size).toBe(1);
  // A member of any shape ends errored when it is run.
  const agent = await makeAgent({ members: [{ executionId: uuid(1), test: { id: uuid(1), version: 1 } }] });
  await agent.tickAt(first, 31);
  expect(await agent.held.read({ scheduleId: uuid(8), scheduledFor: first }, 1)).toMatchObject({
    verdict: "errored",
    cause: { code: "agent_failed" },
  });
});
