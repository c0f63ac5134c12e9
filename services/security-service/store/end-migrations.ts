import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { createEndedTable } from "../../kit/organization/ended-table.ts";
import { schemaName } from "./tables.ts";

/**
 * Records of deleted organizations, and the indexes that deleting their users needs; that of sessions includes ended
 * ones.
 */
export async function prepareEnds(db: Kysely<AnyTables>): Promise<void> {
  await createEndedTable(schemaName)(db);
  await sql`create index sessions_of_any_age on ${sql.id(schemaName, "sessions")} (user_id)`.execute(db);
}
