import { afterAll, afterEach, expect, test } from "vitest";
import { createAgentWorld, first, second, uuid } from "./testing/agent-world.ts";

const world = await createAgentWorld();
const { urls, cookies, makeTask, makeAgent } = world;
afterEach(world.clear);
afterAll(world.close);

test("members of a sequential circle get what those before them captured, and their cookies", async () => {
  world.respond = () => ({ status: 200, body: '{"id":"seven"}' });
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
  world.respond = () => ({ status: 500, body: "{}" });
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
  world.respond = () => ({ status: 200, body: '{"id":"seven"}' });
  const agent = await makeAgent({ members: await makeLife(), order: "parallel", concurrency: 2 });
  await agent.tickAt(first, 31);
  expect(urls.slice(0, 2)).toEqual(["/1", "/2"]);
  expect(urls.slice(2, 4).sort()).toEqual(["/3?id=seven", "/4"]);
  expect(urls.slice(4)).toEqual(["/5?id=seven"]);
});

test("where set-up failed, only tear-down runs, and what was never created is not removed", async () => {
  world.respond = (url) => (url === "/2" ? { status: 500, body: "{}" } : { status: 200, body: '{"id":"seven"}' });
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
  world.respond = (url) => ({ status: url === "/2" ? 201 : 200, body: '{"id":"seven"}' });
  const going = await makeAgent({ members: await makeLife() });
  await going.tickAt(first, 31);
  expect(urls).toEqual(["/1", "/2", "/3?id=seven", "/4", "/5?id=seven"]);
  urls.length = 0;
  const stopping = await makeAgent({ members: await makeLife(), stopOnFailure: true });
  await stopping.tickAt(first, 31);
  expect(urls).toEqual(["/1", "/2", "/5?id=seven"]);
});

test("tear-down that needs what a skipped member would have captured says that it was not run", async () => {
  world.respond = (url) => ({ status: url === "/1" ? 500 : 200, body: '{"id":"seven"}' });
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

/** Changes what a value identifies, in a run that may change only what it created. */
async function makeChange(number: number, method: string, value: string, effect?: string) {
  const change = { method, path: "/things/{id}", request: { pathParameters: [{ name: "id", value }] } };
  const rules = { isVerified: true, unsafeMethods: "allowed", ruledBy: null, authorizationConfigs: [] };
  return {
    ...(await makeTask(number, change)),
    ...{ onlyOwn: { effect, ofRun: [] }, hostRules: [{ host: new URL(world.base).host, rules }] },
  };
}

const makeOwn = async () => [
  await makeChange(1, "put", "{{mark}}", "makes"),
  await makeChange(2, "delete", "of-another-run"),
  { ...(await makeChange(3, "delete", "{{mark}}")), phase: "tearDown" },
];

test("variables are generated once a run, and reported with it, also by the next process", async () => {
  world.respond = () => ({ status: 200, body: "{}" });
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
  world.respond = () => ({ status: 200, body: "{}" });
  const agent = await makeAgent({ members: await makeOwn(), generated: [marked] });
  await agent.tickAt(first, 31);
  const [occurrence] = agent.held.list();
  expect(await agent.held.read(occurrence!, 2)).toMatchObject({
    verdict: "blocked",
    cause: { code: "change_not_own" },
  });
  expect(await agent.held.read(occurrence!, 3)).toMatchObject({ verdict: "passed" });
  urls.length = 0;
  world.respond = (url) => ({ status: url.startsWith("/things/m-") ? 409 : 200, body: "{}" });
  const failing = await makeAgent({ members: await makeOwn(), generated: [marked] });
  await failing.tickAt(first, 31);
  expect(urls).toHaveLength(1);
  expect(await failing.held.read(occurrence!, 3)).toMatchObject({ cause: { code: "change_not_own" } });
});
