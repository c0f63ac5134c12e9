import { type RawBuilder, sql } from "kysely";
import type { AnalyzerDatabase } from "./tables.ts";
import { schemaName } from "./tables.ts";

export interface TrendScope {
  organizationId: string;
  apiId?: string;
  testId?: string;
  from: Date;
}

const executions = sql.id(schemaName, "recorded_executions");

function matching(scope: TrendScope): RawBuilder<unknown> {
  const api = scope.apiId === undefined ? sql`` : sql` and api_id = ${scope.apiId}`;
  const test = scope.testId === undefined ? sql`` : sql` and test_id = ${scope.testId}`;
  return sql`organization_id = ${scope.organizationId} and finished_at >= ${scope.from}${api}${test}`;
}

export interface PointRow {
  from: Date;
  executions: number;
  passed: number;
  failed: number;
  errored: number;
  flaky: number;
  p50: number | null;
  p95: number | null;
}

/** One row for each hour or day (UTC) in which something ran. */
export async function listPoints(db: AnalyzerDatabase, scope: TrendScope, step: "hour" | "day"): Promise<PointRow[]> {
  const { rows } = await sql<PointRow>`
    select
      date_trunc(${step}, finished_at, 'UTC') as "from",
      count(*)::int as executions,
      (count(*) filter (where verdict = 'passed'))::int as passed,
      (count(*) filter (where verdict = 'failed'))::int as failed,
      (count(*) filter (where verdict in ('errored', 'blocked')))::int as errored,
      (count(*) filter (where verdict = 'flaky'))::int as flaky,
      percentile_cont(0.5) within group (order by response_milliseconds) as p50,
      percentile_cont(0.95) within group (order by response_milliseconds) as p95
    from ${executions}
    where ${matching(scope)}
    group by 1
    order by 1`.execute(db);
  return rows;
}

export interface OperationRow {
  api_id: string;
  method: string;
  path: string;
  executions: number;
  p95: number | null;
  flakiness: number;
}

/** The slowest operations and the flakiest, five each; an operation may be in both. */
export async function listExtremes(
  db: AnalyzerDatabase,
  scope: TrendScope,
): Promise<(OperationRow & { slow_rank: number; flaky_rank: number })[]> {
  const { rows } = await sql<OperationRow & { slow_rank: number; flaky_rank: number }>`
    with runs as (
      select api_id, method, path, verdict, response_milliseconds,
        lag(verdict) over (partition by test_id order by finished_at) as before
      from ${executions}
      where ${matching(scope)}
    ), operations as (
      select api_id, method, path,
        count(*)::int as executions,
        percentile_cont(0.95) within group (order by response_milliseconds) as p95,
        (count(*) filter (where verdict = 'flaky' or verdict <> before))::float8 / count(*) as flakiness
      from runs
      group by api_id, method, path
    ), ranked as (
      select *,
        rank() over (order by p95 desc nulls last, api_id, path, method)::int as slow_rank,
        rank() over (order by flakiness desc, executions desc, api_id, path, method)::int as flaky_rank
      from operations
    )
    select * from ranked where slow_rank <= 5 or flaky_rank <= 5`.execute(db);
  return rows;
}
