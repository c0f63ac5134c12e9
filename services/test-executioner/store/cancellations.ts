import { sql, type Transaction } from "kysely";
import { endQueued, lockRun, settleEndings } from "./endings.ts";
import { findExecution } from "./executions.ts";
import type { TellFinished } from "./finished-runs.ts";
import { type ExecutionRow, type ExecutionTables, table } from "./tables.ts";

const cancelled = (now: Date) => ({ state: "cancelled" as const, verdict: null, cause: null, now });

/** Cancels what has not started; answers the row as it is then, or undefined when it had started or is not there. */
export async function cancelExecution(
  db: Transaction<ExecutionTables>,
  organizationId: string,
  executionId: string,
  now: Date,
  tellFinished: TellFinished,
): Promise<ExecutionRow | undefined> {
  const row = await findExecution(db, organizationId, executionId);
  if (row?.state !== "queued") return undefined;
  await lockRun(db, row.run_id);
  const endings = await endQueued(
    db,
    sql`id = ${executionId}::uuid and organization_id = ${organizationId}::uuid`,
    cancelled(now),
  );
  if (endings.length === 0) return undefined;
  await settleEndings(db, endings, tellFinished);
  return await findExecution(db, organizationId, executionId);
}

/** Cancels all members that have not started. */
export async function cancelRun(
  db: Transaction<ExecutionTables>,
  organizationId: string,
  runId: string,
  now: Date,
  tellFinished: TellFinished,
): Promise<void> {
  await lockRun(db, runId);
  const endings = await endQueued(
    db,
    sql`run_id = ${runId}::uuid and organization_id = ${organizationId}::uuid`,
    cancelled(now),
  );
  if (endings.length === 0) return;
  // Before they are counted: the last of them may end the run.
  await sql`update ${table("runs")} set is_cancelled = true
    where id = ${runId}::uuid and organization_id = ${organizationId}::uuid`.execute(db);
  await settleEndings(db, endings, tellFinished);
}
