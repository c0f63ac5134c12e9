import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/** Operators' installation-wide settings; a setting without a row has the product's default. */
export async function createSettings(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("installation_settings")} (
      name text primary key,
      value jsonb not null
    )`.execute(db);
  // No cascade: a change outlives its author's account.
  await sql`
    create table ${table("setting_changes")} (
      id uuid primary key,
      name text not null,
      before jsonb,
      after jsonb,
      changed_by_name text not null,
      changed_at timestamptz not null,
      undoes uuid
    )`.execute(db);
  await sql`create index setting_changes_by_name on ${table("setting_changes")} (name, id)`.execute(db);
}
