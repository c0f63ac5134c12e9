import { sql } from "kysely";
import type { FailingTest } from "#contracts/test-executioner/failing-tests.ts";
import { firstIdAt } from "../../kit/database/id-time.ts";
import { pageFrom, readMomentCursor } from "../../kit/database/keyset.ts";
import { isFailure, verdictRanking } from "../domain/verdict.ts";
import { toSummary } from "./executions.ts";
import { type ExecutionDatabase, type ExecutionRow, table } from "./tables.ts";

/** As many as a list takes as a filter. */
const maxApis = 200;
const failing = verdictRanking.filter(isFailure);

type FailingRow = { subject_id: string; of_api_id: string; since: Date } & (
  | ExecutionRow
  | { [Name in keyof ExecutionRow]: null }
);

/**
 * The execution with which a test began to fail was started within days before it ended. Without this, months of passed
 * executions are scanned for one failure each. If the last run failed, it is one of that run's, whose ids are above its
 * own.
 */
const beforeIt = sql`failing_since - interval '7 days'`;

interface Filter {
  apiId?: string;
  cursor?: string;
  limit: number;
}

/** The latest to begin come first. The failures' reasons are looked up for one page only. */
export async function listFailingTests(db: ExecutionDatabase, organizationId: string, filter: Filter) {
  const ofApi = filter.apiId ? sql`and api_id = ${filter.apiId}::uuid` : sql``;
  const those = sql`from ${table("latest_executions")}
    where organization_id = ${organizationId}::uuid and failing_since is not null and not disabled ${ofApi}`;
  const last = filter.cursor ? readMomentCursor(filter.cursor) : undefined;
  const after = last ? sql`and (failing_since, test_id) < (${last.moment}::timestamptz, ${last.id}::uuid)` : sql``;
  const [page, byApi] = await Promise.all([
    sql<FailingRow>`
      select latest.test_id as subject_id, latest.api_id as of_api_id, latest.failing_since as since, execution.*
      from (
        select test_id, api_id, failing_since,
          case when verdict = any(${failing}::text[]) then run_id else ${firstIdAt(beforeIt)} end as after_id
        ${those} ${after}
        order by failing_since desc, test_id desc limit ${filter.limit + 1}
      ) latest
      left join lateral (
        select * from ${table("executions")}
        where organization_id = ${organizationId}::uuid and test_id = latest.test_id and id > latest.after_id
          and verdict = any(${failing}::text[])
        order by id desc limit 1
      ) execution on true
      order by latest.failing_since desc, latest.test_id desc`.execute(db),
    sql<{ api_id: string; total: number; all_of_them: number }>`
      select api_id, count(*)::int as total, (sum(count(*)) over ())::int as all_of_them ${those}
      group by api_id order by total desc, api_id limit ${maxApis}`.execute(db),
  ]);
  return {
    ...pageFrom(page.rows, filter.limit, (row) => [row.since.toISOString(), row.subject_id], toFailing),
    total: byApi.rows[0]?.all_of_them ?? 0,
    byApi: byApi.rows.map(({ api_id, total }) => ({ apiId: api_id, total })),
  };
}

function toFailing({ subject_id, of_api_id, since, ...execution }: FailingRow): FailingTest {
  return {
    testId: subject_id,
    apiId: of_api_id,
    since: since.toISOString(),
    execution: execution.id === null ? null : toSummary(execution as ExecutionRow),
  };
}
