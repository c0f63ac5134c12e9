import type { Logger } from "pino";
import { auditRetentionDays } from "../../kit/audit/audit-retention.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { deleteDeliveriesBefore } from "../store/alert-deliveries.ts";
import { deleteIncidentsBefore } from "../store/incidents.ts";
import { deleteMarksBefore } from "../store/marks.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";
import { forgetWellTests } from "../store/watched-tests.ts";

const dayMilliseconds = 86_400_000;
/** Small steps, so that what else is written waits for none of them. */
const rowsOfStep = 500;

type DeleteStep = (db: AnalyzerDatabase, of: { before: Date; limit: number }) => Promise<number>;

/** How long each is kept: deliveries while a receiver may ask for them again, incidents for a year's comparison. */
const kept: readonly [days: number, step: DeleteStep][] = [
  [90, deleteDeliveriesBefore],
  // Of a test that is not watched the last hour is judged: nothing is told again.
  [90, forgetWellTests],
  [396, deleteIncidentsBefore],
  [auditRetentionDays, deleteMarksBefore],
];

/** Deletes what is too old. */
export async function retain(
  { db, clock, limit = rowsOfStep }: { db: AnalyzerDatabase; clock: Clock; limit?: number },
  stopping: AbortSignal,
): Promise<void> {
  for (const [days, step] of kept) {
    const before = new Date(clock.now().getTime() - days * dayMilliseconds);
    while (!stopping.aborted && (await step(db, { before, limit })) === limit);
  }
}

/** Looks at the start and once a day. @returns ends it, after the step that is running */
export function startRetention(parts: { db: AnalyzerDatabase; clock: Clock; log: Logger }): () => Promise<void> {
  return startPeriodicJob({
    intervalMilliseconds: dayMilliseconds,
    immediately: true,
    work: (stopping) => retain(parts, stopping),
    failure: "what is too old could not be deleted",
    log: parts.log,
  });
}
