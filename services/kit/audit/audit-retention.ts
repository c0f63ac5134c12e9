import type { Logger } from "pino";
import type { Clock } from "../clock/clock.ts";
import { startPeriodicJob } from "../clock/periodic-job.ts";
import type { Database } from "../database/database.ts";
import { type AuditTables, deleteAuditRecordsBefore } from "./audit-table.ts";

/** Independent of the plan: audit questions come up long after results have been deleted, but not indefinitely. */
export const auditRetentionDays = 730;
const dayMilliseconds = 86_400_000;
const retentionIntervalMilliseconds = 6 * 3_600_000;
const rowsPerStep = 500;

interface AuditRetentionParts {
  database: Database;
  /** Schema of the service that owns the records. */
  schema: string;
  clock: Clock;
  log: Logger;
}

/** Deletes expired records in small transactions. */
export async function retainAuditRecords(
  { database, schema, clock }: Omit<AuditRetentionParts, "log">,
  stopping: AbortSignal,
): Promise<void> {
  const db = database.inSchema<AuditTables>(schema);
  const before = new Date(clock.now().getTime() - auditRetentionDays * dayMilliseconds);
  while (!stopping.aborted && (await deleteAuditRecordsBefore(db, { before, limit: rowsPerStep })) === rowsPerStep);
}

/** Runs at the start and four times a day. @returns a function that stops it after the current step */
export function startAuditRetention({ log, ...parts }: AuditRetentionParts): () => Promise<void> {
  return startPeriodicJob({
    intervalMilliseconds: retentionIntervalMilliseconds,
    immediately: true,
    work: (stopping) => retainAuditRecords(parts, stopping),
    failure: "expired audit records could not be deleted",
    log,
  });
}
