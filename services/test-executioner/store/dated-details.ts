import { type Kysely, sql } from "kysely";
import type { AnyTables, Executor } from "../../kit/database/database.ts";
import { firstIdOf } from "../../kit/database/id-time.ts";
import { type ExecutionTables, schemaName, table } from "./tables.ts";

type Db = Kysely<ExecutionTables>;

const dayMilliseconds = 86_400_000;
/**
 * What has waited longer until it ended is stored elsewhere: nothing is added to a day that is about to be dropped.
 */
export const maxDatedMilliseconds = dayMilliseconds;
/** A process whose daily check fails still writes into existing partitions. */
const daysAhead = 7;
/** Different retentions that have partitions: each has one for every day that it stores. */
const maxClasses = 12;
/** Of longer ones, a partition is a week: a year of days would be hundreds. */
const longestByDay = 45;
/** Days. Shorter ones could end before a result is stored; longer ones would have hundreds of partitions. */
const withClass = { shortest: 2, longest: 800 };
const undefinedTable = "42P01";
/** Taken by all that create partitions, as in `createComingPartitions`. */
const partitionLock = 5_108_843_707;
/** Locks of a partition's removal wait for transactions that read or write its class, and hold up others meanwhile. */
const dropTries = 5;

/** One partition: details of executions that were created from `from` until `to`, with a retention of so many days. */
export interface DatedPartition {
  name: string;
  days: number;
  from: Date;
  to: Date;
}

const widthOf = (days: number) => (days <= longestByDay ? 1 : 7) * dayMilliseconds;
const classTable = (days: number) => `dated_details_${days}`;
/** Rows of days without a partition. */
export const otherTable = (days: number) => `${classTable(days)}_other`;

function partitionAt(days: number, moment: number): DatedPartition {
  const width = widthOf(days);
  const from = new Date(moment - (moment % width));
  const day = from.toISOString().slice(0, "2026-04-30".length).replaceAll("-", "_");
  return { name: `${classTable(days)}_${day}`, days, from, to: new Date(from.getTime() + width) };
}

const column = (name: string) => sql.id(name);
const columns = sql.join(
  ["execution_id", "organization_id", "schema_version", "attempts", "verifications", "base_id"].map(column),
);

/** Those that have partitions. */
export async function listClasses(db: Executor<AnyTables>): Promise<number[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = ${`${schemaName}.dated_details`}::regclass`.execute(db);
  return rows.map(({ name }) => Number(name.slice("dated_details_".length))).sort((one, other) => one - other);
}

/** Of all classes, the oldest first. */
export async function listDatedPartitions(db: Executor<AnyTables>): Promise<DatedPartition[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_partition_tree(${`${schemaName}.dated_details`}::regclass)
    join pg_class on pg_class.oid = relid where isleaf`.execute(db);
  return rows
    .flatMap(({ name }) => {
      const [, days, day] = /^dated_details_(\d+)_(\d{4}_\d{2}_\d{2})$/.exec(name) ?? [];
      return day ? [partitionAt(Number(days), Date.parse(day.replaceAll("_", "-")))] : [];
    })
    .sort((one, other) => one.from.getTime() - other.from.getTime() || one.days - other.days);
}

/** Creates a class, unless there is one or there are too many. @returns whether rows may be stored by it */
async function createClass(db: Executor<AnyTables>, days: number): Promise<boolean> {
  const known = await listClasses(db);
  if (known.includes(days)) return true;
  if (known.length >= maxClasses) return false;
  const parent = sql.id(schemaName, classTable(days));
  await sql`create table ${parent} partition of ${table("dated_details")} for values in (${sql.lit(days)})
    partition by range (execution_id)`.execute(db);
  const other = sql.id(schemaName, otherTable(days));
  await sql`create table ${other} partition of ${parent} (primary key (execution_id)) default`.execute(db);
  return true;
}

/** Creates the partitions of the coming days, under the lock of all that create some. */
export async function createDatedPartitions(db: Executor<AnyTables>, now: Date): Promise<void> {
  const existing = new Set((await listDatedPartitions(db)).map(({ name }) => name));
  for (const days of await listClasses(db)) {
    const end = now.getTime() + daysAhead * dayMilliseconds;
    for (let at = now.getTime() - dayMilliseconds; at < end + widthOf(days); at += widthOf(days)) {
      const { name, from, to } = partitionAt(days, at);
      if (existing.has(name)) continue;
      const [first, next] = [sql.lit(firstIdOf(from)), sql.lit(firstIdOf(to))];
      const { rows } = await sql<{ is_taken: boolean }>`
        select exists (select from ${sql.id(schemaName, otherTable(days))}
          where execution_id >= ${first}::uuid and execution_id < ${next}::uuid) as is_taken`.execute(db);
      // A day with rows elsewhere stays there: moving them would lock the table.
      if (rows[0]!.is_taken) continue;
      await sql`create table ${sql.id(schemaName, name)} partition of ${sql.id(schemaName, classTable(days))}
        (primary key (execution_id)) for values from (${first}) to (${next})`.execute(db);
    }
  }
}

/** From now on, details of these organizations are stored by their retention. */
export async function assignClasses(db: Db, daysOf: ReadonlyMap<string, number>, now: Date): Promise<void> {
  const { rows: current } = await sql<{ organization_id: string; retention_days: number }>`
    select organization_id, retention_days from ${table("retention_classes")} where is_current`.execute(db);
  const assigned = new Map(current.map((row) => [row.organization_id, row.retention_days]));
  const changed = [...daysOf].filter(([id, days]) => assigned.get(id) !== days);
  if (changed.length === 0) return;
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(partitionLock)})`.execute(transaction);
    const able = new Set<number>();
    for (const days of new Set(changed.map(([, days]) => days))) {
      if (days < withClass.shortest || days > withClass.longest) continue;
      if (await createClass(transaction, days)) able.add(days);
    }
    await createDatedPartitions(transaction, now);
    const ids = sql`${changed.map(([id]) => id)}::uuid[]`;
    await sql`update ${table("retention_classes")} set is_current = false
      where organization_id = any(${ids}) and is_current`.execute(transaction);
    const stored = changed.filter(([, days]) => able.has(days));
    await sql`
      insert into ${table("retention_classes")} (organization_id, retention_days, is_current)
      select *, true from unnest(${stored.map(([id]) => id)}::uuid[], ${stored.map(([, days]) => days)}::smallint[])
      on conflict (organization_id, retention_days) do update set is_current = true`.execute(transaction);
  });
}

/** Organizations that have, or had, this retention. */
export async function listOfClass(db: Db, days: number): Promise<string[]> {
  const { rows } = await sql<{ organization_id: string }>`
    select organization_id from ${table("retention_classes")} where retention_days = ${days}::smallint`.execute(db);
  return rows.map((row) => row.organization_id);
}

/**
 * Looks at the next rows of a partition: deletes those of some organizations, and moves those of others to where rows are
 * deleted one by one.
 * @returns the last key read; undefined at the end, or where another process has dropped it
 */
export async function sortOutStep(
  db: Db,
  {
    name,
    doomed,
    kept,
    after,
    limit,
  }: {
    name: string;
    doomed: readonly string[];
    kept: readonly string[];
    after: string;
    limit: number;
  },
): Promise<string | undefined> {
  const partition = sql.id(schemaName, name);
  const outcome = await sql<{ last: string | null; looked_at: number }>`
    with looked_at as (
      select execution_id, organization_id from ${partition} where execution_id > ${after}::uuid
      order by execution_id limit ${limit}
    ), gone as (
      delete from ${partition} where execution_id in (
        select execution_id from looked_at where organization_id = any(${[...doomed, ...kept]}::uuid[])
      ) returning ${columns}
    ), moved as (
      insert into ${table("execution_details")} (${columns})
      select ${columns} from gone where organization_id = any(${[...kept]}::uuid[])
    )
    select max(execution_id::text) as last, count(*)::int as looked_at from looked_at`
    .execute(db)
    .catch((error: { code?: string }) => {
      if (error.code !== undefinedTable) throw error;
    });
  if (!outcome) return undefined;
  const { last, looked_at } = outcome.rows[0]!;
  return looked_at < limit ? undefined : (last ?? undefined);
}

/** @returns false if others kept it locked: it is left for the next time */
export async function dropPartition(db: Db, name: string): Promise<boolean> {
  for (let tries = 0; tries < dropTries; tries += 1) {
    try {
      await db.transaction().execute(async (transaction) => {
        await sql`set local lock_timeout = '200ms'`.execute(transaction);
        await sql`drop table ${sql.id(schemaName, name)}`.execute(transaction);
      });
      return true;
    } catch (error) {
      const { code } = error as { code?: string };
      // Another process was faster.
      if (code === undefinedTable) return true;
      if (code !== "55P03" && code !== "40P01") throw error;
    }
  }
  return false;
}
