import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

/** Null for executions that are stored completely, which takes no space. */
export async function addBaseOfDetails(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("execution_details")} add column base_id uuid`.execute(db);
}
