import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

/** Passes that do not resolve an incident, and the run that resolved it. */
export async function addRecoveries(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("incident_tests")}
    add column passed_at timestamptz, add column passed_run_id uuid, add column passed_by_hand boolean`.execute(db);
  await sql`alter table ${table("incidents")} add column resolved_run_id uuid, add column resolved_api_id uuid`.execute(
    db,
  );
}
