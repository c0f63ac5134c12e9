import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

/** Where tests against an environment are sent from; null: by the portal. */
export async function addLocations(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${sql.id(schemaName, "environments")} add column location_id uuid`.execute(db);
}
