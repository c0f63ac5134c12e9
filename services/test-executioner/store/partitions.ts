import { type Kysely, sql } from "kysely";
import type { AnyTables, Executor } from "../../kit/database/database.ts";
import { firstIdOf } from "../../kit/database/id-time.ts";
import { createDatedPartitions } from "./dated-details.ts";
import { createFilterIndexes } from "./filter-indexes.ts";
import { schemaName } from "./tables.ts";

const partitioned = ["executions", "execution_details"] as const;
/**
 * A process that is not restarted for a quarter, and whose daily check fails, still writes into existing partitions.
 */
const monthsAhead = 3;

const startOfMonth = (moment: Date, offset: number) =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + offset, 1));

/**
 * Creates the partitions of every month from `from` until some months after `now`. Rows of other months are in the
 * default partition; a month that has rows there remains there, since moving them would lock the table.
 * @param hasFilterIndexes false in a migration that is older than these indexes
 */
export async function createPartitions(
  db: Executor<AnyTables>,
  now: Date,
  from: Date = now,
  hasFilterIndexes = true,
): Promise<void> {
  for (let offset = 0; startOfMonth(from, offset) < startOfMonth(now, monthsAhead + 1); offset += 1) {
    const start = startOfMonth(from, offset);
    const suffix = start.toISOString().slice(0, 7).replace("-", "_");
    const first = sql.lit(firstIdOf(start));
    const next = sql.lit(firstIdOf(startOfMonth(from, offset + 1)));
    for (const name of partitioned) {
      const key = sql.id(name === "executions" ? "id" : "execution_id");
      const { rows } = await sql<{ is_taken: boolean }>`
        select to_regclass(${`${schemaName}.${name}_${suffix}`}) is not null
          or exists (select from ${sql.id(schemaName, `${name}_other`)}
            where ${key} >= ${first}::uuid and ${key} < ${next}::uuid) as is_taken`.execute(db);
      if (rows[0]!.is_taken) continue;
      await sql`create table ${sql.id(schemaName, `${name}_${suffix}`)} partition of ${sql.id(schemaName, name)}
        for values from (${first}) to (${next})`.execute(db);
      if (name === "executions" && hasFilterIndexes) await createFilterIndexes(db, `${name}_${suffix}`);
    }
  }
}

/** The same for all processes of an installation, which may check at the same time. */
export async function createComingPartitions(db: Kysely<AnyTables>, now: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(5108843707)`.execute(transaction);
    await createPartitions(transaction, now);
    await createDatedPartitions(transaction, now);
  });
}
