import { type RawBuilder, sql } from "kysely";
import type { OutcomeSort } from "#contracts/test-executioner/executions.ts";
import type { RunCounts, RunSource, RunSummary } from "#contracts/test-executioner/runs.ts";
import type { RunState, RunTrigger, Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { Executor } from "../../kit/database/database.ts";
import { pageFrom, readIdCursor } from "../../kit/database/keyset.ts";
import { createExecutionWalk } from "./execution-walk.ts";
import { type TimeFilter, withinTime } from "./executions.ts";
import { orderOutcomes } from "./outcome-order.ts";
import { readStarter } from "./run-starters.ts";
import { parseSurroundings } from "./surroundings.ts";
import { type ExecutionDatabase, type ExecutionTables, type RunRow, table } from "./tables.ts";

/** The circle of a run, whole or partial. */
export function toCircle(row: Pick<RunRow, "test_circle_id" | "test_circle_name">) {
  if (row.test_circle_id === null) return undefined;
  return { testCircleId: row.test_circle_id, testCircleName: row.test_circle_name! };
}

export function toSource(row: RunRow): RunSource {
  switch (row.source_kind) {
    case "test":
      return { kind: "test", testId: row.test_id!, testName: row.test_name! };
    case "tests":
      return { kind: "tests", testCount: row.tests };
    case "api":
      return { kind: "api", apiId: row.api_id!, include: row.include! };
    case "circle":
      return { kind: "circle", ...toCircle(row)! };
    case "rerun":
      return {
        ...{ kind: "rerun", runId: row.rerun_of! },
        ...(row.rerun_from === null ? {} : { from: row.rerun_from }),
        ...(row.test_circle_id === null ? {} : { circle: toCircle(row) }),
      };
  }
}

export function toCounts(row: RunRow): RunCounts {
  const { tests, executions, unfinished, cancelled, passed, failed, errored, flaky, skipped, blocked, regional } = row;
  return {
    ...{ tests, executions, unfinished, cancelled, passed, failed, errored, flaky, skipped, blocked, regional },
    leftOut: row.left_out,
  };
}

export function toState({ state, is_cancelled, finished_at }: RunRow): RunState {
  return is_cancelled && finished_at === null ? "cancelling" : state;
}

export function toRunSummary(row: RunRow): RunSummary {
  const { apis, onlyOwn, places } = parseSurroundings(row.surroundings);
  return {
    id: row.id,
    source: toSource(row),
    trigger: row.trigger,
    startedBy: readStarter(row),
    order: row.execution_order,
    concurrency: row.concurrency,
    stopOnFailure: row.stop_on_failure,
    onlyOwn: onlyOwn !== undefined,
    state: toState(row),
    verdict: row.finished_at ? row.verdict : null,
    counts: toCounts(row),
    apis: apis.map(({ apiId, apiName, documentId, environment, baseUrls }) => ({
      ...{ apiId, apiName, documentId, environment },
      baseUrl: baseUrls.find((baseUrl) => baseUrl?.trim()) ?? null,
    })),
    ...(places ? { places: { ...places, seriesSize: row.series_size } } : {}),
    ...(row.late_agent_id === null ? {} : { lateAgentId: row.late_agent_id }),
    reason: row.reason,
    queuedAt: row.queued_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

export async function findRun(
  db: Executor<ExecutionTables>,
  organizationId: string,
  runId: string,
): Promise<RunRow | undefined> {
  return await db
    .selectFrom("runs")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", runId)
    .executeTakeFirst();
}

/** Whether there are runs of an API as a whole, or of a circle. */
export async function hasRuns(
  db: ExecutionDatabase,
  organizationId: string,
  of: { apiId: string } | { testCircleId: string },
): Promise<boolean> {
  const runs = db.selectFrom("runs").select("id").where("organization_id", "=", organizationId).limit(1);
  const ofIt = "apiId" in of ? runs.where("api_id", "=", of.apiId) : runs.where("test_circle_id", "=", of.testCircleId);
  return (await ofIt.executeTakeFirst()) !== undefined;
}

export interface RunFilter extends TimeFilter {
  limit: number;
  cursor?: string;
  apiId?: string;
  testId?: string;
  testCircleId?: string;
  source?: "circle";
  verdict?: Verdict;
  trigger?: RunTrigger;
  sort?: OutcomeSort;
}

function matching(filter: RunFilter): RawBuilder<unknown> {
  const verdict = filter.verdict ? sql` and verdict = ${filter.verdict} and finished_at is not null` : sql``;
  const trigger = filter.trigger ? sql` and trigger = ${filter.trigger}` : sql``;
  const circle = filter.testCircleId ? sql` and test_circle_id = ${filter.testCircleId}::uuid` : sql``;
  const ofCircles = filter.source ? sql` and test_circle_id is not null` : sql``;
  return sql`${withinTime(filter)}${verdict}${trigger}${circle}${ofCircles}`;
}

/** Runs of a test are always listed newest first. */
export async function listRuns(db: ExecutionDatabase, organizationId: string, filter: RunFilter) {
  if (filter.testId) return await listRunsOfTest(db, organizationId, { ...filter, testId: filter.testId });
  const { wheres, order, innerOrder, hasVerdictOnly, cursorOf } = orderOutcomes(filter.sort, filter.cursor);
  const limit = filter.limit + 1;
  const isEnded = hasVerdictOnly ? sql` and finished_at is not null` : sql``;
  const pages = getWheres(organizationId, filter).flatMap((where) =>
    wheres.map(
      (from) => sql`
    (select * from ${table("runs")} run
    where organization_id = ${organizationId}::uuid and ${matching(filter)}${isEnded} and ${from} and ${where}
    order by ${innerOrder} limit ${limit})`,
    ),
  );
  if (pages.length === 0) return { items: [], nextCursor: null };
  const { rows } = await sql<RunRow>`
    select * from (${sql.join(pages, sql` union all `)}) found order by ${order} limit ${limit}`.execute(db);
  return pageFrom(rows, filter.limit, cursorOf, toRunSummary);
}

/** Each condition finds runs that no other does, by its own index. */
function getWheres(organizationId: string, { apiId }: RunFilter): RawBuilder<unknown>[] {
  if (!apiId) return [sql`true`];
  return [
    sql`api_id = ${apiId}::uuid`,
    sql`api_id is null and id in (
      select run_id from ${table("run_apis")}
      where organization_id = ${organizationId}::uuid and api_id = ${apiId}::uuid
    )`,
  ];
}

const maxExecutionsAtOnce = 2_000;

/**
 * Runs of a test, whatever else they ran: found by its executions, through the index that lists executions, so that the
 * number of runs without it makes no difference.
 */
async function listRunsOfTest(db: ExecutionDatabase, organizationId: string, filter: RunFilter & { testId: string }) {
  const { limit } = filter;
  const cursor = filter.cursor ? readIdCursor(filter.cursor) : undefined;
  const before = cursor ? sql` and id < ${cursor}::uuid` : sql``;
  const executions = createExecutionWalk(db, organizationId, { ...filter, before: cursor });
  const found: RunRow[] = [];
  let atOnce = 2 * (limit + 1);
  for (;;) {
    const { runIds, downTo } = await executions.next(atOnce);
    const { rows } = await sql<RunRow>`
      select * from ${table("runs")} run
      where organization_id = ${organizationId}::uuid and id = any(${runIds}::uuid[])
        and ${matching(filter)}${before}`.execute(db);
    found.push(...rows);
    // A run's executions have ids above its own, so no run above the last execution seen is missing.
    const known = downTo === undefined ? found : found.filter(({ id }) => id > downTo);
    if (downTo === undefined || known.length > limit) {
      const newest = known.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit + 1);
      return pageFrom(newest, limit, (row) => [row.id], toRunSummary);
    }
    atOnce = Math.min(4 * atOnce, maxExecutionsAtOnce);
  }
}
