import type { Logger } from "pino";
import type { Clock } from "../clock/clock.ts";
import { startPeriodicJob } from "../clock/periodic-job.ts";
import type { Database } from "../database/database.ts";
import { type AuditTables, deleteAuditRecordsBefore } from "./audit-table.ts";

/** Whatever a plan says: who did what is asked about long after the results have gone, and not for ever. */
export const auditRecordsKeptDays = 730;
const dayMilliseconds = 86_400_000;
const everyMilliseconds = 6 * 3_600_000;
const rowsOfStep = 500;

interface AuditRetentionParts {
  database: Database;
  /** Of the service whose records they are. */
  schema: string;
  clock: Clock;
  log: Logger;
}

/** Deletes records that are too old, in small transactions. */
export async function retainAuditRecords(
  { database, schema, clock }: Omit<AuditRetentionParts, "log">,
  stopping: AbortSignal,
): Promise<void> {
  const db = database.inSchema<AuditTables>(schema);
  const before = new Date(clock.now().getTime() - auditRecordsKeptDays * dayMilliseconds);
  while (!stopping.aborted && (await deleteAuditRecordsBefore(db, { before, limit: rowsOfStep })) === rowsOfStep);
}

/** Looks at the start and four times a day. @returns ends it, after the step that is running */
export function startAuditRetention({ log, ...parts }: AuditRetentionParts): () => Promise<void> {
  return startPeriodicJob({
    everyMilliseconds,
    atOnce: true,
    work: (stopping) => retainAuditRecords(parts, stopping),
    failure: "audit records that are too old could not be deleted",
    log,
  });
}
