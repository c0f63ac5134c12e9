import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { InTransaction } from "../../kit/database/pipeline.ts";
import { prepared } from "../../kit/database/prepared.ts";
import { setUpFailed, stoppedAfter } from "../domain/cause.ts";
import { getPositionInSeries, getSeries } from "../domain/places/judged-places.ts";
import { isFailure } from "../domain/verdict.ts";
import { parseCause } from "./causes.ts";
import { notifyChanges, notifyWork } from "./changes.ts";
import type { ClaimedExecution } from "./claims.ts";
import { toConfiguration } from "./configuration.ts";
import { addCounts } from "./counts.ts";
import { type Ending, endingColumns } from "./ending.ts";
import type { PublishFinished } from "./finished-runs.ts";
import { judgeByPlaces } from "./judged-by-places.ts";
import { lockOutcomes } from "./last-outcomes.ts";
import { updateLatest } from "./latest-endings.ts";
import { giveBack } from "./plan-quota.ts";
import { countEndings } from "./run-counts.ts";
import { parseSurroundings } from "./surroundings.ts";
import { type RunRow, table } from "./tables.ts";
import { lastPosition, type Released, releaseNext } from "./turns.ts";

/** A locked run whose members depend on each other: a finished member may let another start, or end it. */
export type DependentRun = Pick<RunRow, "id" | "execution_order" | "concurrency" | "stop_on_failure" | "series_size">;

/**
 * Such runs are locked before their members, so that when two transactions end members at once, the second sees what
 * the first left to release.
 */
export async function lockDependentRuns(db: QueryExecutorProvider, runIds: string[]): Promise<DependentRun[]> {
  if (runIds.length === 0) return [];
  const { rows } = await sql<DependentRun>`${prepared("lock_dependent_runs")}
    select id, execution_order, concurrency, stop_on_failure, series_size from ${table("runs")}
    where id = any(${[...new Set(runIds)]}::uuid[])
      and (execution_order = 'sequential' or concurrency is not null or stop_on_failure)
    order by id for update`.execute(db);
  return rows;
}

export async function lockRun(db: QueryExecutorProvider, runId: string): Promise<DependentRun[]> {
  const { rows } = await sql<DependentRun>`
    select id, execution_order, concurrency, stop_on_failure, series_size from ${table("runs")}
    where id = ${runId}::uuid for update`.execute(db);
  return rows;
}

/**
 * Ends executions that have not started, without a result. Executions that a worker is claiming concurrently are
 * skipped.
 * @param doomed rows of id, cause, reason and finished_at
 */
export async function endQueued(
  db: QueryExecutorProvider,
  doomed: RawBuilder<unknown>,
  end: { state: "cancelled" | "finished"; verdict: Verdict | null },
): Promise<Ending[]> {
  const { rows } = await sql<Ending>`
    with doomed as (${doomed}), ended as (
      delete from ${table("unfinished_executions")} execution using doomed
      where execution.id = doomed.id returning execution.*, doomed.cause, doomed.reason, doomed.finished_at
    ), moved as (
    insert into ${table("executions")} (id, organization_id, run_id, position, phase, test_id, test_version, test_name,
      api_id, method, path, row_index, row_name, location_id, trigger, queued_at, started_at, state, verdict, cause,
      reason, attempt_count, finished_at)
    select id, organization_id, run_id, position, phase, test_id, test_version, test_name, api_id, method, path,
      row_index, row_name, location_id, trigger, queued_at, started_at, ${end.state}, ${end.verdict}::text, cause, reason, 0, finished_at
    from ended
    returning ${endingColumns}
    )
    select moved.*, ended.reserves from moved join ended on ended.id = moved.id`.execute(db);
  return rows;
}

/** Cancels matching executions that have not started. */
export async function cancelQueued(
  db: QueryExecutorProvider,
  matching: RawBuilder<unknown>,
  now: Date,
  reason: string | null = null,
): Promise<Ending[]> {
  const doomed = sql`
    select id, null::text as cause, ${reason}::text as reason, ${now}::timestamptz as finished_at
    from ${table("unfinished_executions")}
    where state = 'queued' and ${matching} order by id for update skip locked`;
  return await endQueued(db, doomed, { state: "cancelled", verdict: null });
}

export interface Settled {
  /** Waiting members, claimed for the worker whose members ended. */
  handed: ClaimedExecution[];
  /** Statements sent last; nothing depends on their results, so the commit can be sent with them. */
  last: Promise<unknown>[];
}

/**
 * Applies the consequences of finished executions to tests, runs and waiting members.
 * @param release releases the next members of these runs if they take turns
 * @param giving ids of those that gave every value that they capture
 */
export async function settleEndings(
  db: InTransaction,
  endings: Ending[],
  dependentRuns: DependentRun[],
  publishFinished: PublishFinished,
  release: (runIds: string[]) => Promise<Released> = (runIds) => releaseNext(db, runIds),
  giving: ReadonlySet<string> = new Set(),
): Promise<Settled> {
  if (endings.length === 0) return { handed: [], last: [] };
  const all = [...endings, ...(await skipRest(db, endings, dependentRuns, giving))];
  const takingTurns = dependentRuns.flatMap(({ id, execution_order, concurrency }) =>
    execution_order === "sequential" || concurrency !== null ? [id] : [],
  );
  const several = new Set(dependentRuns.flatMap(({ id, series_size }) => (series_size === null ? [] : [id])));
  const [, counted, { released, handed }, , outcomes] = await Promise.all([
    updateLatest(db, all, several),
    countEndings(db, all),
    release(takingTurns),
    notifyChanges(db, all),
    lockOutcomes(db, all.flatMap(toJudged)),
  ]);
  const judged = await judgeByPlaces(
    db,
    counted.filter(({ id, unfinished }) => unfinished === 0 && several.has(id)),
  );
  const runs = counted.map((run) => judged.get(run.id)?.run ?? run);
  const members = [...judged.values()].flatMap((one) => one.members);
  await publishFinished(
    db,
    runs.filter(({ unfinished }) => unfinished === 0),
  );
  const byId = new Map(runs.map((run) => [run.id, { ...run, isOfPlaces: isOfPlaces(run) }]));
  const executions = all.flatMap((ending) =>
    toJudged(ending).map((one) => toCounted(ending, one, byId.get(ending.run_id), several.has(ending.run_id))),
  );
  // Last: rows of an organization and its APIs are shared by all transactions, and stay locked until this one ends.
  return {
    handed,
    last: [notifyWork(db, released), ...addCounts(db, executions, outcomes, members), giveBack(db, all)],
  };
}

/** Cancelled executions have no verdict to count. */
function toJudged({ id, organization_id, test_id, row_index, verdict, finished_at }: Ending) {
  if (verdict === null) return [];
  return [
    { id, organizationId: organization_id, testId: test_id, rowIndex: row_index, verdict, finishedAt: finished_at },
  ];
}

function toCounted(
  ending: Ending,
  judged: ReturnType<typeof toJudged>[number],
  run: (Pick<RunRow, "source_kind" | "test_circle_id" | "surroundings"> & { isOfPlaces: boolean }) | undefined,
  isOfSeveral: boolean,
) {
  const testCircleId = run?.source_kind === "circle" ? run.test_circle_id : null;
  const configuration = toConfiguration(ending, run?.surroundings ?? "", isOfSeveral);
  const { api_id: apiId, method, path, status_code: statusCode, response_milliseconds: responseMilliseconds } = ending;
  const causeCode = parseCause(ending.cause)?.code ?? null;
  return {
    ...{ ...judged, apiId, testCircleId, configuration, method, path, statusCode, causeCode, responseMilliseconds },
    place: run?.isOfPlaces ? { id: ending.location_id, isOneOfSeveral: isOfSeveral } : undefined,
  };
}

/** Whether its circle names several places, also if they take turns. Cheap for all others. */
function isOfPlaces({ surroundings }: Pick<RunRow, "surroundings">): boolean {
  return surroundings.includes('"places":') && parseSurroundings(surroundings).places !== undefined;
}

/**
 * Ends members that have not started in runs that stop at their first failure, and in those whose set-up failed;
 * tear-down runs all the same. Set-up that gave what the others need may fail for the rest of its response: they run.
 */
async function skipRest(
  db: QueryExecutorProvider,
  endings: Ending[],
  dependentRuns: DependentRun[],
  giving: ReadonlySet<string>,
): Promise<Ending[]> {
  const failures = endings
    .filter(({ verdict, phase }) => isFailure(verdict) && phase !== "tearDown")
    .sort((a, b) => a.position - b.position);
  const ends = dependentRuns.flatMap(({ id, stop_on_failure, series_size: size }) => {
    const ofRun = failures.filter(({ run_id }) => run_id === id);
    // Each place stops on its own.
    const places = [...new Set(ofRun.map(({ position }) => getSeries(position, size)))];
    return places.flatMap((series) => {
      const own = ofRun.filter(({ position }) => getSeries(position, size) === series);
      const first = stop_on_failure ? own[0] : own.find((one) => one.phase === "setUp" && !giving.has(one.id));
      if (!first) return [];
      const { test_name: testName, verdict, phase, finished_at } = first;
      const member = { position: getPositionInSeries(first.position, size), testName, verdict: verdict! };
      const cause = phase === "setUp" ? setUpFailed(member) : stoppedAfter(member);
      return [
        {
          id,
          cause,
          finished_at,
          behind: (size ?? 0) * series,
          upTo: size === null ? lastPosition : size * (series + 1),
        },
      ];
    });
  });
  if (ends.length === 0) return [];
  const doomed = sql`
    select execution.id, given.cause, given.reason, given.finished_at
    from ${table("unfinished_executions")} execution
    join unnest(
      ${ends.map(({ id }) => id)}::uuid[],
      ${ends.map(({ cause }) => JSON.stringify(cause))}::text[],
      ${ends.map(({ cause }) => cause.detail)}::text[],
      ${ends.map(({ finished_at }) => finished_at.toISOString())}::timestamptz[],
      ${ends.map(({ behind }) => behind)}::int[],
      ${ends.map(({ upTo }) => upTo)}::int[]
    ) as given(run_id, cause, reason, finished_at, behind, up_to) on given.run_id = execution.run_id
      and execution.position > given.behind and execution.position <= given.up_to
    where execution.state = 'queued' and execution.phase <> 'tearDown'
    order by execution.id for update of execution skip locked`;
  return await endQueued(db, doomed, { state: "finished", verdict: "skipped" });
}
