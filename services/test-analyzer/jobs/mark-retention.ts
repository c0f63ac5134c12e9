import type { Logger } from "pino";
import { auditRecordsKeptDays } from "../../kit/audit/audit-retention.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { deleteMarksBefore } from "../store/marks.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";

const dayMilliseconds = 86_400_000;
const rowsOfStep = 500;

/** Deletes marks as old as the records of changes that are deleted, in small steps. */
export async function retainMarks(
  { db, clock }: { db: AnalyzerDatabase; clock: Clock },
  stopping: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now().getTime() - auditRecordsKeptDays * dayMilliseconds);
  while (!stopping.aborted && (await deleteMarksBefore(db, { before, limit: rowsOfStep })) === rowsOfStep);
}

/** Looks once a day. @returns ends it, after the step that is running */
export function startMarkRetention(parts: { db: AnalyzerDatabase; clock: Clock; log: Logger }): () => Promise<void> {
  return startPeriodicJob({
    everyMilliseconds: dayMilliseconds,
    work: (stopping) => retainMarks(parts, stopping),
    failure: "marks that are too old could not be deleted",
    log: parts.log,
  });
}
