import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { Cause } from "../contract/attempts.ts";
import type { Verdict } from "../contract/verdicts.ts";
import { stoppedAfter } from "../domain/cause.ts";
import { isFailure } from "../domain/verdict.ts";
import { tellChanges, tellWork } from "./changes.ts";
import { countExecutions } from "./counts.ts";
import { type Ending, endingColumns } from "./ending.ts";
import type { TellFinished } from "./finished-runs.ts";
import { updateLatest } from "./latest-endings.ts";
import { countEndings } from "./run-counts.ts";
import { type ExecutionTables, table } from "./tables.ts";

/**
 * Runs whose members depend on each other are locked before their members, so that of two that end members at once the
 * second sees what the first left to release.
 */
export async function lockOrderedRuns(db: Executor<ExecutionTables>, runIds: string[]): Promise<void> {
  await sql`
    select id from ${table("runs")}
    where id = any(${[...new Set(runIds)]}::uuid[]) and (execution_order = 'sequential' or stop_on_failure)
    order by id for update`.execute(db);
}

export async function lockRun(db: Executor<ExecutionTables>, runId: string): Promise<void> {
  await sql`select id from ${table("runs")} where id = ${runId}::uuid for update`.execute(db);
}

/** Ends what has not started and matches, without a result. What a worker takes at this moment is left to it. */
export async function endQueued(
  db: Executor<ExecutionTables>,
  matching: RawBuilder<unknown>,
  end: { state: "cancelled" | "finished"; verdict: Verdict | null; cause: Cause | null; now: Date },
): Promise<Ending[]> {
  const { rows } = await sql<Ending>`
    with doomed as (
      select id from ${table("unfinished_executions")}
      where state = 'queued' and ${matching} order by id for update skip locked
    ), ended as (
      delete from ${table("unfinished_executions")} execution using doomed
      where execution.id = doomed.id returning execution.*
    )
    insert into ${table("executions")} (id, organization_id, run_id, position, test_id, test_version, test_name, api_id,
      method, path, row_index, trigger, queued_at, started_at, state, verdict, cause, reason, attempt_count, finished_at)
    select id, organization_id, run_id, position, test_id, test_version, test_name, api_id, method, path, row_index,
      trigger, queued_at, started_at, ${end.state}, ${end.verdict}::text,
      ${end.cause && JSON.stringify(end.cause)}::text, ${end.cause?.detail ?? null}::text, 0, ${end.now}::timestamptz
    from ended
    returning ${endingColumns}`.execute(db);
  return rows;
}

/** Everything that follows from executions having ended: of the tests, of their runs, and of the members that wait. */
export async function settleEndings(
  db: Transaction<ExecutionTables>,
  endings: Ending[],
  tellFinished: TellFinished,
): Promise<void> {
  if (endings.length === 0) return;
  const all = [...endings, ...(await stopRuns(db, endings))];
  await updateLatest(db, all);
  await tellFinished(db, await countEndings(db, all));
  const released = await releaseNext(db, [...new Set(endings.map(({ run_id }) => run_id))]);
  await tellChanges(db, all);
  if (released > 0) await tellWork(db);
  // Last: rows of an organization and its APIs are everybody's, and stay locked until the transaction ends.
  await countExecutions(db, all.flatMap(toCounted));
}

/** What was cancelled has no verdict to count. */
function toCounted(ending: Ending) {
  if (ending.verdict === null) return [];
  return {
    id: ending.id,
    organizationId: ending.organization_id,
    apiId: ending.api_id,
    testId: ending.test_id,
    method: ending.method,
    path: ending.path,
    rowIndex: ending.row_index,
    verdict: ending.verdict,
    statusCode: ending.status_code,
    causeCode: ending.cause && (JSON.parse(ending.cause) as Cause).code,
    responseMilliseconds: ending.response_milliseconds,
    finishedAt: ending.finished_at,
  };
}

/** Ends what has not started of runs that stop at their first failure. */
async function stopRuns(db: Executor<ExecutionTables>, endings: Ending[]): Promise<Ending[]> {
  const failures = endings.filter(({ verdict }) => isFailure(verdict)).sort((a, b) => a.position - b.position);
  if (failures.length === 0) return [];
  const runs = await db
    .selectFrom("runs")
    .select("id")
    .where("id", "=", sql<string>`any(${failures.map(({ run_id }) => run_id)}::uuid[])`)
    .where("stop_on_failure", "=", true)
    .orderBy("id")
    .execute();
  const skipped: Ending[] = [];
  for (const { id } of runs) {
    const failure = failures.find(({ run_id }) => run_id === id)!;
    const cause = stoppedAfter({ position: failure.position, testName: failure.test_name, verdict: failure.verdict! });
    const end = { state: "finished" as const, verdict: "skipped" as const, cause, now: failure.finished_at };
    skipped.push(...(await endQueued(db, sql`run_id = ${id}::uuid`, end)));
  }
  return skipped;
}

/** In sequential runs the next member becomes claimable once none before it waits or runs. Answers how many did. */
export async function releaseNext(db: Executor<ExecutionTables>, runIds: string[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with next as (
      select (
        select id from ${table("unfinished_executions")} member
        where member.run_id = run.id order by position limit 1
      ) as id
      from ${table("runs")} run
      where run.id = any(${runIds}::uuid[]) and run.execution_order = 'sequential' and run.unfinished > 0
    )
    update ${table("unfinished_executions")} execution set is_released = true
    from next where execution.id = next.id and not execution.is_released
    returning execution.id`.execute(db);
  return rows.length;
}
