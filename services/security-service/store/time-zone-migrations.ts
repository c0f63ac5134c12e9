import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

/** Users choose a time zone for their account; until then the browser's is used. */
export async function addTimeZones(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${sql.id(schemaName, "users")} add column time_zone text`.execute(db);
}
