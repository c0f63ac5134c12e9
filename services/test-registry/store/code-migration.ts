import { type Kysely, sql } from "kysely";
import { createCodeTables } from "../../kit/code/code-tables.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const createObjects = createCodeTables(schemaName, [
  { kind: "test", table: "tests", idColumn: "id" },
  { kind: "circle", table: "test_circles", idColumn: "id" },
  { kind: "schedule", table: "schedules", idColumn: "id" },
  { kind: "maintenanceWindow", table: "maintenance_windows", idColumn: "id" },
]);

/** What files hold of this service, and operations that apply files to all services. */
export async function createCode(db: Kysely<AnyTables>): Promise<void> {
  await createObjects(db);
  const operations = sql.id(schemaName, "code_operations");
  await sql`
    create table ${operations} (
      id uuid primary key,
      organization_id uuid not null,
      state text not null check (state in ('applying', 'deleting', 'undoing', 'applied', 'undone')),
      steps_done integer not null default 0,
      tries integer not null default 0,
      work json,
      sealed_secrets text,
      counts jsonb not null,
      done jsonb not null,
      problem jsonb,
      repository text not null,
      commit text not null,
      started_by text not null,
      started_at timestamptz not null,
      ended_at timestamptz,
      claimed_until timestamptz
    )`.execute(db);
  // One at a time.
  await sql`create unique index code_operations_open on ${operations} (organization_id) where ended_at is null`.execute(
    db,
  );
}
