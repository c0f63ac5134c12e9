import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName, table } from "./tables.ts";

/**
 * No index has a column that a claim, a renewed lease or a return changes: so each of them adds a version of the row to its
 * page and nothing to the indexes, if the page has space for one of each row. Leases that have run out are looked for among
 * all rows; those of finished executions are elsewhere.
 */
export async function indexLess(db: Kysely<AnyTables>): Promise<void> {
  const unfinished = table("unfinished_executions");
  for (const name of ["unfinished_leases", "unfinished_claimable", "unfinished_test"]) {
    await sql`drop index ${sql.id(schemaName, name)}`.execute(db);
  }
  await sql`create index unfinished_claimable on ${unfinished} (organization_id, id)
    where is_released and location_id is null`.execute(db);
  await sql`create index unfinished_test on ${unfinished} (test_id)`.execute(db);
  await sql`alter table ${unfinished} set (fillfactor = 45)`.execute(db);
}
