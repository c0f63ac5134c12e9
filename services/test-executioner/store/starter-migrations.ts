import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

/** Without defaults, so that no row is rewritten: the starters of older runs are unknown. */
export async function addRunStarters(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${sql.id(schemaName, "runs")} add column starter_kind text, add column starter_id uuid,
    add column starter_name text, add column starter_token text`.execute(db);
  await sql`alter table ${sql.id(schemaName, "occurrences")} add column schedule_name text`.execute(db);
}
