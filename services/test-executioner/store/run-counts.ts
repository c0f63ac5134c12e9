import { type QueryExecutorProvider, sql } from "kysely";
import { executionVerdicts } from "#contracts/test-executioner/verdicts.ts";
import { prepared } from "../../kit/database/prepared.ts";
import { isFailure, verdictRanking, worstVerdict } from "../domain/verdict.ts";
import type { Ending } from "./ending.ts";
import { type FinishedRun, finishedColumns } from "./finished-runs.ts";
import { table } from "./tables.ts";
import { lastPosition } from "./turns.ts";

const columns = sql.raw(executionVerdicts.join(", "));
const sums = sql.raw(executionVerdicts.map((verdict) => `${verdict} = run.${verdict} + given.${verdict}`).join(", "));
const isFirst = sql.raw(`(given.reason_position < coalesce(run.reason_position, ${lastPosition}))`);
const isOver = sql.raw("(run.unfinished = given.ended)");
const ranking = sql.raw(`array[${verdictRanking.map((verdict) => `'${verdict}'`)}]`);

export type CountedRun = FinishedRun & { unfinished: number };

/** Executions of one run that ended in this batch. */
function summarize(runId: string, endings: Ending[]) {
  const failure = endings
    .filter(({ verdict }) => isFailure(verdict))
    .reduce<Ending | undefined>((first, one) => (first && first.position < one.position ? first : one), undefined);
  const moments = endings.flatMap(({ started_at }) => (started_at ? [started_at.getTime()] : []));
  return {
    runId,
    ended: endings.length,
    counts: executionVerdicts.map((verdict) => endings.filter((ending) => ending.verdict === verdict).length),
    cancelled: endings.filter(({ verdict }) => verdict === null).length,
    verdict: worstVerdict(endings.map(({ verdict }) => verdict)),
    reason: failure?.reason ?? null,
    reasonPosition: failure?.position ?? null,
    startedAt: moments.length > 0 ? new Date(Math.min(...moments)).toISOString() : null,
    finishedAt: new Date(Math.max(...endings.map(({ finished_at }) => finished_at.getTime()))).toISOString(),
  };
}

/**
 * Adds endings to the counts of their runs and ends runs without pending members; the verdict is the worst so far.
 * @returns these runs; of those that ended now, none is `unfinished`
 */
export async function countEndings(db: QueryExecutorProvider, endings: Ending[]): Promise<CountedRun[]> {
  const byRun = new Map<string, Ending[]>();
  for (const ending of endings) byRun.set(ending.run_id, [...(byRun.get(ending.run_id) ?? []), ending]);
  const runs = [...byRun].map(([runId, own]) => summarize(runId, own));
  const { rows } = await sql<CountedRun>`${prepared("count_endings")}
    with given as (
      select * from unnest(
        ${runs.map(({ runId }) => runId)}::uuid[],
        ${runs.map(({ ended }) => ended)}::int[],
        ${runs.map(({ cancelled }) => cancelled)}::int[],
        ${runs.map(({ verdict }) => verdict)}::text[],
        ${runs.map(({ reason }) => reason)}::text[],
        ${runs.map(({ reasonPosition }) => reasonPosition)}::int[],
        ${runs.map(({ startedAt }) => startedAt)}::timestamptz[],
        ${runs.map(({ finishedAt }) => finishedAt)}::timestamptz[],
        ${sql.join(executionVerdicts.map((_, index) => sql`${runs.map(({ counts }) => counts[index]!)}::int[]`))}
      ) as given(id, ended, cancelled, verdict, reason, reason_position, started_at, finished_at,
        ${columns})
    ), locked as (
      select run.id from ${table("runs")} run join given on given.id = run.id order by run.id for update of run
    )
    update ${table("runs")} run set
      unfinished = run.unfinished - given.ended,
      cancelled = run.cancelled + given.cancelled,
      ${sums},
      verdict = case when coalesce(array_position(${ranking}, given.verdict), 0)
        > coalesce(array_position(${ranking}, run.verdict), 0) then given.verdict else run.verdict end,
      reason = case when ${isFirst} then given.reason else run.reason end,
      reason_position = case when ${isFirst} then given.reason_position else run.reason_position end,
      started_at = coalesce(run.started_at, given.started_at),
      finished_at = case when ${isOver} then given.finished_at else run.finished_at end,
      state = case
        when ${isOver} and (run.is_cancelled or run.cancelled + given.cancelled = run.executions) then 'cancelled'
        when ${isOver} then 'finished'
        else run.state end
    from given, locked where run.id = given.id and locked.id = run.id
    returning ${finishedColumns}`.execute(db);
  return rows;
}
