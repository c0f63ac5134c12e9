import { type QueryExecutorProvider, sql } from "kysely";
import { prepared } from "../../kit/database/prepared.ts";
import { verdictRanking, verdictRanks } from "../domain/verdict.ts";
import type { Ending } from "./ending.ts";
import { table } from "./tables.ts";

/** A run's endings in this batch by test: how many, and the worst of them. */
export function groupByTest<One extends Pick<Ending, "run_id" | "test_id" | "verdict">>(
  endings: One[],
): { worst: One; ended: number }[] {
  const rank = ({ verdict }: One) => (verdict ? verdictRanks[verdict] : 0);
  const groups = new Map<string, { worst: One; ended: number }>();
  for (const ending of endings) {
    const key = `${ending.run_id} ${ending.test_id}`;
    const group = groups.get(key);
    if (!group) groups.set(key, { worst: ending, ended: 1 });
    else {
      group.ended += 1;
      if (rank(ending) > rank(group.worst)) group.worst = ending;
    }
  }
  return [...groups.values()];
}

const ranking = `array[${verdictRanking.map((verdict) => `'${verdict}'`)}]`;
const isWorse = `(worst.rank > coalesce(array_position(${ranking}, latest.verdict), 0))`;
const getWorse = (name: string) => sql.raw(`case when ${isWorse} then worst.${name} else latest.${name} end`);

/**
 * Updates the tests' last executions, in the order in which all transactions lock several of these rows: that of what is
 * given, since the plan looks them up by their key.
 * @param several runs from several places, by whose end it is decided whether their tests fail
 */
export async function updateLatest(
  db: QueryExecutorProvider,
  endings: Ending[],
  several: ReadonlySet<string>,
): Promise<void> {
  const toKey = ({ worst }: { worst: Ending }) => `${worst.organization_id} ${worst.test_id}`;
  const groups = groupByTest(endings).sort((one, other) => (toKey(one) < toKey(other) ? -1 : 1));
  const column = <Value>(read: (ending: Ending) => Value) => groups.map(({ worst }) => read(worst));
  const verdict = getWorse("verdict");
  await sql`${prepared("update_latest_executions")}
    with worst as (
      select * from unnest(
        ${column(({ organization_id }) => organization_id)}::uuid[],
        ${column(({ test_id }) => test_id)}::uuid[],
        ${column(({ run_id }) => run_id)}::uuid[],
        ${column(({ id }) => id)}::uuid[],
        ${column(({ verdict }) => verdict)}::text[],
        ${column(({ verdict }) => (verdict ? verdictRanks[verdict] : 0))}::int[],
        ${column((ending) => ending.status_code)}::int[],
        ${column((ending) => ending.response_milliseconds)}::float8[],
        ${column((ending) => ending.finished_at.toISOString())}::timestamptz[],
        ${groups.map(({ ended }) => ended)}::int[],
        ${column(({ run_id }) => several.has(run_id))}::bool[]
      ) as given(organization_id, test_id, run_id, execution_id, verdict, rank, status_code, response_milliseconds,
        finished_at, ended, is_of_several)
    )
    update ${table("latest_executions")} latest set
      pending = latest.pending - worst.ended,
      state = case when latest.pending > worst.ended then latest.state
        when coalesce(worst.verdict, latest.verdict) is null then 'cancelled' else 'finished' end,
      execution_id = ${getWorse("execution_id")},
      verdict = ${verdict},
      failing_since = case
        when worst.is_of_several then latest.failing_since
        when ${verdict} in ('failed', 'errored', 'blocked') then coalesce(latest.failing_since, worst.finished_at)
        when ${verdict} in ('passed', 'flaky') and latest.pending <= worst.ended then null
        else latest.failing_since end,
      status_code = ${getWorse("status_code")},
      response_milliseconds = ${getWorse("response_milliseconds")},
      finished_at = worst.finished_at
    from worst
    where latest.organization_id = worst.organization_id and latest.test_id = worst.test_id
      and latest.run_id = worst.run_id`.execute(db);
}
