import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

export async function createServiceLevels(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("service_levels")} (
      organization_id uuid not null,
      test_circle_id uuid not null,
      objective double precision not null,
      days integer not null,
      counts text not null,
      version integer not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organization_id, test_circle_id)
    )`.execute(db);
}

export async function addBurn(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("service_levels")} add column burning_since timestamptz,
    add column burn_told json not null default '[]', add column look_at timestamptz`.execute(db);
  await sql`create index service_levels_due on ${table("service_levels")} (look_at) where look_at is not null`.execute(
    db,
  );
}
