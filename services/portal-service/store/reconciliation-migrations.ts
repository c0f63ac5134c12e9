import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/** Reconciles every subscription with the provider's, and stores the differences. */
export async function createReconciliations(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("reconciliations")} (
      id uuid primary key,
      began_at timestamptz not null,
      begun_by uuid,
      ended_at timestamptz,
      after_id uuid,
      held_until timestamptz,
      asked integer not null default 0,
      differing integer not null default 0,
      failed integer not null default 0
    )`.execute(db);
  // Only one of two simultaneous starts succeeds.
  await sql`
    create unique index reconciliations_open on ${table("reconciliations")} ((true)) where ended_at is null`.execute(
    db,
  );
  await sql`
    create table ${table("reconciled_differences")} (
      reconciliation_id uuid not null references ${table("reconciliations")} (id) on delete cascade,
      subscription_id uuid not null,
      organization_id uuid not null,
      at timestamptz not null,
      differences jsonb not null,
      failure text,
      primary key (reconciliation_id, subscription_id)
    )`.execute(db);
}
