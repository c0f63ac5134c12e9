import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { type Attempt, type Cause, type Verdict, verdicts } from "../contract/executions.ts";
import { verdictRanks } from "../domain/verdict.ts";
import type { ClaimedExecution } from "./claims.ts";
import { countExecutions } from "./counts.ts";
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

const ranking = sql.raw(
  `array[${[...verdicts].sort((a, b) => verdictRanks[a] - verdictRanks[b]).map((verdict) => `'${verdict}'`)}]`,
);

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
  await countExecutions(db, stored.map(toCounted));
  return written;
}

function toCounted({ execution, verdict, statusCode, responseMilliseconds, finishedAt }: ExecutionResult) {
  return {
    id: execution.id,
    organizationId: execution.organization_id,
    apiId: execution.api_id,
    testId: execution.test_id,
    method: execution.method,
    path: execution.path,
    rowIndex: execution.row_index,
    verdict,
    statusCode,
    responseMilliseconds,
    finishedAt,
  };
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

/** What a run's results in this batch say of one test: how many ended, and the worst of them. */
export function groupByTest(results: ExecutionResult[]): { worst: ExecutionResult; ended: number }[] {
  const groups = new Map<string, { worst: ExecutionResult; ended: number }>();
  for (const result of results) {
    const key = `${result.execution.run_id} ${result.execution.test_id}`;
    const group = groups.get(key);
    if (!group) groups.set(key, { worst: result, ended: 1 });
    else {
      group.ended += 1;
      if (verdictRanks[result.verdict] > verdictRanks[group.worst.verdict]) group.worst = result;
    }
  }
  return [...groups.values()];
}

async function updateLatest(db: Executor<ExecutionTables>, results: ExecutionResult[]): Promise<void> {
  const groups = groupByTest(results);
  const column = <Value>(read: (result: ExecutionResult) => Value) => groups.map(({ worst }) => read(worst));
  const isWorse = sql`(latest.verdict is null or worst.rank > array_position(${ranking}, latest.verdict))`;
  const worseOf = (name: string) =>
    sql`case when ${isWorse} then worst.${sql.id(name)} else latest.${sql.id(name)} end`;
  await sql`
    update ${table("latest_executions")} latest set
      pending = latest.pending - worst.ended,
      state = case when latest.pending - worst.ended <= 0 then 'finished' else latest.state end,
      execution_id = ${worseOf("execution_id")},
      verdict = ${worseOf("verdict")},
      status_code = ${worseOf("status_code")},
      response_milliseconds = ${worseOf("response_milliseconds")},
      finished_at = worst.finished_at
    from unnest(
      ${column(({ execution }) => execution.organization_id)}::uuid[],
      ${column(({ execution }) => execution.test_id)}::uuid[],
      ${column(({ execution }) => execution.run_id)}::uuid[],
      ${column(({ execution }) => execution.id)}::uuid[],
      ${column(({ verdict }) => verdict)}::text[],
      ${column(({ verdict }) => verdictRanks[verdict])}::int[],
      ${column(({ statusCode }) => statusCode)}::int[],
      ${column(({ responseMilliseconds }) => responseMilliseconds)}::float8[],
      ${column(({ finishedAt }) => finishedAt.toISOString())}::timestamptz[],
      ${groups.map(({ ended }) => ended)}::int[]
    ) as worst(organization_id, test_id, run_id, execution_id, verdict, rank, status_code, response_milliseconds,
      finished_at, ended)
    where latest.organization_id = worst.organization_id and latest.test_id = worst.test_id
      and latest.run_id = worst.run_id`.execute(db);
}
