import type { Logger } from "pino";
import { auditRetentionDays } from "../../kit/audit/audit-retention.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { deleteDeliveriesBefore } from "../store/alert-deliveries.ts";
import { deleteIncidentsBefore } from "../store/incidents.ts";
import { deleteMarksBefore } from "../store/marks.ts";
import { deleteUnconfirmedBefore } from "../store/status-subscribers.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";
import { forgetWellTests } from "../store/watched-tests.ts";

const dayMilliseconds = 86_400_000;
/** Small steps, so that other writes are not blocked. */
const rowsOfStep = 500;

type DeleteStep = (db: AnalyzerDatabase, of: { before: Date; limit: number }) => Promise<number>;

/** Retention: deliveries while a receiver may request them again, incidents for a year's comparison. */
const stored: readonly [days: number, step: DeleteStep][] = [
  [90, deleteDeliveriesBefore],
  // The last hour of an unwatched test is judged, so nothing is reported again.
  [90, forgetWellTests],
  [396, deleteIncidentsBefore],
  [auditRetentionDays, deleteMarksBefore],
  // Their links have ended.
  [0, deleteUnconfirmedBefore],
];

/** Deletes expired rows. */
export async function retain(
  { db, clock, limit = rowsOfStep }: { db: AnalyzerDatabase; clock: Clock; limit?: number },
  stopping: AbortSignal,
): Promise<void> {
  for (const [days, step] of stored) {
    const before = new Date(clock.now().getTime() - days * dayMilliseconds);
    while (!stopping.aborted && (await step(db, { before, limit })) === limit);
  }
}

/**
 * Runs at the start and once a day.
 * @returns stops it, after the current step
 */
export function startRetention(parts: { db: AnalyzerDatabase; clock: Clock; log: Logger }): () => Promise<void> {
  return startPeriodicJob({
    intervalMilliseconds: dayMilliseconds,
    immediately: true,
    work: (stopping) => retain(parts, stopping),
    failure: "what is too old could not be deleted",
    log: parts.log,
  });
}
