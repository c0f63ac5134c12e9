import { type RawBuilder, sql, type Transaction } from "kysely";
import { executionVerdicts } from "#contracts/test-executioner/verdicts.ts";
import { isFailure, verdictRanking } from "../domain/verdict.ts";
import type { CountTables } from "./count-tables.ts";
import { type ExecutionSum, sumDays, sumExecutions } from "./execution-sums.ts";
import { type FinishedRun, finishedColumns, type PublishFinished } from "./finished-runs.ts";
import { retryDeadlock } from "./retry-deadlock.ts";
import { type ExecutionDatabase, type ExecutionTables, type RunRow, table } from "./tables.ts";

type Db = Transaction<ExecutionTables>;

/** Runs per transaction: their results wait until it ends. */
const runsOfStep = 500;

const ids = (names: readonly string[], of?: string) =>
  sql.join(names.map((name) => (of === undefined ? sql.id(name) : sql.id(of, name))));

/**
 * Replaces an organization's counts by the sums of its executions.
 * @param conclude receives the number of wrong rows by table, in the transaction that corrected them
 */
export async function recountExecutions<Outcome>(
  db: ExecutionDatabase,
  organizationId: string,
  conclude: (transaction: Db, corrected: Record<keyof CountTables, number>) => Promise<Outcome>,
): Promise<Outcome> {
  return await retryDeadlock(() =>
    db.transaction().execute(async (transaction) => {
      const sums = [...sumExecutions({ organizationId, knowsCircles: true }), sumDays(organizationId)];
      // In the order in which counting writes to them: a transaction that has not counted yet waits and adds to
      // corrected rows, and one that has counted has committed, so that the next statements see its executions.
      const tables = sql.join(sums.map(({ name }) => table(name)));
      await sql`lock table ${tables} in share row exclusive mode`.execute(transaction);
      const corrected = {} as Record<keyof CountTables, number>;
      for (const sum of sums) {
        corrected[sum.name] = await correct(transaction, organizationId, sum);
      }
      return await conclude(transaction, corrected);
    }),
  );
}

/** Writes only rows that differ. */
async function correct(db: Db, organizationId: string, { name, keys, values, select }: ExecutionSum): Promise<number> {
  const columns = ids([...keys, ...values]);
  const isSame = sql.join(
    keys.map((key) => sql`${sql.id("right", key)} = ${sql.id("known", key)}`),
    sql` and `,
  );
  const { rows } = await sql<{ corrected: number }>`
    with correct as materialized (${select}),
    removed as (
      delete from ${table(name)} known where organization_id = ${organizationId}::uuid
        and not exists (select from correct as "right" where ${isSame}) returning 1
    ), written as (
      insert into ${table(name)} as known (${columns}) select ${columns} from correct
      on conflict (${ids(keys)}) do update set ${sql.join(values.map((value) => sql`${sql.id(value)} = ${sql.id("excluded", value)}`))}
      where (${ids(values, "known")}) is distinct from (${ids(values, "excluded")}) returning 1
    )
    select ((select count(*) from removed) + (select count(*) from written))::int as corrected`.execute(db);
  return rows[0]!.corrected;
}

const ranking = sql.raw(`array[${verdictRanking.map((verdict) => `'${verdict}'`)}]`);
const failures = sql.raw(`(${verdictRanking.filter(isFailure).map((verdict) => `'${verdict}'`)})`);
const runValues = ["unfinished", "cancelled", ...executionVerdicts, "verdict", "reason", "reason_position"];

/**
 * Corrects runs' counts from their members, step by step; a run that seemed to be running although all members have
 * ended, ends. A run that lost members with their test stays as it was.
 * @returns how many were wrong
 */
export async function recountRuns(
  db: ExecutionDatabase,
  organizationId: string,
  publishFinished: PublishFinished,
): Promise<number> {
  let corrected = 0;
  let after: RawBuilder<unknown> = sql`'00000000-0000-0000-0000-000000000000'`;
  for (;;) {
    const recountStep = async (transaction: Db) => {
      const { rows } = await sql<{ id: string }>`
        select id from ${table("runs")} where organization_id = ${organizationId}::uuid and id > ${after}::uuid
        order by id limit ${runsOfStep} for update`.execute(transaction);
      const runIds = rows.map(({ id }) => id);
      const runs = runIds.length > 0 ? await correctRuns(transaction, runIds) : [];
      await publishFinished(
        transaction,
        runs.filter(({ unfinished, state_before }) => unfinished === 0 && !hasEnded(state_before)),
      );
      return { runIds, corrected: runs.length };
    };
    const step = await retryDeadlock(() => db.transaction().execute(recountStep));
    corrected += step.corrected;
    if (step.runIds.length < runsOfStep) return corrected;
    after = sql`${step.runIds.at(-1)}`;
  }
}

const hasEnded = (state: RunRow["state"]) => state === "finished" || state === "cancelled";

/**
 * In a statement after the one that locked them: a transaction that stored a member's result has counted it by then.
 */
async function correctRuns(db: Db, runIds: string[]) {
  const { rows } = await sql<FinishedRun & { unfinished: number; state_before: RunRow["state"] }>`
    with ended as (
      select run_id, count(*)::int as members, count(*) filter (where verdict is null)::int as cancelled,
        ${sql.join(executionVerdicts.map((verdict) => sql`count(*) filter (where verdict = ${sql.lit(verdict)})::int as ${sql.id(verdict)}`))},
        (${ranking})[max(array_position(${ranking}, verdict))] as verdict,
        (array_agg(reason order by position) filter (where verdict in ${failures}))[1] as reason,
        min(position) filter (where verdict in ${failures}) as reason_position,
        max(finished_at) as finished_at
      from ${table("executions")} where run_id = any(${runIds}::uuid[]) group by run_id
    ), waiting as (
      select run_id, count(*)::int as members from ${table("unfinished_executions")}
      where run_id = any(${runIds}::uuid[]) group by run_id
    ), correct as (
      select run.id, run.state as state_before, coalesce(waiting.members, 0) as unfinished,
        coalesce(ended.cancelled, 0) as cancelled,
        ${sql.join(executionVerdicts.map((verdict) => sql`coalesce(${sql.id("ended", verdict)}, 0) as ${sql.id(verdict)}`))},
        ended.verdict, ended.reason, ended.reason_position, ended.finished_at
      from ${table("runs")} run
      left join ended on ended.run_id = run.id left join waiting on waiting.run_id = run.id
      where run.id = any(${runIds}::uuid[]) and (run.series_size is null or run.finished_at is null)
        and coalesce(ended.members, 0) + coalesce(waiting.members, 0) = run.executions
    )
    update ${table("runs")} run set
      ${sql.join(runValues.map((value) => sql`${sql.id(value)} = ${sql.id("correct", value)}`))},
      state = case
        when correct.unfinished = 0 and (run.is_cancelled or correct.cancelled = run.executions) then 'cancelled'
        when correct.unfinished = 0 then 'finished'
        when run.state in ('finished', 'cancelled') then 'running'
        else run.state end,
      finished_at = case when correct.unfinished = 0 then coalesce(run.finished_at, correct.finished_at) end
    from correct
    where correct.id = run.id and (${ids(runValues, "run")}) is distinct from (${ids(runValues, "correct")})
    returning ${finishedColumns}, correct.state_before`.execute(db);
  return rows;
}
