import type { SharedClock } from "../../kit/database/shared-clock.ts";
import { type Family, gauge } from "../../kit/metrics/metrics.ts";
import { readDueFigures } from "../store/due-schedules.ts";
import type { TestDatabase } from "../store/tables.ts";

/** Shows whether schedulers keep up. */
export async function readScheduleMetrics(db: TestDatabase, readTime: SharedClock): Promise<Family[]> {
  const { due, oldestSeconds } = await readDueFigures(db, await readTime());
  return [
    gauge("schedules_due", "Due schedules that no scheduler has handled.", due),
    gauge("schedules_oldest_due_seconds", "How long the longest of them has been due.", oldestSeconds),
  ];
}
