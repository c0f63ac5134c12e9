import { sql, type Transaction } from "kysely";
import { cancelQueued, lockRun, settleEndings } from "./endings.ts";
import { findExecution } from "./executions.ts";
import type { TellFinished } from "./finished-runs.ts";
import { type ExecutionRow, type ExecutionTables, table } from "./tables.ts";

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
  const isIt = sql`id = ${executionId}::uuid and organization_id = ${organizationId}::uuid`;
  const endings = await cancelQueued(db, isIt, now);
  if (endings.length === 0) return undefined;
  await settleEndings(db, endings, tellFinished);
  return await findExecution(db, organizationId, executionId);
}

/** Cancels all members that have not started. Tear-down is one of them only where nothing has begun that it would undo. */
export async function cancelRun(
  db: Transaction<ExecutionTables>,
  organizationId: string,
  runId: string,
  now: Date,
  tellFinished: TellFinished,
): Promise<void> {
  await lockRun(db, runId);
  const isOurs = sql`run_id = ${runId}::uuid and organization_id = ${organizationId}::uuid`;
  const endings = await cancelQueued(db, sql`${isOurs} and phase <> 'tearDown'`, now);
  if (endings.length === 0) return;
  // What is left of the others is being started by a worker that has not said so yet.
  const hasBegun = sql`(
    exists (select from ${table("runs")} where id = ${runId}::uuid and started_at is not null)
    or exists (select from ${table("unfinished_executions")} where ${isOurs} and phase <> 'tearDown'))`;
  endings.push(...(await cancelQueued(db, sql`${isOurs} and phase = 'tearDown' and not ${hasBegun}`, now)));
  // Before they are counted: the last of them may end the run.
  await sql`update ${table("runs")} set is_cancelled = true
    where id = ${runId}::uuid and organization_id = ${organizationId}::uuid`.execute(db);
  await settleEndings(db, endings, tellFinished);
}
