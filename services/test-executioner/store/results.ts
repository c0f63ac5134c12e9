import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { Attempt, Cause, Verdict } from "../contract/executions.ts";
import type { ClaimedExecution } from "./claims.ts";
import { type ExecutionTables, table } from "./tables.ts";

export interface ExecutionResult {
  execution: ClaimedExecution;
  verdict: Verdict;
  cause?: Cause;
  attempts: Attempt[];
  statusCode: number | null;
  responseMilliseconds: number | null;
  finishedAt: Date;
}

/** Later stands for worse, as in `verdictRanks`. */
const ranking = sql`array['skipped', 'passed', 'flaky', 'failed', 'blocked', 'errored']`;

/**
 * Ends executions, in three statements for all of them. Answers the ids that were written: a result whose fencing
 * token is not the newest, or whose execution is gone, changes nothing.
 */
export async function storeResults(db: Executor<ExecutionTables>, results: ExecutionResult[]): Promise<Set<string>> {
  const column = <Value>(read: (result: ExecutionResult) => Value) => results.map(read);
  const { rows } = await sql<{ id: string }>`
    update ${table("executions")} execution
    set state = 'finished', verdict = result.verdict, cause = result.cause, attempt_count = result.attempt_count,
      status_code = result.status_code, response_milliseconds = result.response_milliseconds,
      finished_at = result.finished_at
    from unnest(
      ${column((result) => result.execution.id)}::uuid[],
      ${column((result) => result.execution.organization_id)}::uuid[],
      ${column((result) => result.execution.fencing_token)}::int[],
      ${column((result) => result.verdict)}::text[],
      ${column((result) => (result.cause ? JSON.stringify(result.cause) : null))}::text[],
      ${column((result) => result.attempts.length)}::int[],
      ${column((result) => result.statusCode)}::int[],
      ${column((result) => result.responseMilliseconds)}::float8[],
      ${column((result) => result.finishedAt.toISOString())}::timestamptz[]
    ) as result(id, organization_id, fencing_token, verdict, cause, attempt_count, status_code, response_milliseconds,
      finished_at)
    where execution.id = result.id and execution.organization_id = result.organization_id
      and execution.fencing_token = result.fencing_token and execution.state = 'running'
    returning execution.id`.execute(db);
  const written = new Set(rows.map(({ id }) => id));
  const stored = results.filter(({ execution }) => written.has(execution.id));
  if (stored.length === 0) return written;
  await insertAttempts(db, stored);
  await updateLatest(db, stored);
  return written;
}

async function insertAttempts(db: Executor<ExecutionTables>, results: ExecutionResult[]): Promise<void> {
  await sql`
    insert into ${table("execution_attempts")} (execution_id, organization_id, attempts)
    select * from unnest(
      ${results.map(({ execution }) => execution.id)}::uuid[],
      ${results.map(({ execution }) => execution.organization_id)}::uuid[],
      ${results.map(({ attempts }) => JSON.stringify(attempts))}::text[]
    )`.execute(db);
}

/** Takes the rows' locks in one order first: batches of two workers that share tests would else wait for each other. */
async function updateLatest(db: Executor<ExecutionTables>, results: ExecutionResult[]): Promise<void> {
  await sql`
    with given as (
      select *, array_position(${ranking}, verdict) as rank
      from unnest(
        ${results.map(({ execution }) => execution.organization_id)}::uuid[],
        ${results.map(({ execution }) => execution.test_id)}::uuid[],
        ${results.map(({ execution }) => execution.run_id)}::uuid[],
        ${results.map(({ execution }) => execution.id)}::uuid[],
        ${results.map(({ verdict }) => verdict)}::text[],
        ${results.map(({ statusCode }) => statusCode)}::int[],
        ${results.map(({ responseMilliseconds }) => responseMilliseconds)}::float8[],
        ${results.map(({ finishedAt }) => finishedAt.toISOString())}::timestamptz[]
      ) as row(organization_id, test_id, run_id, execution_id, verdict, status_code, response_milliseconds, finished_at)
    ), result as (
      select distinct on (organization_id, test_id, run_id) *,
        count(*) over (partition by organization_id, test_id, run_id)::int as ended
      from given order by organization_id, test_id, run_id, rank desc
    ), locked as materialized (
      select latest.organization_id, latest.test_id, latest.run_id
      from ${table("latest_executions")} latest
      join result using (organization_id, test_id, run_id)
      order by latest.test_id
      for update of latest
    ), worst as (select result.* from result join locked using (organization_id, test_id, run_id))
    update ${table("latest_executions")} latest set
      pending = latest.pending - worst.ended,
      state = case when latest.pending - worst.ended <= 0 then 'finished' else latest.state end,
      execution_id = case when ${isWorse} then worst.execution_id else latest.execution_id end,
      verdict = case when ${isWorse} then worst.verdict else latest.verdict end,
      status_code = case when ${isWorse} then worst.status_code else latest.status_code end,
      response_milliseconds =
        case when ${isWorse} then worst.response_milliseconds else latest.response_milliseconds end,
      finished_at = worst.finished_at
    from worst
    where latest.organization_id = worst.organization_id and latest.test_id = worst.test_id
      and latest.run_id = worst.run_id`.execute(db);
}

const isWorse = sql`(latest.verdict is null or worst.rank > array_position(${ranking}, latest.verdict))`;
