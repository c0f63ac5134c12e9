import { type RawBuilder, sql } from "kysely";
import type { Failure, TestHistory } from "#contracts/test-executioner/histories.ts";
import type { ExecutionVerdict, RunTrigger } from "#contracts/test-executioner/verdicts.ts";
import type { Executor } from "../../kit/database/database.ts";
import { firstIdOf, timeOfId } from "../../kit/database/id-time.ts";
import { conclusiveVerdicts, isConclusive, mayFollow } from "../domain/history.ts";
import { type JudgedResult, judgeHistory, type PlacedResult } from "../domain/places/place-histories.ts";
import { isFailure, verdictRanking } from "../domain/verdict.ts";
import { parseCause } from "./causes.ts";
import { ofRun } from "./members.ts";
import { type KnownPlaces, readRunPlaces } from "./run-places.ts";
import { parseSnapshot } from "./snapshots.ts";
import { type ApiSurroundings, parseSurroundings } from "./surroundings.ts";
import { type ExecutionTables, type RunRow, table } from "./tables.ts";

type Db = Executor<ExecutionTables>;

/** Maximum failed tests of a run that get a history each: a thousand mean that everything is broken. */
const maxFailed = 1_000;
const maxResults = 20;
/** Outside of circles, runs are found by a test's executions: maximum number read. */
const executionsBack = 200;
const hour = 3_600_000;

const executions = table("executions");
const runs = table("runs");
const worstFirst = sql.raw(
  `array_position(array[${verdictRanking.map((verdict) => `'${verdict}'`).join(", ")}], execution.verdict) desc, execution.position`,
);
const failing = verdictRanking.filter(isFailure);

/** Executions of a run have ids right above its own. */
const within = (run: RawBuilder<unknown>, until: RawBuilder<unknown>) =>
  sql`execution.id > ${run} and execution.id < ${until}`;
const getEnd = (runId: string) => firstIdOf(new Date(timeOfId(runId).getTime() + hour));

/** The failed and the requested tests of a run, each with its last results in the same circle or environment. */
export async function readHistories(db: Db, run: RunRow, testIds: string[]): Promise<TestHistory[]> {
  const members = await listTests(db, run, testIds);
  const subjects = [
    ...new Set([...members.filter(({ has_failed }) => has_failed).map((row) => row.test_id), ...testIds]),
  ];
  const pairs = run.test_circle_id ? await pairInCircle(db, run, subjects) : await pairOutside(db, run, subjects);
  const results = await listResults(db, run.organization_id, pairs);
  const places = await readRunPlaces(db, run.organization_id, [...new Set(results.map(({ runId }) => runId))]);
  const byTest = new Map(subjects.map((testId): [string, Result[]] => [testId, []]));
  for (const row of results) byTest.get(row.test_id)!.push(row);
  const described = await describeTests(
    db,
    run,
    [...byTest.values()].flatMap((own) => own.slice(-1)),
  );
  const memberIds = new Set(members.map(({ test_id }) => test_id));
  return described.map((test) => {
    const own = byTest.get(test.testId)!.filter(isConclusiveResult);
    const judged = judgeHistory(own, places.find).slice(-maxResults);
    return {
      ...{ ...test, isMember: memberIds.has(test.testId) },
      results: judged.map((one) => toResult(one, places)),
    };
  });
}

/** Tests of the run that failed or were requested. */
async function listTests(db: Db, run: RunRow, testIds: string[]) {
  const isOurs = ofRun(run.organization_id, run.id);
  const { rows } = await sql<{ test_id: string; has_failed: boolean }>`
    select test_id, bool_or(verdict = any(${failing}::text[])) as has_failed from ${executions} execution
    where ${isOurs} and (verdict = any(${failing}::text[]) or test_id = any(${testIds}::uuid[]))
    group by test_id order by min(position) limit ${maxFailed + testIds.length}`.execute(db);
  return rows;
}

interface Pair {
  testId: string;
  runId: string;
}

/** The circle's last runs apply to each of its tests. */
async function pairInCircle(db: Db, run: RunRow, testIds: string[]): Promise<Pair[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${runs} where organization_id = ${run.organization_id}::uuid
      and test_circle_id = ${run.test_circle_id}::uuid and finished_at is not null
    order by id desc limit ${maxResults}`.execute(db);
  const runIds = new Set([...rows.map(({ id }) => id), run.id]);
  return testIds.flatMap((testId) => [...runIds].map((runId) => ({ testId, runId })));
}

/** Runs without a circle, with the same environment of the test's API. */
async function pairOutside(db: Db, run: RunRow, testIds: string[]): Promise<Pair[]> {
  const { rows } = await sql<{ test_id: string; api_id: string; run_id: string; surroundings: string }>`
    with known as (
      select distinct subject.test_id, execution.api_id, execution.run_id
      from unnest(${testIds}::uuid[]) as subject(test_id), lateral (
        select api_id, run_id from ${executions}
        where organization_id = ${run.organization_id}::uuid and test_id = subject.test_id
        order by id desc limit ${executionsBack}
      ) execution
      union
      select test_id, api_id, run_id from ${executions}
      where ${ofRun(run.organization_id, run.id)} and test_id = any(${testIds}::uuid[])
    )
    select known.*, run.surroundings from known join ${runs} run on run.id = known.run_id
      and run.test_circle_id is null and run.finished_at is not null`.execute(db);
  const apis = new Map<string, ApiSurroundings[]>();
  const getApis = ({ run_id, surroundings }: (typeof rows)[0]) => {
    if (!apis.has(run_id)) apis.set(run_id, parseSurroundings(surroundings).apis);
    return apis.get(run_id)!;
  };
  const own = parseSurroundings(run.surroundings).apis;
  return rows
    .filter((row) => getEnvironment(getApis(row), row.api_id) === getEnvironment(own, row.api_id))
    .map((row) => ({ testId: row.test_id, runId: row.run_id }));
}

function getEnvironment(apis: ApiSurroundings[], apiId: string): string {
  const api = apis.find((one) => one.apiId === apiId);
  // The override precedes the environment.
  return api?.baseUrls[0] ?? api?.environment ?? "";
}

interface Result extends PlacedResult {
  id: string;
  test_id: string;
  test_version: number;
  test_name: string;
  method: string;
  path: string;
  api_id: string;
  run_id: string;
  position: number;
  verdict: ExecutionVerdict;
  cause: string | null;
  reason: string | null;
  status_code: number | null;
  host: string | null;
  credential_id: string | null;
  finished_at: Date;
  trigger: RunTrigger;
  is_sequential: boolean;
  reason_position: number | null;
  first_test_id: string | null;
  first_test_name: string | null;
}

/** For each test in each run the worst of its executions, at each of several places; oldest first. */
async function listResults(db: Db, organizationId: string, pairs: Pair[]): Promise<Result[]> {
  const { rows } = await sql<Result>`
    select worst.*, worst.run_id as "runId", worst.location_id as "placeId", worst.finished_at as at, run.trigger, run.execution_order = 'sequential' as is_sequential, run.reason_position,
      first.test_id as first_test_id, first.test_name as first_test_name
    from unnest(
      ${pairs.map(({ testId }) => testId)}::uuid[],
      ${pairs.map(({ runId }) => runId)}::uuid[],
      ${pairs.map(({ runId }) => getEnd(runId))}::uuid[]
    ) as pair(test_id, run_id, until)
    join ${runs} run on run.id = pair.run_id and run.organization_id = ${organizationId}::uuid
    cross join lateral (
      select distinct on (case when run.series_size is not null then location_id end)
        id, test_id, test_version, test_name, method, path, api_id, run_id, position, verdict, cause, reason,
        status_code, host, credential_id, finished_at, location_id
      from ${executions} execution
      where organization_id = ${organizationId}::uuid and execution.test_id = pair.test_id
        and execution.run_id = pair.run_id and ${within(sql`pair.run_id`, sql`pair.until`)}
        and execution.verdict = any(${conclusiveVerdicts}::text[])
      order by case when run.series_size is not null then location_id end, ${worstFirst}
    ) worst
    left join lateral (
      select test_id, test_name from ${executions} execution
      where execution.run_id = run.id and execution.position = run.reason_position
        and ${within(sql`pair.run_id`, sql`pair.until`)}
      limit 1
    ) first on run.reason_position < worst.position and (run.series_size is null
      or (run.reason_position - 1) / run.series_size = (worst.position - 1) / run.series_size)
    order by run.id`.execute(db);
  return rows;
}

function isConclusiveResult(row: Result): boolean {
  return isConclusive({ verdict: row.verdict, causeCode: parseCause(row.cause)?.code ?? null, trigger: row.trigger });
}

function toResult({ result, hasFailed, places }: JudgedResult<Result>, known: KnownPlaces): TestHistory["results"][0] {
  const { runId } = result;
  return {
    runId,
    finishedAt: result.finished_at.toISOString(),
    failure: hasFailed ? { ...getFailure(result), ...(places ? known.describe(runId, places) : {}) } : null,
  };
}

function getFailure(row: Result): Failure {
  const found = parseCause(row.cause);
  const causeCode = found?.code ?? null;
  const run = { isSequential: row.is_sequential, firstFailure: row.reason_position };
  const hasFirst = row.first_test_id !== null && mayFollow({ position: row.position, causeCode }, run);
  return {
    executionId: row.id,
    verdict: row.verdict,
    reason: row.reason,
    causeCode,
    causePhase: found?.phase ?? null,
    statusCode: row.status_code,
    host: row.host,
    credentialId: row.credential_id,
    after: hasFirst ? { testId: row.first_test_id!, testName: row.first_test_name! } : null,
  };
}

type Described = Omit<TestHistory, "isMember" | "results">;

/** Tests as of their last execution. */
async function describeTests(db: Db, run: RunRow, newest: Result[]): Promise<Described[]> {
  const { rows } = await sql<{ test_id: string; test: string }>`
    select snapshot.test_id, snapshot.test from ${table("test_snapshots")} snapshot
    join unnest(
      ${newest.map((row) => row.test_id)}::uuid[], ${newest.map((row) => row.test_version)}::int[]
    ) as given(test_id, version) on snapshot.test_id = given.test_id and snapshot.version = given.version
    where snapshot.organization_id = ${run.organization_id}::uuid`.execute(db);
  const tags = new Map(rows.map((row) => [row.test_id, parseSnapshot(row.test).tags]));
  const { apis } = parseSurroundings(run.surroundings);
  return newest.map((row) => ({
    testId: row.test_id,
    testName: row.test_name,
    method: row.method,
    path: row.path,
    tags: tags.get(row.test_id) ?? [],
    apiId: row.api_id,
    apiName: apis.find(({ apiId }) => apiId === row.api_id)?.apiName ?? "",
    environment: run.test_circle_id ? "" : getEnvironment(apis, row.api_id),
    environmentUsed: getEnvironment(apis, row.api_id),
  }));
}
