import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createCircle, createSchedule, everyMorning } from "../testing/scheduled-circle.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

const [engine] = testEngines();
let world: Awaited<ReturnType<typeof createTestRegistryWorld>>;
beforeAll(async () => {
  world = await createTestRegistryWorld(engine);
});
afterAll(() => world.close());

test("a spread schedule always starts the same number of seconds late, within its step", async () => {
  const tenant = world.createTenant();
  const schedule = await createSchedule(tenant, await createCircle(tenant), { spread: true });
  expect(schedule.spreadSeconds).toBeGreaterThanOrEqual(0);
  expect(schedule.spreadSeconds).toBeLessThan(3_600);
  const seconds = (Date.parse(schedule.next!.at) - Date.parse("2026-03-02T06:00:00Z")) / 1_000;
  expect(seconds).toBe(schedule.spreadSeconds);
  const changed = requireValue(
    await tenant.client.changeSchedule({
      params: { scheduleId: schedule.id },
      body: { ...everyMorning, spread: true, name: "b" },
    }),
    "change",
  );
  expect(changed.spreadSeconds).toBe(schedule.spreadSeconds);
  const preview = { ...everyMorning, spread: true, scheduleId: schedule.id };
  expect(await tenant.client.previewSchedule({ body: preview })).toMatchObject({
    value: { items: expect.arrayContaining([{ at: schedule.next!.at, local: schedule.next!.local }]) },
  });
});

test("a spread schedule at the end of its active hours is saved, with any spread, and starts as previewed", async () => {
  const tenant = world.createTenant();
  const testCircleId = await createCircle(tenant);
  const body = { ...everyMorning, cron: "30 17 * * 1-5", activeHours: { from: "08:00", to: "18:00" }, spread: true };
  for (let created = 0; created < 12; created += 1) {
    const { id, spreadSeconds, next } = await createSchedule(tenant, testCircleId, body);
    expect(Date.parse(next!.at) - Date.parse("2026-03-02T16:30:00Z")).toBe(spreadSeconds * 1_000);
    const preview = requireValue(await tenant.client.previewSchedule({ body: { ...body, scheduleId: id } }), "preview");
    expect(preview.items[0]).toEqual(next);
    expect(
      requireValue(
        await tenant.client.changeSchedule({ params: { scheduleId: id }, body: { ...body, name: "b" } }),
        "change",
      ).next,
    ).toEqual(next);
  }
});
