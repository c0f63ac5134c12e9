import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

const contentTables = [
  "document_chunks",
  "document_problems",
  "operations",
  "operation_tags",
  "operation_details",
  "components",
  "reaches",
];

/** Contents are written before their document's row and removed after it, so a foreign key is not possible. */
export async function createLooseContents(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("loose_contents")} (
      document_id uuid primary key,
      arriving boolean not null,
      held_until timestamptz not null
    )`.execute(db);
  for (const name of contentTables) {
    await sql`alter table ${table(name)} drop constraint ${sql.id(`${name}_document_id_fkey`)}`.execute(db);
  }
}

/**
 * A trigger, so that contents are deleted after their document by any code: a cascade, or an older version running in
 * parallel.
 */
export async function loosenContents(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create function ${table("loosen_content")}() returns trigger language plpgsql as $$
    begin
      insert into api_registry.loose_contents (document_id, arriving, held_until) values (old.id, false, '-infinity')
      on conflict do nothing;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger loosen_content after delete on ${table("documents")} for each row
    execute function ${table("loosen_content")}()`.execute(db);
}
