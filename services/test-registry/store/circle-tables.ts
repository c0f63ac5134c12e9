import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const circles = sql.id(schemaName, "test_circles");
const members = sql.id(schemaName, "test_circle_members");

/** Members are rows, so that deleting a test finds the circles that contain it. */
export async function createCircles(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${circles} (
      id uuid primary key,
      organization_id uuid not null,
      name text not null,
      description text not null,
      execution_order text not null,
      concurrency integer not null,
      stop_on_failure boolean not null,
      environments jsonb not null,
      variables jsonb not null,
      version integer not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create index test_circles_name on ${circles} (organization_id, (lower(name) collate "C"), id)`.execute(db);
  await sql`
    create table ${members} (
      circle_id uuid not null references ${circles} on delete cascade,
      organization_id uuid not null,
      position integer not null,
      kind text not null,
      phase text not null,
      test_id uuid,
      api_id uuid not null,
      tag text,
      include text,
      primary key (circle_id, position)
    )`.execute(db);
  await sql`create index test_circle_members_api on ${members} (organization_id, api_id, circle_id)`.execute(db);
  await sql`create index test_circle_members_test on ${members} (organization_id, test_id, circle_id)
    where test_id is not null`.execute(db);
  // Members are picked from the tests of all APIs.
  await sql`create index tests_all_names on ${sql.id(schemaName, "tests")}
    (organization_id, (lower(name) collate "C"), id)`.execute(db);
}
