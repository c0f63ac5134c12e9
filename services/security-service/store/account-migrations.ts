import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/** Links that confirm an account's new address. */
export async function mailLinksToNewAddresses(db: Kysely<AnyTables>): Promise<void> {
  const links = table("mailed_links");
  await sql`alter table ${links} drop constraint mailed_links_purpose_check`.execute(db);
  await sql`
    alter table ${links} add constraint mailed_links_purpose_check
    check (purpose in ('registration', 'invitation', 'password_reset', 'email_change'))`.execute(db);
}
