import { sql } from "kysely";
import type { latestSorts } from "#contracts/test-executioner/latest-executions.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { pageFrom, readCursor, readIdCursor } from "../../kit/database/keyset.ts";
import { verdictRanks } from "../domain/verdict.ts";
import { rankOf } from "./outcome-order.ts";
import { type ExecutionDatabase, table } from "./tables.ts";

interface LatestRow {
  test_circle_id: string;
  id: string;
  verdict: Verdict | null;
}

const rank = sql`coalesce(${rankOf(sql`verdict`)}, 0)`;

function inOrder(sort: (typeof latestSorts)[number], cursor: string | undefined) {
  if (sort === "-lastRun" || sort === "lastRun") {
    const [than, direction] = sort === "lastRun" ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
    const from = cursor ? sql`and id ${than} ${readIdCursor(cursor)}::uuid` : sql``;
    return { from, order: sql`id ${direction}` };
  }
  const [than, direction] = sort === "verdict" ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const order = sql`${rank} ${direction}, id desc`;
  if (!cursor) return { from: sql``, order };
  const [reached, id] = readCursor(cursor, ["position", "id"]);
  return {
    from: sql`and (${rank} ${than} ${reached}::int or (${rank} = ${reached}::int and id < ${id}::uuid))`,
    order,
  };
}

/**
 * The last whole run of each circle: two steps in the index of circles' runs for each, however often they ran. The circles
 * themselves are found by skipping from one to the next in it.
 */
export async function pageOfLatestCircleRuns(
  db: ExecutionDatabase,
  organizationId: string,
  filter: { apiId?: string; cursor?: string; limit: number; sort: (typeof latestSorts)[number] },
) {
  const { from, order } = inOrder(filter.sort, filter.cursor);
  const ofApi = filter.apiId
    ? sql`and (api_id = ${filter.apiId}::uuid or exists (
        select from ${table("run_apis")} of_run
        where of_run.organization_id = ${organizationId}::uuid and of_run.api_id = ${filter.apiId}::uuid
          and of_run.run_id = newest.id))`
    : sql``;
  const { rows } = await sql<LatestRow>`
    with recursive circle(id) as (
      (select test_circle_id from ${table("runs")}
        where organization_id = ${organizationId}::uuid and test_circle_id is not null
        order by test_circle_id limit 1)
      union all
      select (select test_circle_id from ${table("runs")}
        where organization_id = ${organizationId}::uuid and test_circle_id > circle.id
        order by test_circle_id limit 1)
      from circle where circle.id is not null
    ), newest as (
      select run.* from circle cross join lateral (
        select test_circle_id, id, api_id, case when finished_at is not null then verdict end as verdict
        from ${table("runs")}
        where organization_id = ${organizationId}::uuid and test_circle_id = circle.id and source_kind = 'circle'
        order by id desc limit 1
      ) run
    )
    select test_circle_id, id, verdict from newest where true ${ofApi} ${from}
    order by ${order} limit ${filter.limit + 1}`.execute(db);
  const byVerdict = filter.sort === "verdict" || filter.sort === "-verdict";
  return pageFrom(
    rows,
    filter.limit,
    ({ id, verdict }) => (byVerdict ? [verdict ? verdictRanks[verdict] : 0, id] : [id]),
    ({ test_circle_id, id, verdict }) => ({ testCircleId: test_circle_id, runId: id, verdict }),
  );
}
