import { type Kysely, type RawBuilder, sql } from "kysely";
import { firstIdOf } from "../../kit/database/id-time.ts";
import { holdStarts } from "./deleted-tests.ts";
import { type ExecutionTables, schemaName, table } from "./tables.ts";

type Db = Kysely<ExecutionTables>;

/** Tables walked in order of start: ids are UUIDv7. */
const walks = {
  execution_details: { key: "execution_id", with: [] },
  dated_details: { key: "execution_id", with: [] },
  run_captures: { key: "run_id", with: [] },
  executions: { key: "id", with: ["execution_details", "dated_details"] },
  occurrences: { key: "id", with: [] },
  runs: { key: "id", with: ["run_apis", "run_captures"] },
} as const;
export type Walked = keyof typeof walks;

const keyIn = {
  execution_details: "execution_id",
  dated_details: "execution_id",
  run_apis: "run_id",
  run_captures: "run_id",
} as const;

export const firstKey = "00000000-0000-0000-0000-000000000000";
const retentionLock = 5_108_843_711;

/**
 * Tables with a row for every organization that has executed tests, runs of deleted tests, counts of either,
 * explorations, or details by retention.
 */
const owned = [
  ...(["latest_executions", "runs", "occurrences", "execution_counts", "operation_counts"] as const),
  ...(["explorations", "retention_classes"] as const),
] as const;

/** The organizations with stored data: few compared with the executions. */
export async function listOrganizations(db: Db): Promise<string[]> {
  const lists = await Promise.all(owned.map((name) => listOwners(db, name)));
  return [...new Set(lists.flat())].sort();
}

async function listOwners(db: Db, name: (typeof owned)[number]): Promise<string[]> {
  const { rows } = await sql<{ organization_id: string }>`
    with recursive known as (
      (select organization_id from ${table(name)} order by organization_id limit 1)
      union all
      select (select organization_id from ${table(name)}
        where organization_id > known.organization_id order by organization_id limit 1)
      from known where known.organization_id is not null
    )
    select organization_id from known where organization_id is not null`.execute(db);
  return rows.map((row) => row.organization_id);
}

export interface Step {
  walked: Walked;
  /** Of `walked`: only its rows are read. */
  partition?: string;
  after: string;
  limit: number;
  /** By organization, the time before which its rows are deleted; others' stay. */
  cutoffs: ReadonlyMap<string, Date>;
}

/**
 * Reads the next rows in order of start and deletes those that are too old for their organization.
 * @returns the last key read; undefined at the end, or if another process is deleting
 */
export async function deleteStep(
  db: Db,
  { walked, partition, after, limit, cutoffs }: Step,
): Promise<string | undefined> {
  if (cutoffs.size === 0) return undefined;
  const { key, with: dependent } = walks[walked];
  const walkedTable = partition ? sql.id(schemaName, partition) : table(walked);
  const newest = firstIdOf(new Date(Math.max(...[...cutoffs.values()].map((cutoff) => cutoff.getTime()))));
  return await db.transaction().execute(async (transaction) => {
    const { rows: locks } = await sql<{ taken: boolean }>`
      select pg_try_advisory_xact_lock(${retentionLock}) as taken`.execute(transaction);
    if (!locks[0]!.taken) return undefined;
    const ended = walked === "runs" ? sql`and finished_at is not null` : sql``;
    const { rows } = await sql<{ key: string; organization_id: string }>`
      select ${sql.id(key)} as key, organization_id from ${walkedTable}
      where ${sql.id(key)} > ${after}::uuid and ${sql.id(key)} < ${newest}::uuid ${ended}
      order by ${sql.id(key)} limit ${limit}`.execute(transaction);
    const doomed = rows.filter(({ key: id, organization_id }) => {
      const cutoff = cutoffs.get(organization_id);
      return cutoff !== undefined && id < firstIdOf(cutoff);
    });
    if (doomed.length > 0) {
      const ids = sql`any(${doomed.map((row) => row.key)}::uuid[])`;
      for (const name of dependent) {
        await sql`delete from ${table(name)} where ${sql.id(keyIn[name])} = ${ids}`.execute(transaction);
      }
      await sql`delete from ${walkedTable} where ${sql.id(key)} = ${ids}`.execute(transaction);
    }
    return rows.length < limit ? undefined : rows.at(-1)!.key;
  });
}

/**
 * Of a test's oldest executions: while a test is changed, a start with the older version may come a moment after one
 * with the newer.
 */
const oldestLookedAt = 20;

/**
 * Deletes versions of the organization's next tests that are older than any that one of their executions had.
 * @returns the last test read; undefined at the end
 */
export async function deleteSnapshotsStep(
  db: Db,
  { organizationId, after, limit }: Omit<CountStep, "cutoff">,
): Promise<string | undefined> {
  return await db.transaction().execute(async (transaction) => {
    // A start that found its version stored needs it.
    await holdStarts(transaction, organizationId);
    const tests = await transaction
      .selectFrom("latest_executions")
      .select("test_id")
      .where("organization_id", "=", organizationId)
      .where("test_id", ">", after)
      .orderBy("test_id")
      .limit(limit)
      .execute();
    const own = sql`organization_id = ${organizationId}::uuid and test_id = snapshot.test_id`;
    await sql`
      with doomed as (
        select test_id, version from ${table("test_snapshots")} snapshot
        where test_id = any(${tests.map((row) => row.test_id)}::uuid[]) and organization_id = ${organizationId}::uuid
          and not exists (
            select from (
              select test_version from ${table("unfinished_executions")} where ${own}
              union all
              (select test_version from ${table("executions")} where ${own} order by id limit ${oldestLookedAt})
            ) oldest where test_version <= snapshot.version
          )
        for update skip locked
      )
      delete from ${table("test_snapshots")} snapshot using doomed
      where snapshot.test_id = doomed.test_id and snapshot.version = doomed.version`.execute(transaction);
    return tests.length < limit ? undefined : tests.at(-1)!.test_id;
  });
}

interface CountStep {
  organizationId: string;
  after: string;
  limit: number;
  cutoff: Date;
}

/**
 * Deletes old counts of the organization's next tests and APIs, jumping from one to the next along the key.
 * @returns the last one read; undefined at the end
 */
export async function deleteCountsStep(
  db: Db,
  { organizationId, after, limit, cutoff }: CountStep,
): Promise<string | undefined> {
  const next = (beyond: RawBuilder<unknown>) => sql`
    select subject_id from ${table("execution_counts")}
    where organization_id = ${organizationId}::uuid and subject_id > ${beyond} order by subject_id limit 1`;
  const { rows } = await sql<{ subject_id: string }>`
    with recursive subject as (
      (${next(sql`${after}::uuid`)})
      union all
      select (${next(sql`subject.subject_id`)}) from subject where subject.subject_id is not null
    )
    select subject_id from subject where subject_id is not null limit ${limit}`.execute(db);
  if (rows.length > 0) {
    await sql`delete from ${table("execution_counts")}
      where organization_id = ${organizationId}::uuid and subject_id = any(${rows.map((row) => row.subject_id)}::uuid[])
        and hour < ${cutoff}::timestamptz`.execute(db);
  }
  return rows.length < limit ? undefined : rows.at(-1)!.subject_id;
}

/** Keys of operation counts begin with the day. */
export async function deleteOperationCounts(db: Db, organizationId: string, cutoff: Date): Promise<void> {
  await sql`delete from ${table("operation_counts")}
    where organization_id = ${organizationId}::uuid and day < (${cutoff}::timestamptz at time zone 'UTC')::date`.execute(
    db,
  );
}

/**
 * Drops months before `before`, with all that is in them, and older ones that retention has emptied. A month that a reader
 * has locked is left for the next time.
 */
export async function dropMonths(db: Db, now: Date, before: Date | undefined): Promise<string[]> {
  const newestEmpty = toMonth(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 1)));
  const newestFull = before ? toMonth(before) : "";
  const { rows } = await sql<{ name: string }>`
    select child.relname as name from pg_inherits
    join pg_class child on child.oid = inhrelid join pg_class parent on parent.oid = inhparent
    join pg_namespace on pg_namespace.oid = parent.relnamespace
    where nspname = ${schemaName} and parent.relname in ('executions', 'execution_details')`.execute(db);
  const months = rows.map(({ name }) => name).filter((name) => /_\d{4}_\d{2}$/.test(name));
  const dropped: string[] = [];
  for (const name of months) {
    const month = name.slice(-7);
    if (month >= newestEmpty && month >= newestFull) continue;
    const partition = sql.id(schemaName, name);
    await db
      .transaction()
      .execute(async (transaction) => {
        await sql`set local lock_timeout = '200ms'`.execute(transaction);
        await sql`lock table ${partition} in access exclusive mode`.execute(transaction);
        if (month >= newestFull) {
          const { rows: left } = await sql`select 1 from ${partition} limit 1`.execute(transaction);
          if (left.length > 0) return;
        }
        await sql`drop table ${partition}`.execute(transaction);
        dropped.push(name);
      })
      .catch((error: { code?: string }) => {
        if (error.code !== "55P03") throw error;
      });
  }
  return dropped;
}

/** As the names of partitions end, and in the order of time. */
const toMonth = (moment: Date) => moment.toISOString().slice(0, "2026-04".length).replace("-", "_");
