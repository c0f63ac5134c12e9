import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

export async function createOccurrences(db: Kysely<AnyTables>): Promise<void> {
  const table = sql.id(schemaName, "occurrences");
  await sql`
    create table ${table} (
      id uuid primary key,
      organization_id uuid not null,
      schedule_id uuid not null,
      schedule_version integer not null,
      test_circle_id uuid not null,
      scheduled_for timestamptz not null,
      state text not null,
      is_late boolean not null,
      reason text,
      times integer not null,
      run_id uuid,
      recorded_at timestamptz not null,
      unique (schedule_id, scheduled_for)
    )`.execute(db);
  await sql`create index occurrences_organization on ${table} (organization_id, scheduled_for, id)`.execute(db);
  await sql`create index occurrences_circle on ${table} (organization_id, test_circle_id, scheduled_for, id)`.execute(
    db,
  );
  // At most one per schedule is waiting.
  await sql`create unique index occurrences_waiting on ${table} (schedule_id) where state = 'waiting'`.execute(db);
}
