import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

/**
 * When a credential's secret was set. The default serves processes of the previous version, which insert without it.
 */
export async function keepAgesOfSecrets(db: Kysely<AnyTables>): Promise<void> {
  const credentials = sql.id(schemaName, "credentials");
  await sql`alter table ${credentials} add column secret_set_at timestamptz not null default now()`.execute(db);
  await sql`update ${credentials} set secret_set_at = updated_at`.execute(db);
}
