import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

export async function createDocumentWatches(db: Kysely<AnyTables>): Promise<void> {
  const table = sql.id(schemaName, "document_watches");
  await sql`
    create table ${table} (
      api_id uuid primary key references ${sql.id(schemaName, "apis")} on delete cascade,
      organization_id uuid not null,
      url text not null,
      every_minutes integer not null,
      action text not null,
      due_at timestamptz not null,
      leased_until timestamptz,
      fencing_token integer not null default 0,
      looked_at timestamptz,
      digest text,
      compared_document_id uuid,
      is_single_file boolean not null default true,
      main_sha256 text,
      etag text,
      last_modified text,
      unchanged_since timestamptz,
      failures integer not null default 0,
      failing_since timestamptz,
      failure text,
      change_digest text,
      change_version text,
      change_found_at timestamptz,
      change_breaking_count integer,
      change_reason text,
      dismissed_digest text,
      taken_document_id uuid,
      taken_version text,
      taken_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create index document_watches_due on ${table} (due_at)`.execute(db);
  await sql`create index document_watches_of_organization on ${table} (organization_id, looked_at)`.execute(db);
}
