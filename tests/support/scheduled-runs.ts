import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Run } from "#contracts/test-executioner/runs.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import type { PortalBackend } from "./portal-backend.ts";

/**
 * Lets the scheduler start a circle and waits until the run has ended: the last occurrence of a schedule for working days
 * at 07:00 becomes a missed one, and is caught up. Manual runs send no alerts.
 */
export async function runBySchedule(backend: PortalBackend, databaseUrl: string, testCircleId: string): Promise<Run> {
  const created = await backend.testRegistry.createSchedule({
    params: { testCircleId },
    body: { cron: "0 7 * * 1-5", timeZone: "Europe/Berlin" },
  });
  const { id: scheduleId } = requireValue(created, "creating a schedule");
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("update test_registry.schedules set next_at = next_at - interval '7 days' where id = $1", [
    scheduleId,
  ]);
  await client.end();
  for (;;) {
    const listed = await backend.testExecutioner.listOccurrences({ query: { scheduleId, state: "started" } });
    const run = requireValue(listed, "occurrences").items[0]?.run;
    if (run?.state === "finished") {
      requireValue(await backend.testRegistry.deleteSchedule({ params: { scheduleId } }), "deleting the schedule");
      const found = await backend.testExecutioner.getRun({ params: { runId: run.id }, query: {} });
      return requireValue(found, "reading the run");
    }
    await pause(20);
  }
}
