import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

/** What a row of a test's data is named by its column `case`; null for the others, which takes no space. */
export async function addRowNames(db: Kysely<AnyTables>): Promise<void> {
  for (const name of ["unfinished_executions", "executions"] as const)
    await sql`alter table ${table(name)} add column row_name text`.execute(db);
}
