import { sql } from "kysely";
import type { ExecutionCount, OperationTrend, OutcomeCount } from "#contracts/test-executioner/counts.ts";
import { executionVerdicts } from "#contracts/test-executioner/verdicts.ts";
import type { Executor } from "../../kit/database/database.ts";
import { normalizeMethod } from "../domain/operation-key.ts";
import type { HourlyMedian } from "../domain/response-time-shift.ts";
import { addBuckets, type Buckets, getPercentile, getPercentiles, toBuckets } from "../domain/response-times.ts";
import type { CountTables } from "./count-tables.ts";
import { type CountedSteps, countedSteps } from "./counted-steps.ts";
import { operationId } from "./counts.ts";
import { type ExecutionTables, table } from "./tables.ts";

type Database = Executor<ExecutionTables>;

const ranVerdicts = executionVerdicts.filter((verdict) => verdict !== "skipped");
const executions = sql.raw(`sum(${ranVerdicts.join(" + ")})::int as executions`);
/** As bytes: numbers longer than JavaScript's, of which `bucketsOf` only reads the non-empty part. */
const responseTimes = sql`numeric_send(sum(response_times)) as response_times`;

const sums = sql`${executions}, sum(passed)::int as passed, sum(failed)::int as failed,
  sum(errored + blocked)::int as errored, sum(flaky)::int as flaky, sum(unsteady)::int as unsteady,
  sum(available)::int as available, sum(unavailable)::int as unavailable, ${responseTimes}`;

const counters = [
  "executions",
  "passed",
  "failed",
  "errored",
  "flaky",
  "unsteady",
  "available",
  "unavailable",
] as const;
type Counts = Record<(typeof counters)[number], number> & { times: Buckets };

const nothing = {
  executions: 0,
  passed: 0,
  failed: 0,
  errored: 0,
  flaky: 0,
  unsteady: 0,
  available: 0,
  unavailable: 0,
};

function toExecutionCount({ times, ...counts }: Counts): ExecutionCount {
  const [p50 = null, p95 = null, p99 = null] = getPercentiles(times, [0.5, 0.95, 0.99]);
  return { ...counts, p50, p95, p99 };
}

interface Steps {
  steps: ExecutionCount[];
  total: ExecutionCount;
}

/** Counts in each step and in total, of each subject that has some. */
export async function countStepsOf(db: Database, scope: CountedSteps): Promise<Map<string, Steps>> {
  const { starts } = scope;
  const { rows } = await sql<Omit<Counts, "times"> & { subject_id: string; step: number; response_times: Uint8Array }>`
    select subject_id, step, ${sums} from (${countedSteps(scope)}) as counted
    group by subject_id, step`.execute(db);
  const bySubject = new Map<string, { steps: Counts[]; total: Counts }>();
  for (const { subject_id, step, response_times, ...counts } of rows) {
    const known = bySubject.get(subject_id) ?? {
      steps: starts.map(() => ({ ...nothing, times: [] })),
      total: { ...nothing, times: [] },
    };
    bySubject.set(subject_id, known);
    const times = toBuckets(response_times);
    known.steps[step - 1] = { ...counts, times };
    addBuckets(known.total.times, times);
    for (const counter of counters) known.total[counter] += counts[counter];
  }
  return new Map(
    [...bySubject].map(([id, { steps, total }]) => [
      id,
      { steps: steps.map(toExecutionCount), total: toExecutionCount(total) },
    ]),
  );
}

/** Counts of one subject in each step and in total. */
export async function countSteps(
  db: Database,
  { subjectId, ...scope }: { organizationId: string; subjectId: string; starts: string[]; until: string },
): Promise<Steps> {
  const counted = await countStepsOf(db, { ...scope, subjectIds: [subjectId] });
  const none = toExecutionCount({ ...nothing, times: [] });
  return counted.get(subjectId) ?? { steps: scope.starts.map(() => none), total: none };
}

/** The total of each subject over one period, in their order. */
export async function countSubjects(
  db: Database,
  scope: { organizationId: string; subjectIds: readonly string[]; from: string; until: string },
): Promise<{ subjectId: string; total: ExecutionCount }[]> {
  const { from, ...subjects } = scope;
  const { rows } = await sql<Omit<Counts, "times"> & { subject_id: string; response_times: Uint8Array }>`
    select subject_id, ${sums} from (${countedSteps({ ...subjects, starts: [from] })}) as counted
    group by subject_id`.execute(db);
  const bySubject = new Map(
    rows.map(({ subject_id, response_times, ...counts }) => [
      subject_id,
      toExecutionCount({ ...counts, times: toBuckets(response_times) }),
    ]),
  );
  const none = toExecutionCount({ ...nothing, times: [] });
  return scope.subjectIds.map((subjectId) => ({ subjectId, total: bySubject.get(subjectId) ?? none }));
}

/** How often each of these subjects succeeded in each step. */
export async function countOutcomes(
  db: Database,
  scope: CountedSteps,
): Promise<{ subjectId: string; steps: OutcomeCount[] }[]> {
  const { starts, subjectIds } = scope;
  const { rows } = await sql<OutcomeCount & { subject_id: string; step: number }>`
    select subject_id, step, sum(passed + flaky)::int as passed,
      sum(failed + errored + blocked + skipped)::int as "notPassed", sum(available)::int as available,
      sum(unavailable)::int as unavailable
    from (${countedSteps(scope)}) as counted group by 1, 2`.execute(db);
  const none: OutcomeCount = { passed: 0, notPassed: 0, available: 0, unavailable: 0 };
  const bySubject = new Map(subjectIds.map((subjectId) => [subjectId, starts.map(() => none)]));
  for (const { subject_id, step, ...counts } of rows) bySubject.get(subject_id)![step - 1] = counts;
  return subjectIds.map((subjectId) => ({ subjectId, steps: bySubject.get(subjectId)! }));
}

/** The median of each hour with responses, in order. */
export async function listHourlyMedians(
  db: Database,
  scope: { organizationId: string; subjectId: string; from: string; until: string },
): Promise<HourlyMedian[]> {
  const { rows } = await sql<{ second: number; response_times: Uint8Array }>`
    select extract(epoch from hour)::int as second, numeric_send(response_times) as response_times
    from ${table("execution_counts")}
    where organization_id = ${scope.organizationId}::uuid and subject_id = ${scope.subjectId}::uuid
      and hour >= ${scope.from}::timestamptz and hour < date_trunc('hour', ${scope.until}::timestamptz, 'UTC')
      and response_times > 0
    order by hour`.execute(db);
  return rows.map(({ second, response_times }) => ({
    hour: new Date(second * 1_000),
    milliseconds: getPercentile(toBuckets(response_times), 0.5)!,
  }));
}

interface OperationRow {
  api_id: string;
  method: string;
  path: string;
  executions: number;
  unsteady: number;
  response_times: Uint8Array;
}

/** Every operation with an execution that ended on that day (UTC) or later. */
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
    group by api_id, method, path having sum(${sql.raw(ranVerdicts.join(" + "))}) > 0`.execute(db);
  return rows.map((row) => ({
    apiId: row.api_id,
    method: row.method,
    path: row.path,
    executions: row.executions,
    p95: getPercentile(toBuckets(row.response_times), 0.95),
    flakiness: row.unsteady / row.executions,
  }));
}

type VerdictRow = Omit<CountTables["operation_verdicts"], "organization_id" | "api_id" | "operation_id"> & {
  operation: number;
  superseded: boolean;
};

/**
 * The last response of each of these operations with each status. It is superseded once its test has run again with
 * other responses only: executions of a run have ids above the run's.
 */
export async function listOperationVerdicts(
  db: Database,
  organizationId: string,
  apiId: string,
  operations: { method: string; path: string }[],
) {
  const { rows } = await sql<VerdictRow>`
    select (given.number - 1)::int as operation, known.status_code, known.verdict, known.execution_id, known.test_id,
      known.finished_at, coalesce(
        latest.pending = 0 and latest.status_code is not null and known.execution_id < latest.run_id, false
      ) as superseded
    from unnest(
      ${operations.map(({ method }) => normalizeMethod(method))}::text[],
      ${operations.map(({ path }) => path)}::text[]
    ) with ordinality as given(method, path, number)
    join ${table("operation_verdicts")} known on known.organization_id = ${organizationId}::uuid
      and known.api_id = ${apiId}::uuid and known.operation_id = ${operationId("given.method", "given.path")}
    left join ${table("latest_executions")} latest on latest.organization_id = ${organizationId}::uuid
      and latest.test_id = known.test_id
    order by given.number, known.status_code`.execute(db);
  return rows.map((row) => ({
    operation: row.operation,
    status: row.status_code,
    verdict: row.verdict,
    executionId: row.execution_id,
    testId: row.test_id,
    finishedAt: row.finished_at.toISOString(),
    superseded: row.superseded,
  }));
}
