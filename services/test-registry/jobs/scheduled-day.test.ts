import { afterAll, expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { fillScheduledDay, listTicks, readDayFigures } from "../testing/scheduled-day.ts";
import { createScheduledWorld } from "../testing/scheduled-world.ts";

/** In these Europe's clocks are set back. */
const hours = 4;

test("two schedulers record each time of 2,000 schedules in eleven zones once, when clocks change, too", async () => {
  const [engine] = testEngines();
  const database = await engine.open();
  const scheduled = await createScheduledWorld(database);
  afterAll(async () => {
    await scheduled.world.stop();
    await database.close();
  });
  await fillScheduledDay(scheduled.world, database.kysely, {
    ...{ schedules: 2_000, recurrences: 1_500 },
    ...{ organizations: 4, starting: 2 },
  });
  const takers = [scheduled.createTaker(), scheduled.createTaker()];
  for (const tick of listTicks(hours)) {
    scheduled.moveTo(tick);
    await Promise.all(takers.map((take) => take()));
  }
  const { expected, ...figures } = await readDayFigures(database.kysely, hours);
  expect(expected).toBeGreaterThan(250);
  const { started, skipped, runs } = figures;
  expect(figures).toMatchObject({ recorded: expected, missing: 0, unexpected: 0 });
  expect(started + skipped).toBe(expected);
  expect(started).toBeGreaterThan(50);
  expect(runs).toBe(started);
});
