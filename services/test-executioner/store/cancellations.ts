import { sql, type Transaction } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { notifyChanges } from "./changes.ts";
import type { ClaimedExecution } from "./claims.ts";
import { cancelQueued, lockDependentRuns, lockRun, settleEndings } from "./endings.ts";
import { findExecution } from "./executions.ts";
import type { PublishFinished } from "./finished-runs.ts";
import { type ExecutionRow, type ExecutionTables, table } from "./tables.ts";

/**
 * Cancels an execution that has not started; returns the resulting row, or undefined when it had started or is missing.
 */
export async function cancelExecution(
  db: Transaction<ExecutionTables>,
  organizationId: string,
  executionId: string,
  now: Date,
  publishFinished: PublishFinished,
): Promise<ExecutionRow | undefined> {
  const row = await findExecution(db, organizationId, executionId);
  if (row?.state !== "queued") return undefined;
  const locked = await lockRun(db, row.run_id);
  const isIt = sql`id = ${executionId}::uuid and organization_id = ${organizationId}::uuid`;
  const endings = await cancelQueued(db, isIt, now);
  if (endings.length === 0) return undefined;
  await settleWholly(db, endings, locked, publishFinished);
  return await findExecution(db, organizationId, executionId);
}

/**
 * Cancels all members that have not started; those leased by a worker run to their end. Tear-down is cancelled only if
 * no member has begun that it would clean up after.
 */
export async function cancelRun(
  db: Transaction<ExecutionTables>,
  organizationId: string,
  runId: string,
  now: Date,
  publishFinished: PublishFinished,
): Promise<void> {
  const locked = await lockRun(db, runId);
  // Before members are counted: the last of them may end the run.
  const { rows } = await sql<{ has_begun: boolean }>`
    update ${table("runs")} set is_cancelled = true
    where id = ${runId}::uuid and organization_id = ${organizationId}::uuid and finished_at is null
    returning started_at is not null as has_begun`.execute(db);
  const [run] = rows;
  if (!run) return;
  const isOurs = sql`run_id = ${runId}::uuid and organization_id = ${organizationId}::uuid`;
  const endings = await cancelQueued(db, sql`${isOurs} and phase <> 'tearDown'`, now);
  if (!run.has_begun) {
    // The other remaining members are being started by a worker that has not reported so yet.
    const isBeingStarted = sql`exists (
      select from ${table("unfinished_executions")} other where other.run_id = ${runId}::uuid and other.phase <> 'tearDown')`;
    endings.push(...(await cancelQueued(db, sql`${isOurs} and phase = 'tearDown' and not ${isBeingStarted}`, now)));
  }
  await settleWholly(db, endings, locked, publishFinished);
  if (endings.length > 0) return;
  const { rows: members } = await sql<{ run_id: string; api_id: string }>`
    select run_id, api_id from ${table("unfinished_executions")} where ${isOurs} order by position limit 1`.execute(db);
  await notifyChanges(db, members);
}

async function settleWholly(...given: Parameters<typeof settleEndings>): Promise<void> {
  const { last } = await settleEndings(...given);
  await Promise.all(last);
}

/** Which of these runs are cancelled. */
export async function listCancelledRuns(db: Executor<ExecutionTables>, runIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from ${table("runs")} where id = any(${runIds}::uuid[]) and is_cancelled`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Cancels members that a worker has leased and not begun, or begun and not ended: then `reason` says so. */
export async function cancelLeased(
  db: Transaction<ExecutionTables>,
  held: Pick<ClaimedExecution, "id" | "run_id" | "fencing_token">[],
  now: Date,
  publishFinished: PublishFinished,
  reason: string | null = null,
): Promise<void> {
  const runIds = [...new Set(held.map(({ run_id }) => run_id))];
  const locked = await lockDependentRuns(db, runIds);
  const { rows } = await sql<{ id: string }>`
    update ${table("unfinished_executions")} execution
    set state = 'queued', started_at = case when ${reason}::text is null then null else execution.started_at end,
      leased_until = null, fencing_token = execution.fencing_token + 1
    from unnest(${held.map(({ id }) => id)}::uuid[], ${held.map((hold) => hold.fencing_token)}::int[])
      as given(id, fencing_token)
    where execution.id = given.id and execution.fencing_token = given.fencing_token and execution.state = 'running'
    returning execution.id`.execute(db);
  const endings = await cancelQueued(db, sql`id = any(${rows.map(({ id }) => id)}::uuid[])`, now, reason);
  await settleWholly(db, endings, locked, publishFinished);
}
