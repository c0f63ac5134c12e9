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
