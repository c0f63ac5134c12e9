import { type RawBuilder, sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { pageFrom } from "../../kit/database/keyset.ts";
import type { RunTrigger, Verdict } from "../contract/executions.ts";
import type { RunSource, RunSummary } from "../contract/runs.ts";
import { readIdCursor, withinTime } from "./executions.ts";
import { parseSurroundings } from "./surroundings.ts";
import { type ExecutionDatabase, type ExecutionTables, type RunRow, table } from "./tables.ts";

function sourceOf(row: RunRow): RunSource {
  switch (row.source_kind) {
    case "test":
      return { kind: "test", testId: row.test_id!, testName: row.test_name! };
    case "tests":
      return { kind: "tests", testCount: row.tests };
    case "api":
      return { kind: "api", apiId: row.api_id!, include: row.include! };
    case "rerun":
      return { kind: "rerun", runId: row.rerun_of! };
  }
}

export function toRunSummary(row: RunRow): RunSummary {
  const { tests, executions, unfinished, cancelled, passed, failed, errored, flaky, skipped, blocked } = row;
  return {
    id: row.id,
    source: sourceOf(row),
    trigger: row.trigger,
    order: row.execution_order,
    stopOnFailure: row.stop_on_failure,
    state: row.state,
    verdict: row.finished_at ? row.verdict : null,
    counts: {
      ...{ tests, executions, unfinished, cancelled, passed, failed, errored, flaky, skipped, blocked },
      leftOut: row.left_out,
    },
    apis: parseSurroundings(row.surroundings).apis.map(({ apiId, apiName, documentId, environment, baseUrls }) => ({
      ...{ apiId, apiName, documentId, environment },
      baseUrl: baseUrls.find((baseUrl) => baseUrl?.trim()) ?? null,
    })),
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

export interface RunFilter {
  limit: number;
  cursor?: string;
  apiId?: string;
  testId?: string;
  verdict?: Verdict;
  trigger?: RunTrigger;
  from?: Date;
  to?: Date;
}

/** Newest first. */
export async function listRuns(db: ExecutionDatabase, organizationId: string, filter: RunFilter) {
  const before = filter.cursor ? sql` and id < ${readIdCursor(filter.cursor)}::uuid` : sql``;
  const verdict = filter.verdict ? sql` and verdict = ${filter.verdict} and finished_at is not null` : sql``;
  const trigger = filter.trigger ? sql` and trigger = ${filter.trigger}` : sql``;
  const limit = filter.limit + 1;
  const page = (where: RawBuilder<unknown>) => sql`
    (select * from ${table("runs")} run
    where organization_id = ${organizationId}::uuid and ${withinTime(filter)}${before}${verdict}${trigger} and ${where}
    order by id desc limit ${limit})`;
  const { rows } = await sql<RunRow>`
    select * from (${sql.join(
      wheresOf(organizationId, filter).map((where) => page(where)),
      sql` union all `,
    )}) found
    order by id desc limit ${limit}`.execute(db);
  return pageFrom(rows, filter.limit, (row) => [row.id], toRunSummary);
}

/** Each finds runs that no other does, by an index of its own. */
function wheresOf(organizationId: string, { apiId, testId }: RunFilter): RawBuilder<unknown>[] {
  const ofTest = testId
    ? sql` and (test_id = ${testId}::uuid or test_id is null and exists (
        select from ${table("executions")} member
        where member.run_id = run.id and member.test_id = ${testId}::uuid and member.id > run.id
      ) or test_id is null and exists (
        select from ${table("unfinished_executions")} member
        where member.run_id = run.id and member.test_id = ${testId}::uuid
      ))`
    : sql``;
  if (!apiId) return [sql`true${ofTest}`];
  return [
    sql`api_id = ${apiId}::uuid${ofTest}`,
    sql`api_id is null and id in (
      select run_id from ${table("run_apis")}
      where organization_id = ${organizationId}::uuid and api_id = ${apiId}::uuid
    )${ofTest}`,
  ];
}
