import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
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

test("outcomes of a schedule's times are counted by the days of a time zone", async () => {
  const { tenant, circle } = await world.createTenant();
  const item = occurring(tenant, circle, "2026-06-01T21:30:00.000Z");
  const missed = ["2026-06-01T22:30:00.000Z", "2026-06-01T23:30:00.000Z"];
  await scheduler.record(item);
  const skipped = { scheduledFor: "2026-06-02T07:00:00.000Z", isLate: false, skipReason: "Moving." };
  const missedBefore = { since: "2026-05-31T07:00:00.000Z", times: 40 };
  await scheduler.record({ ...item, start: skipped, missed, missedBefore });
  const query = { scheduleIds: item.scheduleId, from: "2026-05-31T00:00:00Z", to: "2026-06-07T00:00:00Z" };
  const count = (requested: object, { client }: Tenant = tenant) =>
    client.countOccurrences({ query: { ...query, ...requested } });
  const none = { started: 0, waiting: 0, skipped: 0, missed: 0, failed: 0, runs: [] };
  const { scheduleId } = item;
  expect(requireValue(await count({ timeZone: "Europe/Berlin" }), "count").items).toEqual([
    { ...none, scheduleId, day: "2026-05-31", missed: 40 },
    { ...none, scheduleId, day: "2026-06-01", started: 1 },
    { ...none, scheduleId, day: "2026-06-02", missed: 2, skipped: 1 },
  ]);
  expect(requireValue(await count({ from: "2026-06-01T22:00:00Z" }), "count").items).toEqual([
    { ...none, scheduleId, day: "2026-06-01", missed: 2 },
    { ...none, scheduleId, day: "2026-06-02", skipped: 1 },
  ]);
  const { tenant: other } = await world.createTenant();
  expect(requireValue(await count({}, other), "count").items).toEqual([]);
  for (const wrong of [{ to: query.from }, { to: "2026-08-01T00:00:00Z" }, { timeZone: "Mars/Olympus" }]) {
    expect((await count(wrong)).status).toBe(400);
  }
});

test("of a day's runs, failed ones come before the latest, each with its verdict, in order of time", async () => {
  const { tenant, circle } = await world.createTenant();
  const item = occurring(tenant, circle, seven);
  const { scheduleId } = item;
  const recordAt = async (scheduledFor: string) => {
    await scheduler.record({ ...item, start: { scheduledFor, isLate: false } });
    await expect
      .poll(() => listOccurrences(tenant, { scheduleId, from: scheduledFor, limit: 1 }))
      .toMatchObject([{ scheduledFor, run: { verdict: "passed" } }]);
  };
  const ten = "2026-06-01T10:00:00.000Z";
  const nextDay = "2026-06-02T07:00:00.000Z";
  for (const scheduledFor of [seven, eight, nine, ten, nextDay]) await recordAt(scheduledFor);
  const skipped = { scheduledFor: "2026-06-01T11:00:00.000Z", isLate: false, skipReason: "Moving." };
  await scheduler.record({ ...item, start: skipped });
  const runIds = new Map((await listOccurrences(tenant)).map(({ scheduledFor, run }) => [scheduledFor, run?.id]));
  await world.database
    .inSchema<ExecutionTables>(schemaName)
    .updateTable("runs")
    .set({ verdict: "failed" })
    .where("id", "=", runIds.get(seven)!)
    .execute();
  const query = { scheduleIds: scheduleId, from: "2026-06-01T00:00:00Z", to: "2026-06-08T00:00:00Z" };
  const read = async (runs?: number, { client }: Tenant = tenant) =>
    requireValue(await client.countOccurrences({ query: { ...query, runs } }), "count").items.map(({ day, ...of }) => ({
      ...{ day, started: of.started },
      runs: of.runs.map(({ id, scheduledFor, verdict }) => [id === runIds.get(scheduledFor), scheduledFor, verdict]),
    }));
  const second = { day: "2026-06-02", started: 1, runs: [[true, nextDay, "passed"]] };
  const [failed, ...passed] = [[true, seven, "failed"], ...[eight, nine, ten].map((at) => [true, at, "passed"])];
  expect(await read(2)).toEqual([{ day: "2026-06-01", started: 4, runs: [failed, passed[2]] }, second]);
  expect(await read(10)).toEqual([{ day: "2026-06-01", started: 4, runs: [failed, ...passed] }, second]);
  expect((await read()).map(({ runs }) => runs)).toEqual([[], []]);
  const { tenant: other } = await world.createTenant();
  expect(await read(2, other)).toEqual([]);
});
