import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

/**
 * Creates the tables without any row or partition: details that are stored already stay where they are, and are deleted
 * there. No primary key, since it would have to include `retention_days`: each day has its own.
 */
export async function createDatedDetails(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("dated_details")} (
      execution_id uuid not null,
      organization_id uuid not null,
      base_id uuid,
      schema_version integer not null,
      retention_days smallint not null,
      attempts text not null,
      verifications text not null
    ) partition by list (retention_days)`.execute(db);
  await sql`
    create table ${table("retention_classes")} (
      organization_id uuid not null,
      retention_days smallint not null,
      is_current boolean not null,
      primary key (organization_id, retention_days)
    )`.execute(db);
  // At most one is current: a result must not be stored twice.
  await sql`create unique index retention_classes_current on ${table("retention_classes")} (organization_id)
    where is_current`.execute(db);
}
