import { type QueryExecutorProvider, sql } from "kysely";
import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Attempt, Cause } from "#contracts/test-executioner/attempts.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { firstIdOf } from "../../kit/database/id-time.ts";
import type { InTransaction } from "../../kit/database/pipeline.ts";
import { prepared } from "../../kit/database/prepared.ts";
import { getSeries } from "../domain/places/judged-places.ts";
import { isFailure } from "../domain/verdict.ts";
import { type CapturedValue, storeCaptures } from "./captures.ts";
import { type ClaimedExecution, releaseExecutions } from "./claims.ts";
import { maxDatedMilliseconds } from "./dated-details.ts";
import { detailsVersion, differencesVersion } from "./details.ts";
import { type Ending, endingColumns } from "./ending.ts";
import { lockDependentRuns, settleEndings } from "./endings.ts";
import type { PublishFinished } from "./finished-runs.ts";
import { table } from "./tables.ts";
import { releaseNext, type Taking, type Takings } from "./turns.ts";

/** An execution with the same response, which is stored completely. */
export interface UnchangedSince {
  executionId: string;
  /** From its attempts and verifications, see `applyDifferences`. */
  differences: string;
}

export interface ExecutionResult {
  execution: ClaimedExecution;
  verdict: Verdict;
  cause?: Cause;
  /** On the first failure, and on a wait; secrets redacted. */
  reason: string | null;
  /** Of failures: the requested host, and the credential that was rejected. */
  host: string | null;
  credentialId: string | null;
  /** Those to store. */
  attempts: Attempt[];
  attemptCount: number;
  /** Of the last attempt with a response, secrets redacted. */
  verifications: Verification[];
  /** For later members of a sequential run; secret values are sealed. */
  captures: CapturedValue[];
  /** Whether a success gave every value that the test captures, of which there is one at least. */
  gaveValues: boolean;
  statusCode: number | null;
  responseMilliseconds: number | null;
  sendingMilliseconds: number | null;
  finishedAt: Date;
  /** Set if only the differences are stored. */
  unchangedSince?: UnchangedSince;
  /** False if no other member of its run starts or ends because of it; true if that is not known. */
  mayMoveOthers: boolean;
  /** Set if its worker has capacity for another member of its run. */
  taking?: Taking;
}

export interface StoredResults {
  /** Ids. */
  written: Set<string>;
  handed: ClaimedExecution[];
  /** See `settleEndings`. */
  last: Promise<unknown>[];
}

/**
 * Ends executions with all consequences, in one transaction and in as many statements for 200 as for one. Returns the
 * ids that were written (a result whose fencing token is not the newest, or whose execution was deleted, changes
 * nothing), and the members that were claimed for workers that continue with their runs.
 * @param now when they are written, by the clock of their ends
 * @param onHanded receives such members as soon as they are certain to be claimed if the transaction commits
 */
export async function storeResults(
  db: InTransaction,
  results: ExecutionResult[],
  now: Date,
  tellFinished: PublishFinished,
  onHanded: (stored: Pick<StoredResults, "written" | "handed">) => void = () => {},
): Promise<StoredResults> {
  const moving = results.filter(({ mayMoveOthers }) => mayMoveOthers);
  const runIds = [...new Set(moving.map(({ execution }) => execution.run_id))];
  const failing = new Set(moving.flatMap(({ execution, verdict }) => (isFailure(verdict) ? [execution.run_id] : [])));
  // A failure may end waiting members. After successes, the next members are known before any response arrives.
  const goingOn = new Set(runIds.filter((id) => !failing.has(id)));
  const [dependentRuns, endings, early] = await Promise.all([
    lockDependentRuns(db, runIds),
    moveToEnded(db, results, now),
    releaseNext(db, [...goingOn], listTakings(moving)),
  ]);
  const sizes = new Map(dependentRuns.map(({ id, series_size }) => [id, series_size]));
  const written = new Set(endings.map(({ id }) => id));
  const giving = new Set(results.flatMap(({ execution, gaveValues }) => (gaveValues ? [execution.id] : [])));
  const stored = results.filter(({ execution }) => written.has(execution.id));
  const { handed, strays } = fillPlaces(early.handed, listTakings(stored));
  onHanded({ written, handed });
  const release = async (takingTurns: string[]) => {
    const late = takingTurns.filter((id) => !goingOn.has(id));
    const rest = await releaseNext(db, late, listTakings(stored));
    const returned = strays.map(({ organization_id }) => ({ organization_id, location_id: null }));
    const released = [...early.released, ...returned, ...rest.released];
    return { released, handed: [...handed, ...rest.handed] };
  };
  const [, , settled] = await Promise.all([
    storeCaptures(db, stored, ({ execution }) => getSeries(execution.position, sizes.get(execution.run_id))),
    releaseExecutions(db, strays),
    settleEndings(db, endings, dependentRuns, tellFinished, release, giving),
  ]);
  return { written, ...settled };
}

/** For each run, as many members as end and free capacity. */
function listTakings(results: ExecutionResult[]): Map<string, Takings> {
  const takings = new Map<string, Takings>();
  for (const { execution, taking } of results) {
    if (taking) takings.set(execution.run_id, { ...taking, max: (takings.get(execution.run_id)?.max ?? 0) + 1 });
  }
  return takings;
}

/** Returns members for which no capacity was freed, since the execution before them ended elsewhere. */
function fillPlaces(claimed: ClaimedExecution[], takings: ReadonlyMap<string, Takings>) {
  const places = new Map([...takings].map(([runId, { max: most }]) => [runId, most]));
  const filled = { handed: [] as ClaimedExecution[], strays: [] as ClaimedExecution[] };
  for (const member of [...claimed].sort((one, other) => one.position - other.position)) {
    const left = places.get(member.run_id) ?? 0;
    places.set(member.run_id, left - 1);
    (left > 0 ? filled.handed : filled.strays).push(member);
  }
  return filled;
}

/**
 * Moves the rows, in the order of their ids, in which all transactions lock several of them, and adds their details. A
 * lock of its own beforehand would be one more entry of each in the write-ahead log.
 */
async function moveToEnded(db: QueryExecutorProvider, given: ExecutionResult[], now: Date): Promise<Ending[]> {
  const results = given.toSorted((one, other) => (one.execution.id < other.execution.id ? -1 : 1));
  const column = <Value>(read: (result: ExecutionResult) => Value) => results.map(read);
  const { rows } = await sql<Ending>`${prepared("move_executions")}
    with result as (
      select * from unnest(
        ${column((result) => result.execution.id)}::uuid[],
        ${column((result) => result.execution.organization_id)}::uuid[],
        ${column((result) => result.execution.fencing_token)}::int[],
        ${column((result) => result.verdict)}::text[],
        ${column((result) => (result.cause ? JSON.stringify(result.cause) : null))}::text[],
        ${column((result) => result.reason)}::text[],
        ${column((result) => result.host)}::text[],
        ${column((result) => result.credentialId)}::uuid[],
        ${column((result) => result.attemptCount)}::int[],
        ${column((result) => result.statusCode)}::int[],
        ${column((result) => result.responseMilliseconds)}::float8[],
        ${column((result) => result.sendingMilliseconds)}::real[],
        ${column((result) => result.finishedAt.toISOString())}::timestamptz[]
      ) as given(id, organization_id, fencing_token, verdict, cause, reason, host, credential_id, attempt_count,
        status_code, response_milliseconds, sending_milliseconds, finished_at)
    ), ended as (
      delete from ${table("unfinished_executions")} execution using result
      where execution.id = result.id and execution.organization_id = result.organization_id
        and execution.fencing_token = result.fencing_token and execution.leased_until is not null
      returning execution.*
    ), details as (
      select ended.id, ended.organization_id, given.version, given.attempts, given.verifications, given.base_id,
        class.retention_days
      from ended join unnest(
        ${column((result) => result.execution.id)}::uuid[],
        ${column((result) => (result.unchangedSince ? differencesVersion : detailsVersion))}::int[],
        ${toLines(column((result) => result.unchangedSince?.differences ?? JSON.stringify(result.attempts)))},
        ${toLines(column((result) => (result.unchangedSince ? "[]" : JSON.stringify(result.verifications))))},
        ${column((result) => result.unchangedSince?.executionId ?? null)}::uuid[]
      ) as given(id, version, attempts, verifications, base_id) on given.id = ended.id
      left join ${table("retention_classes")} class on class.organization_id = ended.organization_id
        and class.is_current and ended.id > ${firstIdOf(new Date(now.getTime() - maxDatedMilliseconds))}::uuid
    ), dated as (
      insert into ${table("dated_details")}
        (execution_id, organization_id, schema_version, attempts, verifications, base_id, retention_days)
      select id, organization_id, version, attempts, verifications, base_id, retention_days from details
      where retention_days is not null
    ), undated as (
      insert into ${table("execution_details")}
        (execution_id, organization_id, schema_version, attempts, verifications, base_id)
      select id, organization_id, version, attempts, verifications, base_id from details where retention_days is null
    )
    insert into ${table("executions")} (id, organization_id, run_id, position, phase, test_id, test_version, test_name, api_id,
      method, path, row_index, row_name, location_id, agent_id, trigger, queued_at, started_at, state, verdict, cause, reason, host, credential_id,
      attempt_count, status_code, response_milliseconds, sending_milliseconds, storing_milliseconds, finished_at)
    select ended.id, ended.organization_id, ended.run_id, ended.position, ended.phase, ended.test_id, ended.test_version,
      ended.test_name, ended.api_id, ended.method, ended.path, ended.row_index, ended.row_name, ended.location_id,
      ended.agent_id, ended.trigger, ended.queued_at,
      ended.started_at, 'finished', result.verdict, result.cause, result.reason, result.host, result.credential_id,
      result.attempt_count, result.status_code, result.response_milliseconds, result.sending_milliseconds,
      greatest(0, extract(epoch from ${now.toISOString()}::timestamptz - result.finished_at) * 1000), result.finished_at
    from ended join result on result.id = ended.id
    returning ${endingColumns}`.execute(db);
  return rows;
}

/** An array of JSON texts. None contains a line break, so they are sent as lines, without being escaped again. */
function toLines(texts: string[]) {
  return sql`string_to_array(${texts.join("\n")}::text, chr(10))`;
}
