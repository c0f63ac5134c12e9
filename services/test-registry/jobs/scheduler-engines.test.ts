import { afterAll, expect, test } from "vitest";
import { bothEngines } from "../../kit/testing/databases.ts";
import { respondJson, startTarget } from "../../test-executioner/testing/target.ts";
import { createScheduledWorld } from "../testing/scheduled-world.ts";

for (const engine of bothEngines()) {
  test(`${engine.name}: a due time starts its circle, one due during the run waits, and both runs end`, async () => {
    const target = await startTarget(respondJson({}));
    const held = target.hold();
    const database = await engine.open();
    const scheduled = await createScheduledWorld(database, { work: true, schedule: true, withAnalyzer: true });
    afterAll(async () => {
      await scheduled.world.stop();
      await database.close();
      await target.close();
    });
    const tenant = await scheduled.world.createTenant(target.baseUrl);
    await scheduled.createSchedule(tenant, { everySeconds: 30, overlap: "queue" });
    const outcomes = async () =>
      (await scheduled.listOccurrences(tenant)).map(({ scheduledFor, state, run }) => [
        scheduledFor.slice(11, 19),
        state,
        run?.verdict,
      ]);
    scheduled.moveTo("2026-06-01T07:00:00Z");
    await expect.poll(outcomes).toEqual([["07:00:00", "started", null]]);
    scheduled.moveTo("2026-06-01T07:00:30Z");
    const waiting = ["07:00:30", "waiting", undefined];
    await expect.poll(outcomes).toEqual([["07:00:00", "started", null], waiting]);
    held.letGo();
    await expect.poll(outcomes).toEqual([
      ["07:00:00", "started", "passed"],
      ["07:00:30", "started", "passed"],
    ]);
    expect(target.requests).toHaveLength(2);
  });
}
