import { type Kysely, sql } from "kysely";
import type { AnyTables, Executor } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

/**
 * Indexes for what is rare among a test's executions: most have passed, and were started by a schedule or a program. What
 * is frequent is found by walking the test's own index. Of each partition for itself, not of the table: so existing ones can
 * get theirs while they are written to.
 */
const filters = {
  verdicts: sql`(organization_id, test_id, verdict, id) where verdict <> 'passed'`,
  triggers: sql`(organization_id, test_id, trigger, id) where trigger not in ('schedule', 'api')`,
};
type Filter = keyof typeof filters;
const names = Object.keys(filters) as Filter[];
const lockOfBuilding = 5_108_843_720;
/** Of larger partitions, building takes seconds, which a migration must not take. */
const maxBytesAtOnce = 32 * 1_024 * 1_024;

const indexName = (partition: string, name: Filter) => `${partition}_${name}`;

async function createIndex(db: Executor<AnyTables>, partition: string, name: Filter, how = sql``): Promise<void> {
  await sql`create index ${how} ${sql.id(indexName(partition, name))} on ${sql.id(schemaName, partition)}
    ${filters[name]}`.execute(db);
}

/** For a partition that was just created. */
export async function createFilterIndexes(db: Executor<AnyTables>, partition: string): Promise<void> {
  for (const name of names) await createIndex(db, partition, name);
}

interface Partition {
  name: string;
  bytes: number;
  /** Usable ones. */
  indexes: string[];
  /** Of which the building was interrupted. */
  broken: string[];
}

async function listPartitions(db: Executor<AnyTables>): Promise<Partition[]> {
  const { rows } = await sql<Partition>`
    select class.relname as name, pg_relation_size(class.oid)::float8 as bytes,
      coalesce(array_agg(index.relname::text) filter (where indisvalid), '{}') as indexes,
      coalesce(array_agg(index.relname::text) filter (where not indisvalid), '{}') as broken
    from pg_inherits join pg_class class on class.oid = inhrelid
    left join pg_index on indrelid = class.oid left join pg_class index on index.oid = indexrelid
    where inhparent = ${`${schemaName}.executions`}::regclass
    group by class.relname, class.oid order by class.relname`.execute(db);
  return rows;
}

/** Migration: the former indexes had each execution in them. Large partitions get theirs by `buildFilterIndexes`. */
export async function indexFiltersLess(db: Kysely<AnyTables>): Promise<void> {
  for (const name of ["executions_verdict", "executions_trigger"]) {
    await sql`drop index ${sql.id(schemaName, name)}`.execute(db);
  }
  for (const { name, bytes } of await listPartitions(db)) {
    if (bytes <= maxBytesAtOnce) await createFilterIndexes(db, name);
  }
}

/**
 * Creates missing indexes while their partitions are written to, one process at a time. What a killed process left
 * unfinished is built again.
 */
export async function buildFilterIndexes(db: Kysely<AnyTables>, engine: "pglite" | "postgresql"): Promise<void> {
  const isMissing = ({ name, indexes }: Partition) => names.some((one) => !indexes.includes(indexName(name, one)));
  if (!(await listPartitions(db)).some(isMissing)) return;
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ taken: boolean }>`
      select pg_try_advisory_lock(${sql.lit(lockOfBuilding)}) as taken`.execute(connection);
    if (!rows[0]!.taken) return;
    try {
      // No other connection writes to the embedded database.
      const how = engine === "pglite" ? sql`` : sql`concurrently`;
      for (const { name, indexes, broken } of await listPartitions(connection)) {
        for (const filter of names) {
          const index = indexName(name, filter);
          if (indexes.includes(index)) continue;
          if (broken.includes(index)) await sql`drop index ${sql.id(schemaName, index)}`.execute(connection);
          await createIndex(connection, name, filter, how);
        }
      }
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(lockOfBuilding)})`.execute(connection);
    }
  });
}
