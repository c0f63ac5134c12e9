import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { isOfParent, keepApart } from "../../kit/database/row-security.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/** Who gives what: part of a document's content, and what people said about it, which new versions keep. */
export async function createResources(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("resources")} (
      document_id uuid not null,
      position integer not null,
      lookup_key text not null,
      body text not null,
      consumers text not null,
      consumer_count integer not null,
      search_text text not null,
      primary key (document_id, position)
    )`.execute(db);
  await sql`create index resources_by_key on ${table("resources")} (document_id, lookup_key)`.execute(db);
  await sql`
    create table ${table("operation_consumers")} (
      document_id uuid not null,
      position integer not null,
      body text not null,
      primary key (document_id, position)
    )`.execute(db);
  await sql`
    create table ${table("said_dependencies")} (
      api_id uuid not null references ${table("apis")} on delete cascade,
      lookup_key text not null,
      place text not null,
      resource text,
      said_at timestamptz not null,
      primary key (api_id, lookup_key)
    )`.execute(db);
  await sql`alter table ${table("documents")} add column related boolean not null default false`.execute(db);
  await sql`create index documents_to_relate on ${table("documents")} (id) where not related`.execute(db);
  for (const child of ["resources", "operation_consumers"]) {
    const condition = isOfParent(schemaName, { child, parent: "documents" }, { document_id: "id" });
    await keepApart(db, schemaName, child, condition);
  }
}
