import { sql } from "kysely";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { Executor } from "../../kit/database/database.ts";
import { getPercentile, toBuckets } from "../domain/response-times.ts";
import { type ExecutionTables, table } from "./tables.ts";

/** A circle's newest finished run, and the response times of its executions of today and yesterday (UTC). */
export interface CircleFigures {
  organizationId: string;
  testCircleId: string;
  name: string;
  verdict: Verdict | null;
  finishedAt: Date;
  durationSeconds: number;
  p95Seconds: number | null;
}

interface Row {
  organization_id: string;
  test_circle_id: string;
  test_circle_name: string | null;
  verdict: Verdict | null;
  finished_at: Date;
  seconds: number;
  response_times: Uint8Array | null;
}

/** Bounds the walk from circle to circle, which takes one look into an index for each. */
const maxWalked = 2_000;

/**
 * Across all organizations, in a fixed order: a new circle comes after those that were there, and moves none out.
 * @param since circles that have not run since are left out
 */
export async function listCircleFigures(
  db: Executor<ExecutionTables>,
  { since, yesterday }: { since: Date; yesterday: Date },
): Promise<CircleFigures[]> {
  const next = (after: string) => sql`
    (select array[organization_id, test_circle_id] from ${table("runs")}
      where test_circle_id is not null ${sql.raw(after)} order by organization_id, test_circle_id limit 1)`;
  const { rows } = await sql<Row>`
    with recursive walked as (
      select ${next("")} as pair, 1 as number
      union all
      select ${next("and (organization_id, test_circle_id) > (walked.pair[1], walked.pair[2])")}, number + 1
      from walked where walked.pair is not null and number < ${maxWalked}
    )
    select run.organization_id, run.test_circle_id, run.test_circle_name, run.verdict, run.finished_at,
      extract(epoch from run.finished_at - coalesce(run.started_at, run.queued_at))::float8 as seconds,
      (select numeric_send(sum(response_times)) from ${table("day_counts")} counted
        where counted.organization_id = run.organization_id and counted.subject_id = run.test_circle_id
          and counted.day >= ${yesterday}::timestamptz) as response_times
    from walked, lateral (
      select * from ${table("runs")}
      where organization_id = walked.pair[1] and test_circle_id = walked.pair[2] and source_kind = 'circle'
        and finished_at is not null
      order by id desc limit 1
    ) run
    where run.finished_at >= ${since}::timestamptz
    order by run.test_circle_id`.execute(db);
  return rows.map((row) => {
    const p95 = row.response_times ? getPercentile(toBuckets(row.response_times), 0.95) : null;
    return {
      organizationId: row.organization_id,
      testCircleId: row.test_circle_id,
      name: row.test_circle_name ?? row.test_circle_id,
      verdict: row.verdict,
      finishedAt: row.finished_at,
      durationSeconds: Math.max(0, row.seconds),
      p95Seconds: p95 === null ? null : p95 / 1_000,
    };
  });
}
