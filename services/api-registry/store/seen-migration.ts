import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { createInboxTable } from "../../kit/events/inbox.ts";
import { schemaName } from "./tables.ts";

/** What recorded responses show about an API's dependencies, without a value; new versions keep it. */
export async function createSeenDependencies(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${sql.id(schemaName, "seen_dependencies")} (
      api_id uuid not null references ${sql.id(schemaName, "apis")} on delete cascade,
      lookup_key text not null,
      dependency text not null,
      resource text,
      required boolean not null,
      times integer not null,
      most_values integer not null,
      is_distinctive boolean not null,
      primary key (api_id, lookup_key)
    )`.execute(db);
  await createInboxTable(schemaName)(db);
}
