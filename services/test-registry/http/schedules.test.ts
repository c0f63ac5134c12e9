import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import {
  createCircle,
  createSchedule,
  everyMorning,
  type ScheduleBody,
  type Tenant,
} from "../testing/scheduled-circle.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

const [engine] = testEngines();
let world: Awaited<ReturnType<typeof createTestRegistryWorld>>;
beforeAll(async () => {
  world = await createTestRegistryWorld(engine);
});
afterEach(async () => {
  await world.choosePlan(null);
  world.silenceExecutioner(false);
  world.clock.moveTo(new Date("2026-03-01T12:00:00Z"));
});
afterAll(() => world.close());

const get = async ({ client }: Tenant, scheduleId: string) =>
  requireValue(await client.getSchedule({ params: { scheduleId } }), "get");

function change({ client }: Tenant, scheduleId: string, body: Partial<ScheduleBody>, ifMatch?: string) {
  const headers = ifMatch === undefined ? undefined : { "if-match": ifMatch };
  return client.changeSchedule({ params: { scheduleId }, body: { ...everyMorning, ...body }, headers });
}

test("a created schedule is returned completely, with its next time in the zone's local time and its version as ETag", async () => {
  const tenant = world.createTenant();
  const testCircleId = await createCircle(tenant, "Shop");
  const created = await tenant.client.createSchedule({
    params: { testCircleId },
    body: { ...everyMorning, name: "x" },
  });
  expect(created.ok && created.response.headers.get("etag")).toBe('"1"');
  const schedule = requireValue(created, "create");
  expect(schedule).toMatchObject({
    ...everyMorning,
    testCircleId,
    testCircleName: "Shop",
    name: "x",
    enabled: true,
    overlap: "skip",
    catchUp: "latest",
    spread: false,
    spreadSeconds: 0,
    version: 1,
    next: { at: "2026-03-02T06:00:00.000Z", local: "2026-03-02T07:00:00+01:00" },
  });
  expect(await get(tenant, schedule.id)).toEqual(schedule);
});

test("one key creates one schedule", async () => {
  const tenant = world.createTenant();
  const params = { testCircleId: await createCircle(tenant) };
  const create = (name: string) =>
    tenant.client.createSchedule({ params, body: { ...everyMorning, name }, headers: { "idempotency-key": "form" } });
  const ids = [await create("a"), await create("a")].map((response) => requireValue(response, "create").id);
  expect(ids[0]).toBe(ids[1]);
  expect((await create("b")).status).toBe(409);
});

test("pausing removes the next time; resuming counts from then on and does not catch up", async () => {
  const tenant = world.createTenant();
  const { id } = await createSchedule(tenant, await createCircle(tenant));
  expect(requireValue(await change(tenant, id, { enabled: false }), "pause")).toMatchObject({
    next: null,
    version: 2,
  });
  world.clock.moveTo(new Date("2026-03-05T12:00:00Z"));
  const resumed = requireValue(await change(tenant, id, { enabled: true }), "resume");
  expect(resumed.next?.at).toBe("2026-03-06T06:00:00.000Z");
});

test("a due time is preserved when only the name changes, and recomputed when times change", async () => {
  const tenant = world.createTenant();
  const { id } = await createSchedule(tenant, await createCircle(tenant));
  world.clock.moveTo(new Date("2026-03-02T06:00:01Z"));
  expect(requireValue(await change(tenant, id, { name: "b" }), "rename").next?.at).toBe("2026-03-02T06:00:00.000Z");
  const later = requireValue(await change(tenant, id, { cron: "5 7 * * *" }), "change");
  expect(later.next?.at).toBe("2026-03-02T06:05:00.000Z");
});

test("J13: before a change or deletion is stored, versions so far are fenced; if they can't be, nothing changes", async () => {
  const tenant = world.createTenant();
  const testCircleId = await createCircle(tenant);
  const { id } = await createSchedule(tenant, testCircleId);
  requireValue(await change(tenant, id, { enabled: false }), "pause");
  expect(world.fences.get(id)).toBe(2);
  world.silenceExecutioner();
  expect((await change(tenant, id, {})).status).toBe(503);
  expect((await tenant.client.deleteSchedule({ params: { scheduleId: id } })).status).toBe(503);
  expect((await tenant.client.deleteCircle({ params: { testCircleId } })).status).toBe(503);
  expect(await get(tenant, id)).toMatchObject({ enabled: false, version: 2 });
  world.silenceExecutioner(false);
  requireValue(await tenant.client.deleteSchedule({ params: { scheduleId: id } }), "delete");
  expect(world.fences.get(id)).toBe(3);
});

test("J13: deleting a circle deletes its schedules, all of them fenced", async () => {
  const tenant = world.createTenant();
  const testCircleId = await createCircle(tenant);
  const ids = [await createSchedule(tenant, testCircleId), await createSchedule(tenant, testCircleId)].map((s) => s.id);
  requireValue(await change(tenant, ids[0]!, {}), "change");
  requireValue(await tenant.client.deleteCircle({ params: { testCircleId } }), "delete");
  expect(ids.map((id) => world.fences.get(id))).toEqual([3, 2]);
  expect((await tenant.client.getSchedule({ params: { scheduleId: ids[0]! } })).status).toBe(404);
  expect((await tenant.client.createSchedule({ params: { testCircleId }, body: everyMorning })).status).toBe(404);
});

test("concurrent changes are all made, one after the other; one on a stale version is refused", async () => {
  const tenant = world.createTenant();
  const { id } = await createSchedule(tenant, await createCircle(tenant));
  const responses = await Promise.all(["a", "b", "c"].map((name) => change(tenant, id, { name })));
  expect(responses.map((response) => response.status)).toEqual([200, 200, 200]);
  expect(await get(tenant, id)).toMatchObject({ version: 4 });
  expect(await change(tenant, id, {}, '"3"')).toMatchObject({ status: 412, problem: { code: "stale_version" } });
  const stale = await tenant.client.deleteSchedule({ params: { scheduleId: id }, headers: { "if-match": '"3"' } });
  expect(stale.status).toBe(412);
  expect((await change(tenant, id, {}, '"4"')).status).toBe(200);
});

test("an interval shorter than the plan allows is refused with the limit, on creating and on changing", async () => {
  const tenant = world.createTenant();
  const testCircleId = await createCircle(tenant);
  const { id } = await createSchedule(tenant, testCircleId);
  const limits = { shortestIntervalSeconds: 3_600, apis: 1, tests: 1, executionsPerMonth: 1, members: 1 };
  await world.choosePlan({ name: "Free", limits: { ...limits, retentionDays: 1 } });
  const refused = { status: 402, problem: { code: "plan_limit_reached", limit: 3_600, used: 300 } };
  const body = { everySeconds: 300, timeZone: "Europe/Berlin" };
  const created = await tenant.client.createSchedule({ params: { testCircleId }, body });
  expect(created).toMatchObject(refused);
  expect(!created.ok && created.problem.detail).toBe(
    "The Free plan starts a schedule every hour at most, and this one would start every 5 minutes.",
  );
  expect(await tenant.client.changeSchedule({ params: { scheduleId: id }, body })).toMatchObject(refused);
  expect((await change(tenant, id, { cron: "*/5 7 * * *" })).status).toBe(402);
  expect((await change(tenant, id, { cron: "0 * * * *" })).status).toBe(200);
});

test("another organization's circle and schedule look absent to every call", async () => {
  const owner = world.createTenant();
  const testCircleId = await createCircle(owner);
  const { id } = await createSchedule(owner, testCircleId);
  const other = world.createTenant();
  for (const scheduleId of [id, uuidv7()]) {
    const responses = [
      await other.client.getSchedule({ params: { scheduleId } }),
      await change(other, scheduleId, {}),
      await other.client.deleteSchedule({ params: { scheduleId } }),
    ];
    for (const response of responses) expect(response).toMatchObject({ problem: { detail: "No such schedule." } });
  }
  expect((await other.client.createSchedule({ params: { testCircleId }, body: everyMorning })).status).toBe(404);
  expect((await other.client.listSchedulesOfCircle({ params: { testCircleId }, query: {} })).status).toBe(404);
  expect(await other.client.listSchedules({ query: { testCircleId } })).toMatchObject({ status: 404 });
  const summaries = await other.client.summarizeSchedules({ query: { testCircleIds: testCircleId } });
  expect(summaries).toMatchObject({ value: { items: [] } });
  expect(world.fences.has(id)).toBe(false);
});

test("of each API, the next time of any of its circles is known; paused schedules and other organizations' are not", async () => {
  const tenant = world.createTenant();
  const [shop, bank] = [await createCircle(tenant, "Shop"), await createCircle(tenant, "Bank")];
  const list = async (client = tenant.client) =>
    requireValue(await client.summarizeSchedulesOfApis({ query: { apiIds: `${tenant.apiId},${uuidv7()}` } }), "list")
      .items;
  await createSchedule(tenant, shop, { enabled: false, cron: "0 13 * * *" });
  expect(await list()).toEqual([]);
  await createSchedule(tenant, shop, { cron: "0 20 * * *" });
  const soon = await createSchedule(tenant, bank, { cron: "0 14 * * *" });
  expect(await list()).toEqual([
    {
      ...{ apiId: tenant.apiId, schedules: 2 },
      next: { ...soon.next, scheduleId: soon.id, testCircleId: bank, timeZone: soon.timeZone },
    },
  ]);
  expect(await list(world.createTenant().client)).toEqual([]);
});

test("lists have the next to run first and paused ones last, page by page, by circle, API and words", async () => {
  const tenant = world.createTenant();
  const [shop, bank] = [await createCircle(tenant, "Shop"), await createCircle(tenant, "Bank")];
  const late = await createSchedule(tenant, shop, { cron: "0 20 * * *" });
  const paused = await createSchedule(tenant, shop, { enabled: false, name: "Nightly" });
  const soon = await createSchedule(tenant, bank, { cron: "0 14 * * *" });
  const list = async (query: object) =>
    requireValue(await tenant.client.listSchedules({ query }), "list").items.map(({ id }) => id);
  expect(await list({})).toEqual([soon.id, late.id, paused.id]);
  expect(await list({ testCircleId: shop })).toEqual([late.id, paused.id]);
  expect(await list({ apiId: tenant.apiId, enabled: "true" })).toEqual([soon.id, late.id]);
  expect(await tenant.client.listSchedules({ query: { apiId: uuidv7() } })).toMatchObject({ status: 404 });
  expect(await list({ query: "night" })).toEqual([paused.id]);
  expect(await list({ query: "BANK" })).toEqual([soon.id]);
  const pages: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = requireValue(await tenant.client.listSchedules({ query: { limit: 1, cursor } }), "page");
    pages.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(pages).toEqual([soon.id, late.id, paused.id]);
  expect((await tenant.client.listSchedules({ query: { cursor: "bm9uc2Vuc2U" } })).status).toBe(400);
  const ofShop = await tenant.client.listSchedulesOfCircle({ params: { testCircleId: shop }, query: {} });
  expect(requireValue(ofShop, "list").items.map(({ id }) => id)).toEqual([late.id, paused.id]);
  const ids = `${shop},${bank},${uuidv7()}`;
  const summaries = requireValue(
    await tenant.client.summarizeSchedules({ query: { testCircleIds: ids } }),
    "summarize",
  );
  expect(summaries.items).toHaveLength(2);
  expect(summaries.items).toEqual(
    expect.arrayContaining([
      {
        testCircleId: shop,
        schedules: 2,
        paused: 1,
        next: { timeZone: "Europe/Berlin", scheduleId: late.id, ...late.next },
      },
      {
        testCircleId: bank,
        schedules: 1,
        paused: 0,
        next: { timeZone: "Europe/Berlin", scheduleId: soon.id, ...soon.next },
      },
    ]),
  );
});

test("schedules are counted by their shortest interval, without paused ones and other organizations", async () => {
  const tenant = world.createTenant();
  const testCircleId = await createCircle(tenant);
  for (const cron of ["*/5 * * * *", "0,5 * * * *", "0 7 * * 1-5"])
    await createSchedule(tenant, testCircleId, { cron });
  await createSchedule(tenant, testCircleId, { cron: undefined, everySeconds: 86_400 });
  await createSchedule(tenant, testCircleId, { cron: "* * * * *", enabled: false });
  const count = async ({ client }: Tenant) => requireValue(await client.countScheduleIntervals(), "count").items;
  expect(await count(tenant)).toEqual([
    { seconds: 300, schedules: 2 },
    { seconds: 86_400, schedules: 2 },
  ]);
  expect(await count(world.createTenant())).toEqual([]);
});

test("a week lists when each schedule will run, without the past, with maintenance named", async () => {
  const tenant = world.createTenant();
  const testCircleId = await createCircle(tenant);
  const morning = await createSchedule(tenant, testCircleId);
  const often = await createSchedule(tenant, testCircleId, { cron: "*/5 * * * *" });
  await createSchedule(tenant, testCircleId, { enabled: false });
  const times = { kind: "once" as const, from: "2026-03-03T00:00:00Z", to: "2026-03-04T00:00:00Z" };
  const window = { name: "Move", apiId: tenant.apiId, times };
  requireValue(await tenant.client.createMaintenanceWindow({ body: window }), "create a window");
  const query = { from: "2026-02-23T00:00:00Z", to: "2026-03-09T00:00:00Z", timeZone: "Europe/Berlin" };
  const { items } = requireValue(await tenant.client.listScheduledTimes({ query }), "list");
  expect(items.map(({ schedule }) => schedule.id)).toEqual([often.id, morning.id]);
  // Its days are those of the requested zone: 1 March ends at 23:00 in UTC.
  expect(items[0]?.days.slice(0, 4)).toMatchObject([
    { day: "2026-03-01", times: 131, skipped: 0, first: { at: "2026-03-01T12:05:00.000Z" }, items: null },
    { day: "2026-03-02", times: 288, skipped: 0, last: { local: "2026-03-02T23:55:00+01:00" } },
    { day: "2026-03-03", times: 288, skipped: 276 },
    { day: "2026-03-04", times: 288, skipped: 12 },
  ]);
  expect(items[1]?.days.map(({ day, skipped, items }) => [day, skipped, items![0]!.maintenanceWindow])).toEqual([
    ["2026-03-02", 0, undefined],
    ["2026-03-03", 1, "Move"],
    ["2026-03-04", 0, undefined],
    ["2026-03-05", 0, undefined],
    ["2026-03-06", 0, undefined],
  ]);
  const some = await tenant.client.listScheduledTimes({ query: { ...query, scheduleIds: morning.id } });
  expect(requireValue(some, "list").items.map(({ schedule }) => schedule.id)).toEqual([morning.id]);
  for (const to of [query.from, "2026-04-09T00:00:00Z"]) {
    expect((await tenant.client.listScheduledTimes({ query: { ...query, to } })).status).toBe(400);
  }
  // A window that alternates all the time is only checked where times are few.
  const onAndOff = { kind: "repeating" as const, cron: "*/2 * * * *", timeZone: "UTC", durationMinutes: 1 };
  const flicker = { name: "Flicker", testCircleId, times: onAndOff };
  requireValue(await tenant.client.createMaintenanceWindow({ body: flicker }), "create a window");
  const flickering = requireValue(await tenant.client.listScheduledTimes({ query }), "list").items;
  expect(flickering[0]?.days[0]).toMatchObject({ times: 131, skipped: null });
  expect(flickering[1]?.days[0]?.items).toMatchObject([{ maintenanceWindow: "Flicker" }]);
  const nowhere = { ...query, timeZone: "Europe/Atlantis" };
  expect((await tenant.client.listScheduledTimes({ query: nowhere })).status).toBe(400);
});
