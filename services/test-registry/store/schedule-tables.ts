import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/** Sort key in lists; paused ones come last. */
export const listSortKey = "coalesce(next_at, 'infinity'::timestamptz)";

export async function createSchedules(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("schedules")} (
      id uuid primary key,
      organization_id uuid not null,
      circle_id uuid not null references ${table("test_circles")} on delete cascade,
      name text,
      cron text,
      every_seconds integer,
      time_zone text not null,
      active_hours jsonb,
      spread_seconds integer not null,
      is_spread boolean not null,
      enabled boolean not null,
      overlap text not null,
      catch_up text not null,
      version integer not null,
      next_at timestamptz,
      claims integer not null default 0,
      claimed_until timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create index schedules_due on ${table("schedules")} (next_at) where next_at is not null`.execute(db);
  await sql`create index schedules_next on ${table("schedules")} (organization_id, (${sql.raw(listSortKey)}), id)`.execute(
    db,
  );
  await sql`create index schedules_circle on ${table("schedules")} (circle_id)`.execute(db);
  await sql`
    create table ${table("maintenance_windows")} (
      id uuid primary key,
      organization_id uuid not null,
      name text not null,
      api_id uuid,
      circle_id uuid references ${table("test_circles")} on delete cascade,
      times jsonb not null,
      version integer not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create index maintenance_windows_organization on ${table("maintenance_windows")} (organization_id, id)`.execute(
    db,
  );
  await sql`create index maintenance_windows_circle on ${table("maintenance_windows")} (circle_id)`.execute(db);
}
