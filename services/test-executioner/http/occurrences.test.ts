import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repetitions, reportFigure } from "../../../tests/support/endurance.ts";
import { requireValue } from "../../kit/client/client.ts";
import {
  listOccurrences,
  type OccurringWorld,
  occurring,
  openOccurringWorld,
  type Tenant,
} from "../testing/occurring.ts";

let world: OccurringWorld;
let scheduler: OccurringWorld["scheduler"];
beforeAll(async () => {
  world = await openOccurringWorld();
  scheduler = world.scheduler;
});
afterAll(() => world.close());

const seven = "2026-06-01T07:00:00.000Z";
const eight = "2026-06-01T08:00:00.000Z";
const nine = "2026-06-01T09:00:00.000Z";

const countRuns = async ({ client }: Tenant) =>
  requireValue(await client.listRuns({ query: {} }), "list runs").items.length;

test("a due time starts its circle once, however often and concurrently it is reported", async () => {
  const { tenant, circle } = await world.createTenant();
  const item = occurring(tenant, circle, seven, { scheduleName: "Weekdays" });
  const results = await Promise.all([scheduler.record(item), scheduler.record(item), scheduler.record(item)]);
  expect(results.flat()).toEqual(["recorded", "recorded", "recorded"]);
  expect(await scheduler.record(item)).toEqual(["recorded"]);
  expect(await countRuns(tenant)).toBe(1);
  await expect.poll(() => listOccurrences(tenant)).toMatchObject([{ run: { verdict: "passed" } }]);
  const [occurrence] = await listOccurrences(tenant);
  expect(occurrence).toMatchObject({
    ...{ scheduleId: item.scheduleId, testCircleId: circle, scheduledFor: seven, state: "started" },
    ...{ isLate: false, reason: null, times: 1 },
  });
  const run = requireValue(await tenant.client.getRun({ params: { runId: occurrence!.run!.id }, query: {} }), "run");
  expect(run).toMatchObject({
    ...{ trigger: "schedule", source: { kind: "circle", testCircleId: circle } },
    startedBy: { kind: "schedule", scheduleId: item.scheduleId, name: "Weekdays" },
  });
});

test("many are stored together, of any organization, each with its own run", async () => {
  const tenants = await Promise.all([world.createTenant(), world.createTenant(), world.createTenant()]);
  const items = tenants.flatMap(({ tenant, circle }) => [
    occurring(tenant, circle, seven),
    occurring(tenant, circle, seven),
  ]);
  expect(new Set(await scheduler.record(...items))).toEqual(new Set(["recorded"]));
  for (const { tenant } of tenants) {
    const states = (await listOccurrences(tenant)).map(({ state }) => state).sort();
    // Both belong to one circle, which has one run at a time.
    expect(states).toEqual(["skipped", "started"]);
    expect(await countRuns(tenant)).toBe(1);
    await expect
      .poll(() => listOccurrences(tenant, { state: "started" }))
      .toMatchObject([{ run: { verdict: "passed" } }]);
  }
});

test("a run in progress has no verdict, even if members have ended", async () => {
  const { tenant } = await world.createTenant();
  const tests = [await tenant.createTest(), await tenant.createTest()];
  const body = { name: "Two", members: tests.map(({ id }) => ({ testId: id })) };
  const circle = requireValue(await world.testRegistry({ token: tenant.token }).createCircle({ body }), "circle");
  const held = world.target.hold();
  await scheduler.record(occurring(tenant, circle.id, seven));
  await expect.poll(() => held.waiting.length).toBe(1);
  held.waiting.shift()!();
  const run = async () => requireValue(await tenant.client.listRuns({ query: {} }), "list runs").items[0]!;
  await expect.poll(async () => (await run()).counts.passed).toBe(1);
  expect(await listOccurrences(tenant)).toMatchObject([{ run: { verdict: null } }]);
  held.letGo();
  await expect.poll(() => listOccurrences(tenant)).toMatchObject([{ run: { verdict: "passed" } }]);
});

test("J10: while the circle is still running, the next time is skipped, or one waits and starts when it has ended", async () => {
  const { tenant, circle } = await world.createTenant();
  const held = world.target.hold();
  const skipping = occurring(tenant, circle, seven);
  const queueing = occurring(tenant, circle, seven, { overlap: "queue", scheduleName: "Patient" });
  await scheduler.record(skipping);
  await expect.poll(() => held.waiting.length).toBe(1);
  await scheduler.record({ ...skipping, start: { scheduledFor: eight, isLate: false } }, queueing);
  await scheduler.record({ ...queueing, start: { scheduledFor: eight, isLate: false } });
  const list = async (scheduleId: string) =>
    (await listOccurrences(tenant, { scheduleId })).map(({ state, reason }) => [state, reason]);
  expect(await list(skipping.scheduleId)).toEqual([
    ["skipped", "The run before still went on."],
    ["started", null],
  ]);
  expect(await list(queueing.scheduleId)).toEqual([
    ["skipped", "Another run of this schedule waited already."],
    ["waiting", null],
  ]);
  expect(await countRuns(tenant)).toBe(1);
  held.letGo();
  await expect.poll(() => listOccurrences(tenant, { state: "waiting" })).toEqual([]);
  await expect
    .poll(() => listOccurrences(tenant, { state: "started" }))
    .toMatchObject([{ run: { verdict: "passed" } }, { run: { verdict: "passed" } }]);
  const { items } = requireValue(await tenant.client.listRuns({ query: {} }), "list runs");
  expect(items.map(({ startedBy }) => startedBy?.name)).toEqual(["Patient", null]);
});

test("an occurrence that waited for the previous run doesn't start in a maintenance window that has begun since", async () => {
  const { tenant, circle } = await world.createTenant();
  const held = world.target.hold();
  await scheduler.record(occurring(tenant, circle, seven));
  await expect.poll(() => held.waiting.length).toBe(1);
  const waiting = occurring(tenant, circle, eight, { overlap: "queue" });
  await scheduler.record(waiting);
  const times = { kind: "once" as const, from: "2026-01-01T00:00:00Z", to: "2999-01-01T00:00:00Z", timeZone: "UTC" };
  const registry = world.testRegistry({ token: tenant.token });
  const window = { name: "Deployment", apiId: tenant.apiId, times };
  requireValue(await registry.createMaintenanceWindow({ body: window }), "window");
  held.letGo();
  await expect.poll(() => listOccurrences(tenant, { state: "waiting" })).toEqual([]);
  expect(await listOccurrences(tenant, { scheduleId: waiting.scheduleId })).toMatchObject([
    { state: "skipped", run: null, reason: "In the maintenance window “Deployment”." },
  ]);
});

test("J10: however many wait for a hanging run, occurrences that wait for another start when that has ended", async () => {
  const [hanging, other] = [await world.createTenant(), await world.createTenant()];
  const held = world.target.hold();
  const waitFor = ({ tenant, circle }: typeof hanging) => occurring(tenant, circle, eight, { overlap: "queue" });
  await scheduler.record(occurring(hanging.tenant, hanging.circle, seven));
  await expect.poll(() => held.waiting.length).toBe(1);
  const many = Array.from({ length: 60 }, () => waitFor(hanging));
  await scheduler.record(...many);
  const busy = world.target.hold();
  await scheduler.record(occurring(other.tenant, other.circle, nine));
  await expect.poll(() => busy.waiting.length).toBe(1);
  await scheduler.record({ ...waitFor(other), start: { scheduledFor: nine, isLate: false } });
  busy.letGo();
  await expect
    .poll(() => listOccurrences(other.tenant, { state: "started" }))
    .toMatchObject([{ run: { verdict: "passed" } }, { run: { verdict: "passed" } }]);
  expect(await listOccurrences(hanging.tenant, { state: "waiting", limit: 100 })).toHaveLength(60);
  for (const { scheduleId } of many) await scheduler.fence(scheduleId, 2);
  held.letGo();
  await expect.poll(() => listOccurrences(hanging.tenant, { state: "waiting" })).toEqual([]);
});

test("J13: occurrences of a schedule's earlier version are void, including waiting ones", async () => {
  const { tenant, circle } = await world.createTenant();
  const item = occurring(tenant, circle, seven, { version: 3 });
  await scheduler.fence(item.scheduleId, 4);
  await scheduler.fence(item.scheduleId, 2);
  expect(await scheduler.record(item)).toEqual(["void"]);
  expect(await listOccurrences(tenant)).toEqual([]);
  const held = world.target.hold();
  expect(await scheduler.record({ ...item, version: 4 })).toEqual(["recorded"]);
  await expect.poll(() => held.waiting.length).toBe(1);
  const waiting = occurring(tenant, circle, eight, { overlap: "queue" });
  await scheduler.record(waiting);
  await scheduler.fence(waiting.scheduleId, 2);
  held.letGo();
  await expect.poll(() => listOccurrences(tenant, { state: "waiting" })).toEqual([]);
  expect(await listOccurrences(tenant, { scheduleId: waiting.scheduleId })).toMatchObject([
    { state: "skipped", run: null, reason: "The schedule was changed while this run waited for the one before." },
  ]);
});

test("J13: once a change is reported, nothing starts by the earlier version, whichever is faster", async () => {
  const { tenant, circle } = await world.createTenant();
  const races = repetitions(20, 500);
  let started = 0;
  // Only occurrences are recorded of these schedules: while there are none, there is no such schedule.
  const listRecorded = async (scheduleId: string) => {
    const list = await tenant.client.listOccurrences({ query: { scheduleId } });
    return list.ok ? list.value.items : [];
  };
  for (let race = 0; race < races; race += 1) {
    const item = occurring(tenant, circle, seven);
    const recording = scheduler.record(item);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 15));
    await scheduler.fence(item.scheduleId, 2);
    const before = await listRecorded(item.scheduleId);
    const [outcome] = await recording;
    expect(await listRecorded(item.scheduleId)).toHaveLength(before.length);
    expect(before).toHaveLength(outcome === "recorded" ? 1 : 0);
    started += before.length;
  }
  reportFigure(`changes racing with starts: ${races}, started before: ${started}, started after: 0`);
});

test("missed times are recorded with the reason, those before the last thousand as one", async () => {
  const { tenant, circle } = await world.createTenant();
  const missedBefore = { since: "2026-05-01T07:00:00.000Z", times: 123 };
  const item = occurring(tenant, circle, nine, { missed: [seven, eight], missedBefore, start: { isLate: true } });
  expect(await scheduler.record(item)).toEqual(["recorded"]);
  expect(await scheduler.record(item)).toEqual(["recorded"]);
  const missed = "The portal was not running at that time, could not reach its database, or its clock was set forward.";
  expect(await listOccurrences(tenant)).toMatchObject([
    { scheduledFor: nine, state: "started", isLate: true },
    { scheduledFor: eight, state: "missed", reason: missed, times: 1, run: null },
    { scheduledFor: seven, state: "missed" },
    { scheduledFor: missedBefore.since, state: "missed", times: 123 },
  ]);
});

test("a maintenance window, and a circle that cannot run, are recorded with the reason", async () => {
  const { tenant, circle } = await world.createTenant();
  await scheduler.record(
    occurring(tenant, circle, seven, { start: { skipReason: "In the maintenance window “Move”." } }),
    occurring(tenant, uuidv7(), eight),
  );
  expect(await listOccurrences(tenant)).toMatchObject([
    { state: "failed", reason: "It could not be started: No such test circle.", run: null },
    { state: "skipped", reason: "In the maintenance window “Move”." },
  ]);
});

test("lists contain one organization's occurrences, newest first, by schedule, circle, state and time, page by page", async () => {
  const { tenant, circle } = await world.createTenant();
  const skipped = { start: { skipReason: "x" } };
  const items = [seven, eight, nine].map((moment) => occurring(tenant, circle, moment, skipped));
  await scheduler.record(...items, occurring(tenant, uuidv7(), eight));
  const list = async (query: object) => (await listOccurrences(tenant, query)).map(({ scheduledFor }) => scheduledFor);
  expect(await list({})).toEqual([nine, eight, eight, seven]);
  expect(await list({ scheduleId: items[0]!.scheduleId })).toEqual([seven]);
  expect(await list({ testCircleId: circle })).toEqual([nine, eight, seven]);
  expect(await list({ state: "failed" })).toEqual([eight]);
  expect(await list({ from: eight, to: nine })).toEqual([eight, eight]);
  const pages: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: 1, cursor };
    const page = requireValue(await tenant.client.listOccurrences({ query }), "page");
    pages.push(...page.items.map(({ scheduledFor }) => scheduledFor));
    cursor = page.nextCursor;
  }
  expect(pages).toEqual([nine, eight, eight, seven]);
  expect((await tenant.client.listOccurrences({ query: { cursor: "bm9uc2Vuc2U" } })).status).toBe(400);
  const { tenant: other } = await world.createTenant();
  expect(await other.client.listOccurrences({ query: { testCircleId: circle } })).toMatchObject({ status: 404 });
});
