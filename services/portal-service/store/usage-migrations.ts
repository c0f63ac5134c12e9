import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/** Counted from now on: earlier days are only known by month. */
export async function createDailyExecutions(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("daily_executions")} (
      organization_id uuid not null,
      day text not null,
      executions bigint not null,
      primary key (organization_id, day)
    )`.execute(db);
}

export async function createSkippedRuns(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("skipped_runs")} (
      organization_id uuid primary key,
      month text not null
    )`.execute(db);
}
