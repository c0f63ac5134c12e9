import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { createAgentWorld, first, second, uuid } from "./testing/agent-world.ts";

const world = await createAgentWorld();
const { urls, makeTask, makeAgent } = world;
afterEach(world.clear);
afterAll(world.close);

test("a due time is started once the portal has been silent for long enough, and not if it was there", async () => {
  world.respond = () => ({ status: 200, body: "{}" });
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

test("of several due times that have passed, as after a pause of its machine, the last is started", async () => {
  world.respond = () => ({ status: 200, body: "{}" });
  const agent = await makeAgent({ members: [await makeTask(1)] });
  await agent.tickAt(second, 31);
  expect(agent.held.list().map(({ scheduledFor }) => scheduledFor)).toEqual([second]);
});

test("a restarted agent continues with its plan and results, which only its user can read", async () => {
  world.respond = () => ({ status: 200, body: "{}" });
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
  world.respond = () => ({ status: 200, body: "{}" });
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
