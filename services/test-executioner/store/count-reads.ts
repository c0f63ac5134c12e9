import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { OperationTrend, TrendPoint, TrendStep } from "../contract/counts.ts";
import { verdicts } from "../contract/verdicts.ts";
import { normalizeMethod } from "../domain/operation-key.ts";
import { percentileOf } from "../domain/response-times.ts";
import type { CountTables } from "./count-tables.ts";
import { operationId } from "./counts.ts";
import { type ExecutionTables, table } from "./tables.ts";

type Database = Executor<ExecutionTables>;
type PointRow = Omit<TrendPoint, "from" | "p50" | "p95"> & { from: Date; response_times: string };

const executions = sql.raw(`sum(${verdicts.join(" + ")})::int as executions`);
// As text: the numbers are longer than JavaScript's.
const responseTimes = sql`sum(response_times)::text as response_times`;

/** One point for each hour or day (UTC) in which something ended. `blocked` counts as errored: neither was judged. */
export async function listPoints(
  db: Database,
  scope: { organizationId: string; subjectId: string; from: Date; step: TrendStep },
): Promise<TrendPoint[]> {
  const { rows } = await sql<PointRow>`
    select date_trunc(${scope.step}, hour, 'UTC') as "from", ${executions}, sum(passed)::int as passed,
      sum(failed)::int as failed, sum(errored + blocked)::int as errored, sum(flaky)::int as flaky, ${responseTimes}
    from ${table("execution_counts")}
    where organization_id = ${scope.organizationId}::uuid and subject_id = ${scope.subjectId}::uuid
      and hour >= ${scope.from}
    group by 1 order by 1`.execute(db);
  return rows.map(({ from, response_times, ...counts }) => ({
    from: from.toISOString(),
    ...counts,
    p50: percentileOf(response_times, 0.5),
    p95: percentileOf(response_times, 0.95),
  }));
}

interface OperationRow {
  api_id: string;
  method: string;
  path: string;
  executions: number;
  unsteady: number;
  response_times: string;
}

/** Every operation of which something ended on that day (UTC) or later. */
export async function listOperationTrends(
  db: Database,
  scope: { organizationId: string; apiId?: string; from: Date },
): Promise<OperationTrend[]> {
  const ofApi = scope.apiId === undefined ? sql`` : sql` and api_id = ${scope.apiId}::uuid`;
  const { rows } = await sql<OperationRow>`
    select api_id, method, path, ${executions}, sum(unsteady)::int as unsteady,
      ${responseTimes}
    from ${table("operation_counts")}
    where organization_id = ${scope.organizationId}::uuid
      and day >= (${scope.from}::timestamptz at time zone 'UTC')::date${ofApi}
    group by api_id, method, path`.execute(db);
  return rows.map((row) => ({
    apiId: row.api_id,
    method: row.method,
    path: row.path,
    executions: row.executions,
    p95: percentileOf(row.response_times, 0.95),
    flakiness: row.unsteady / row.executions,
  }));
}

type VerdictRow = Omit<CountTables["operation_verdicts"], "organization_id" | "api_id" | "operation_id"> & {
  operation: number;
};

/** What each of these operations last answered with each status. */
export async function listOperationVerdicts(
  db: Database,
  organizationId: string,
  apiId: string,
  operations: { method: string; path: string }[],
) {
  const { rows } = await sql<VerdictRow>`
    select (given.number - 1)::int as operation, status_code, verdict, execution_id, test_id, finished_at
    from unnest(
      ${operations.map(({ method }) => normalizeMethod(method))}::text[],
      ${operations.map(({ path }) => path)}::text[]
    ) with ordinality as given(method, path, number)
    join ${table("operation_verdicts")} known on known.organization_id = ${organizationId}::uuid
      and known.api_id = ${apiId}::uuid and known.operation_id = ${operationId("given.method", "given.path")}
    order by given.number, status_code`.execute(db);
  return rows.map((row) => ({
    operation: row.operation,
    status: row.status_code,
    verdict: row.verdict,
    executionId: row.execution_id,
    testId: row.test_id,
    finishedAt: row.finished_at.toISOString(),
  }));
}
