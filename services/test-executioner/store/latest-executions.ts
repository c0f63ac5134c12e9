import { sql } from "kysely";
import type {
  ApiExecutionSummary,
  LatestExecution,
  latestSorts,
} from "#contracts/test-executioner/latest-executions.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { pageFrom, readCursor, readIdCursor } from "../../kit/database/keyset.ts";
import { verdictRanks } from "../domain/verdict.ts";
import { rankOf } from "./outcome-order.ts";
import { type ExecutionDatabase, type ExecutionTables, table } from "./tables.ts";

type LatestRow = Pick<
  ExecutionTables["latest_executions"],
  | "test_id"
  | "execution_id"
  | "state"
  | "verdict"
  | "status_code"
  | "response_milliseconds"
  | "queued_at"
  | "finished_at"
>;

function toLatest(row: LatestRow): LatestExecution {
  return {
    testId: row.test_id,
    executionId: row.execution_id,
    state: row.state,
    verdict: row.verdict,
    statusCode: row.status_code,
    responseMilliseconds: row.response_milliseconds,
    queuedAt: row.queued_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

/** Only the execution itself stores `running`: writing it here too would cost an update for each. */
const latest = sql`
  select latest.test_id, latest.execution_id, latest.verdict, latest.status_code, latest.response_milliseconds,
    latest.queued_at, latest.finished_at, coalesce(execution.state, latest.state) as state
  from ${table("latest_executions")} latest
  left join ${table("unfinished_executions")} execution
    on latest.state = 'queued' and execution.id = latest.execution_id`;

export async function listLatestOfTests(
  db: ExecutionDatabase,
  organizationId: string,
  testIds: string[],
): Promise<LatestExecution[]> {
  const { rows } = await sql<LatestRow>`
    ${latest} where latest.organization_id = ${organizationId}::uuid and latest.test_id = any(${testIds}::uuid[])`.execute(
    db,
  );
  return rows.map(toLatest);
}

interface RecentRow {
  test_id: string;
  id: string;
  verdict: Verdict;
  reason: string | null;
  finished_at: Date;
}

/** Recent verdicts of each of these tests, newest first. */
export async function listRecentVerdicts(
  db: ExecutionDatabase,
  organizationId: string,
  testIds: string[],
  limit: number,
): Promise<Map<string, NonNullable<LatestExecution["recent"]>>> {
  const { rows } = await sql<RecentRow>`
    select asked.test_id, recent.* from unnest(${testIds}::uuid[]) as asked(test_id), lateral (
      select id, verdict, reason, finished_at from ${table("executions")}
      where organization_id = ${organizationId}::uuid and test_id = asked.test_id and verdict is not null
      order by id desc limit ${limit}
    ) recent
    order by recent.id desc`.execute(db);
  const byTest = new Map(testIds.map((testId) => [testId, [] as NonNullable<LatestExecution["recent"]>]));
  for (const { test_id, id, verdict, reason, finished_at } of rows) {
    byTest.get(test_id)?.push({ executionId: id, verdict, reason, finishedAt: finished_at.toISOString() });
  }
  return byTest;
}

const rank = rankOf(sql`latest.verdict`);

/** Order and position of a page. Equal verdicts are listed newest first. */
function inOrder(sort: (typeof latestSorts)[number], cursor: string | undefined) {
  if (sort === "-lastRun" || sort === "lastRun") {
    const [than, order] = sort === "lastRun" ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
    const from = cursor ? sql`and latest.execution_id ${than} ${readIdCursor(cursor)}::uuid` : sql``;
    return { from, order: sql`latest.execution_id ${order}` };
  }
  const [than, order] = sort === "verdict" ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const ordered = sql`${rank} ${order}, latest.execution_id desc`;
  if (!cursor) return { from: sql``, order: ordered };
  const [reached, id] = readCursor(cursor, ["position", "id"]);
  return {
    from: sql`and (${rank} ${than} ${reached}::int or (${rank} = ${reached}::int and latest.execution_id < ${id}::uuid))`,
    order: ordered,
  };
}

/**
 * For finished tests. Reads all rows of the API, like its summary: an index on columns that change with every execution
 * would slow down recording.
 */
export async function pageOfLatest(
  db: ExecutionDatabase,
  of: { organizationId: string; apiId: string },
  filter: { verdict?: Verdict; cursor?: string; limit: number; sort: (typeof latestSorts)[number] },
) {
  const verdict = filter.verdict ? sql`and latest.verdict = ${filter.verdict}` : sql``;
  const { from, order } = inOrder(filter.sort, filter.cursor);
  const { rows } = await sql<LatestRow>`
    ${latest} where latest.organization_id = ${of.organizationId}::uuid and latest.api_id = ${of.apiId}::uuid
      and latest.pending = 0 and latest.verdict is not null ${verdict} ${from}
    order by ${order} limit ${filter.limit + 1}`.execute(db);
  const byVerdict = filter.sort === "verdict" || filter.sort === "-verdict";
  return pageFrom(
    rows,
    filter.limit,
    (row) => (byVerdict ? [verdictRanks[row.verdict!], row.execution_id] : [row.execution_id]),
    toLatest,
  );
}

export async function listLatestOfApi(
  db: ExecutionDatabase,
  organizationId: string,
  apiId: string,
): Promise<LatestExecution[]> {
  const { rows } = await sql<LatestRow>`
    ${latest} where latest.organization_id = ${organizationId}::uuid and latest.api_id = ${apiId}::uuid`.execute(db);
  return rows.map(toLatest);
}

interface SummaryRow {
  api_id: string;
  passed: number;
  failed: number;
  errored: number;
  flaky: number;
  regional: number;
  unfinished: number;
  failing: number;
  last_finished_at: Date | null;
  failing_since: Date | null;
}

const counts = sql`pending = 0 and not disabled`;
/** As `listFailingTests` counts them: a failure lasts until a test has passed, also while it runs again. */
const isFailing = sql`failing_since is not null and not disabled`;

/**
 * In the order of the ids, zeroes if nothing ever ran; disabled tests do not count. `blocked` counts as errored:
 * neither could be judged.
 */
export async function summarizeApis(
  db: ExecutionDatabase,
  organizationId: string,
  apiIds: string[],
): Promise<ApiExecutionSummary[]> {
  const { rows } = await sql<SummaryRow>`
    select api_id,
      count(*) filter (where ${counts} and verdict = 'passed')::int as passed,
      count(*) filter (where ${counts} and verdict = 'failed')::int as failed,
      count(*) filter (where ${counts} and verdict in ('errored', 'blocked'))::int as errored,
      count(*) filter (where ${counts} and verdict = 'flaky')::int as flaky,
      count(*) filter (where ${counts} and verdict = 'regional')::int as regional,
      count(*) filter (where pending > 0)::int as unfinished,
      count(*) filter (where ${isFailing})::int as failing,
      max(finished_at) as last_finished_at,
      min(failing_since) filter (where ${isFailing}) as failing_since
    from ${table("latest_executions")}
    where organization_id = ${organizationId}::uuid and api_id = any(${apiIds}::uuid[])
    group by api_id`.execute(db);
  const byApi = new Map(rows.map((row) => [row.api_id, row]));
  return apiIds.map((apiId) => {
    const row = byApi.get(apiId);
    return {
      apiId,
      passed: row?.passed ?? 0,
      failed: row?.failed ?? 0,
      errored: row?.errored ?? 0,
      flaky: row?.flaky ?? 0,
      regional: row?.regional ?? 0,
      unfinished: row?.unfinished ?? 0,
      failing: row?.failing ?? 0,
      lastFinishedAt: row?.last_finished_at?.toISOString() ?? null,
      failingSince: row?.failing_since?.toISOString() ?? null,
    };
  });
}
