import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/**
 * When a session's owner last signed in at the organization's OpenID provider; null: the session began with a password.
 * A sign-in that waits for the account's second factor passes it on.
 */
export async function addProviderSessionColumns(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("sessions")} add column signed_on_at timestamptz`.execute(db);
  await sql`alter table ${table("sign_in_challenges")} add column signed_on_at timestamptz`.execute(db);
  // For sessions from before this column: a user without a password must have signed in at the provider.
  await sql`
    update ${table("sessions")} set signed_on_at = created_at
    where factor_at_provider or user_id in (select id from ${table("users")} where password_hash = '')`.execute(db);
}
