import { type RawBuilder, sql } from "kysely";
import type { RunMember } from "#contracts/test-executioner/runs.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { nameInRow } from "#libraries/template/placeholders.ts";
import type { Executor } from "../../kit/database/database.ts";
import { firstIdOf, timeOfId } from "../../kit/database/id-time.ts";
import { pageFrom, readPositionCursor } from "../../kit/database/keyset.ts";
import { isFailure, verdictRanking } from "../domain/verdict.ts";
import { describeLocation, sources } from "./executions.ts";
import { parseSnapshot } from "./snapshots.ts";
import { type ExecutionDatabase, type ExecutionRow, type ExecutionTables, type RunRow, table } from "./tables.ts";

/** @param run of a run from several places: its tests that fail from fewer than its rule says */
export function toMember(row: ExecutionRow, run: Pick<RunRow, "regional_test_ids">): RunMember {
  const isRegional = isFailure(row.verdict) && run.regional_test_ids?.includes(row.test_id);
  return {
    position: row.position,
    phase: row.phase,
    executionId: row.id,
    testId: row.test_id,
    testName: row.test_name,
    apiId: row.api_id,
    method: row.method,
    path: row.path,
    ...(row.row_index === null ? {} : { row: row.row_index + 1 }),
    ...(row.row_name === null ? {} : { rowName: row.row_name }),
    ...describeLocation(row),
    ...(isRegional ? { isRegional: true as const } : {}),
    state: row.state,
    verdict: row.verdict,
    reason: row.reason,
    attemptCount: row.attempt_count,
    statusCode: row.status_code,
    queuedAt: row.queued_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    durationMilliseconds:
      row.finished_at && row.started_at ? Math.max(0, row.finished_at.getTime() - row.started_at.getTime()) : null,
    responseMilliseconds: row.response_milliseconds,
    sendingMilliseconds: row.sending_milliseconds,
    storingMilliseconds: row.storing_milliseconds,
  };
}

const day = 86_400_000;
const failures = verdictRanking.filter(isFailure);

/** Members' ids are created right after their run's, so that the partitions of two months contain them all. */
export function ofRun(organizationId: string, runId: string): RawBuilder<unknown> {
  const madeAt = timeOfId(runId).getTime();
  return sql`run_id = ${runId}::uuid and organization_id = ${organizationId}::uuid
    and id >= ${firstIdOf(new Date(madeAt - day))}::uuid and id < ${firstIdOf(new Date(madeAt + day))}::uuid`;
}

/** Members in their order, in either table. */
export async function listMembers(
  db: Executor<ExecutionTables>,
  run: { organizationId: string; runId: string },
  filter: { after: number; verdicts?: Verdict[]; failing?: boolean; limit: number },
): Promise<ExecutionRow[]> {
  const { verdicts, failing } = filter;
  const verdict = verdicts ? sql` and verdict = any(${verdicts}::text[])` : sql``;
  const outcome =
    failing === undefined ? sql`` : sql` and (coalesce(verdict, '') = any(${failures}::text[])) = ${failing}::boolean`;
  const page = (source: RawBuilder<unknown>) => sql`
    (select * from ${source} member
    where ${ofRun(run.organizationId, run.runId)} and position > ${filter.after}${verdict}${outcome}
    order by position limit ${filter.limit})`;
  const { rows } = await sql<ExecutionRow>`
    select * from (${page(sources.unfinished)} union all ${page(sources.ended)}) both_places
    order by position limit ${filter.limit}`.execute(db);
  return rows;
}

/** Of a run, distinct, by their ids. */
export async function listTestIds(
  db: Executor<ExecutionTables>,
  run: { organizationId: string; runId: string },
): Promise<string[]> {
  const of = (source: RawBuilder<unknown>) =>
    sql`select test_id from ${source} member where ${ofRun(run.organizationId, run.runId)}`;
  const { rows } = await sql<{ test_id: string }>`
    select test_id from (${of(sources.unfinished)} union ${of(sources.ended)}) both_places order by test_id`.execute(
    db,
  );
  return rows.map(({ test_id }) => test_id);
}

export async function pageOfMembers(
  db: ExecutionDatabase,
  run: { organizationId: string; runId: string } & Pick<RunRow, "regional_test_ids">,
  filter: { cursor?: string; verdict?: Verdict; limit: number },
  failing?: boolean,
) {
  const rows = await listMembers(db, run, {
    after: filter.cursor ? readPositionCursor(filter.cursor) : 0,
    verdicts: filter.verdict && [filter.verdict],
    failing,
    limit: filter.limit + 1,
  });
  return pageFrom(
    rows,
    filter.limit,
    (row) => [row.position],
    (row) => toMember(row, run),
  );
}

/** Running members, and those finished beyond a position. A run's first waiting ones precede all running ones. */
export async function listMoving(
  db: ExecutionDatabase,
  run: { organizationId: string; runId: string },
  after: number,
): Promise<ExecutionRow[]> {
  const isOurs = ofRun(run.organizationId, run.runId);
  const { rows } = await sql<ExecutionRow>`
    select * from ${sources.unfinished} member
    where ${isOurs} and position > ${after} and state = 'running'
    union all
    select * from ${sources.ended} member where ${isOurs} and position > ${after}
    order by position`.execute(db);
  return rows;
}

/** The position of a run's first member that has not ended; undefined when all have. */
export async function findFirstUnfinished(
  db: ExecutionDatabase,
  run: { organizationId: string; runId: string },
): Promise<number | undefined> {
  const row = await db
    .selectFrom("unfinished_executions")
    .select("position")
    .where("run_id", "=", run.runId)
    .where("organization_id", "=", run.organizationId)
    .orderBy("position")
    .limit(1)
    .executeTakeFirst();
  return row?.position;
}

/**
 * Members whose test captures under this name, in their order, and whether it may find nothing. Only used to explain a
 * missing value.
 */
export async function listCapturing(
  db: Executor<ExecutionTables>,
  organizationId: string,
  runId: string,
  name: string,
): Promise<(RunMember & { isOptional: boolean })[]> {
  const isOurs = ofRun(organizationId, runId);
  const { rows } = await sql<ExecutionRow & { test: string }>`
    select member.*, snapshot.test from (
      select * from ${sources.unfinished} unfinished where ${isOurs}
      union all
      select * from ${sources.ended} ended where ${isOurs}
    ) member
    join ${table("test_snapshots")} snapshot
      on snapshot.test_id = member.test_id and snapshot.version = member.test_version
    where position(${JSON.stringify(name)} in snapshot.test) > 0
      or position(${JSON.stringify(name.replace(/\d+$/, "#"))} in snapshot.test) > 0
    order by member.position`.execute(db);
  return rows.flatMap((row) => {
    const { captures } = parseSnapshot(row.test);
    const capture = captures.find((one) => nameInRow(one.name, row.row_index) === name);
    return capture ? [{ ...toMember(row, { regional_test_ids: null }), isOptional: capture.optional === true }] : [];
  });
}
