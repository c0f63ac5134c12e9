import { type Kysely, type Selectable, sql } from "kysely";
import type { AnyTables, Executor } from "../../kit/database/database.ts";
import { type SecurityTables, schemaName } from "./tables.ts";

type Db = Executor<SecurityTables>;
export type TracingRow = Selectable<SecurityTables["tracing_settings"]>;

export async function createTracing(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${sql.id(schemaName, "tracing_settings")} (
      organization_id uuid primary key references ${sql.id(schemaName, "organizations")} on delete cascade,
      verified_domains boolean not null,
      hosts text[] not null,
      link_template text not null,
      updated_at timestamptz not null
    )`.execute(db);
}

export async function findTracing(db: Db, organizationId: string): Promise<TracingRow | undefined> {
  return await db
    .selectFrom("tracing_settings")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
}

export async function storeTracing(db: Db, row: TracingRow): Promise<void> {
  const { organization_id: _, ...changes } = row;
  await db
    .insertInto("tracing_settings")
    .values(row)
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(changes))
    .execute();
}
