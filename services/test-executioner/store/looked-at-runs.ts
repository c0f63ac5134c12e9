import { type Kysely, sql, type Transaction } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { firstIdOf } from "../../kit/database/id-time.ts";
import {
  attemptBytes,
  type DetailsRow,
  detailColumns,
  detailsVersion,
  detailsWithBase,
  differencesVersion,
  toDetails,
} from "./details.ts";
import { type ExecutionDatabase, type ExecutionTables, schemaName, table } from "./tables.ts";

/** Up to which run each organization's responses were looked at: for dependencies, or for what tests notice. */
export type LookTable = "looked_at_runs" | "noticed_runs";

export const createLookTable = (name: LookTable) => async (db: Kysely<AnyTables>) => {
  await sql`
    create table ${sql.id(schemaName, name)} (
      organization_id uuid primary key,
      run_id uuid not null,
      unfinished uuid[] not null,
      claims integer not null,
      due_at timestamptz not null
    )`.execute(db);
};

export interface Look {
  organizationId: string;
  /** The newest run that was reached. */
  runId: string;
  /** Those before it that had not finished. */
  unfinished: string[];
  claims: number;
}

/** Far longer than a look takes, so that only a dead process loses its claim. */
const claimedMilliseconds = 120_000;
/** Older runs are not looked at: a portal that was stopped, or is new to this, does not read its whole history. */
const maxAgeMilliseconds = 24 * 60 * 60 * 1_000;
/** Runs that start at the same moment may become visible in another order. */
const settlingMilliseconds = 3_000;
const maxUnfinished = 100;

const reachedBy = (now: Date) => ({
  oldest: firstIdOf(new Date(now.getTime() - maxAgeMilliseconds)),
  newest: firstIdOf(new Date(now.getTime() - settlingMilliseconds)),
});

/** Claims organizations with runs that were not looked at, those that waited longest first. */
export async function claimLooks(
  db: ExecutionDatabase,
  now: Date,
  max: number,
  name: LookTable = "looked_at_runs",
): Promise<Look[]> {
  const { oldest, newest } = reachedBy(now);
  const { rows } = await sql<{ organization_id: string; run_id: string; unfinished: string[]; claims: number }>`
    with recursive known as (
      (select organization_id from ${table("runs")} order by organization_id limit 1)
      union all
      select (select organization_id from ${table("runs")}
        where organization_id > known.organization_id order by organization_id limit 1)
      from known where known.organization_id is not null
    ), due as (
      select known.organization_id from known
      left join ${table(name)} looked on looked.organization_id = known.organization_id
      where known.organization_id is not null and coalesce(looked.due_at <= ${now}::timestamptz, true)
        and (cardinality(looked.unfinished) > 0 or exists (
          select from ${table("runs")} run where run.organization_id = known.organization_id
            and run.id > greatest(looked.run_id, ${oldest}::uuid) and run.id < ${newest}::uuid))
      order by looked.due_at nulls first limit ${max}
    )
    insert into ${table(name)} as looked (organization_id, run_id, unfinished, claims, due_at)
    select organization_id, ${oldest}::uuid, '{}'::uuid[], 1, ${claimedUntil(now)}::timestamptz from due
    on conflict (organization_id) do update set
      run_id = greatest(looked.run_id, excluded.run_id), claims = looked.claims + 1, due_at = excluded.due_at
      where looked.due_at <= ${now}::timestamptz
    returning organization_id, run_id, unfinished, claims`.execute(db);
  return rows.map((row) => ({
    organizationId: row.organization_id,
    runId: row.run_id,
    unfinished: row.unfinished,
    claims: row.claims,
  }));
}

const claimedUntil = (now: Date) => new Date(now.getTime() + claimedMilliseconds);

interface ReachedRuns extends Pick<Look, "runId" | "unfinished"> {
  /** Finished ones to look at now. */
  runIds: string[];
}

/**
 * The next finished runs of an organization: as many as have this many executions, at least one.
 * Runs that have not finished are looked at later, without holding up those after them.
 */
export async function reachRuns(
  db: ExecutionDatabase,
  { organizationId, runId, unfinished }: Look,
  now: Date,
  maxExecutions: number,
): Promise<ReachedRuns> {
  const { oldest, newest } = reachedBy(now);
  const { rows } = await sql<{ id: string; is_finished: boolean; executions: number }>`
    select id, finished_at is not null as is_finished, executions from ${table("runs")}
    where organization_id = ${organizationId}::uuid and id > ${oldest}::uuid and id = any(${unfinished}::uuid[])
    union all
    (select id, finished_at is not null, executions from ${table("runs")}
      where organization_id = ${organizationId}::uuid and id > ${runId}::uuid and id < ${newest}::uuid
      order by id limit ${maxUnfinished})`.execute(db);
  const reached: ReachedRuns = { runIds: [], runId, unfinished: [] };
  let executions = 0;
  for (const { id, is_finished: isFinished, executions: more } of rows.sort(byId)) {
    const isFull = reached.runIds.length > 0 && executions + more > maxExecutions;
    if (isFinished && isFull) {
      if (id > runId) break;
      reached.unfinished.push(id);
      continue;
    }
    if (id > reached.runId) reached.runId = id;
    if (!isFinished) {
      reached.unfinished.push(id);
      continue;
    }
    executions += more;
    reached.runIds.push(id);
  }
  return { ...reached, unfinished: reached.unfinished.slice(-maxUnfinished) };
}

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

/** @returns false if another process has continued meanwhile: then nothing may be published */
export async function settleLook(
  transaction: Transaction<ExecutionTables>,
  { organizationId, claims }: Look,
  { runId, unfinished }: Pick<Look, "runId" | "unfinished">,
  now: Date,
  name: LookTable = "looked_at_runs",
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable(name)
    .set({ run_id: runId, unfinished: sql`${unfinished}::uuid[]`, due_at: now })
    .where("organization_id", "=", organizationId)
    .where("claims", "=", claims)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** An execution with a successful response. */
export interface SuccessfulExecution {
  id: string;
  api_id: string;
  method: string;
  path: string;
}

export async function listSuccessful(
  db: ExecutionDatabase,
  organizationId: string,
  runIds: readonly string[],
  max: number,
): Promise<SuccessfulExecution[]> {
  if (runIds.length === 0) return [];
  return await db
    .selectFrom("executions")
    .select(["id", "api_id", "method", "path"])
    .where("organization_id", "=", organizationId)
    .where("run_id", "=", sql<string>`any(${runIds}::uuid[])`)
    .where("status_code", ">=", 200)
    .where("status_code", "<=", 299)
    .orderBy("id", "desc")
    .limit(max)
    .execute();
}

/** The newest runs of one API alone before a run. */
export async function listEarlierRunIds(
  db: ExecutionDatabase,
  { organizationId, apiId, before }: { organizationId: string; apiId: string; before: string },
  max: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("runs")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .where("id", "<", before)
    .orderBy("id", "desc")
    .limit(max)
    .execute();
  return rows.map(({ id }) => id);
}

/** JSON of their attempts by id: of the newest, as many as have this many bytes in all. */
export async function readAttempts(
  db: ExecutionDatabase,
  organizationId: string,
  ids: readonly string[],
  maxBytes: number,
): Promise<Map<string, string>> {
  const { rows } = await sql<DetailsRow>`
    select * from (
      select ${detailColumns}, sum(${attemptBytes}) over (order by details.execution_id desc) as bytes
      from ${detailsWithBase(ids)}
      where details.organization_id = ${organizationId}::uuid
        and details.schema_version = any(${[detailsVersion, differencesVersion]}::int[])
    ) sized where bytes <= ${maxBytes}`.execute(db);
  const details = rows.flatMap((row) => toDetails(row) ?? []);
  return new Map(details.map((row) => [row.execution_id, row.attempts]));
}
