import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

/** Circles of earlier versions stay as they were: their members may change anything. */
export async function addOnlyOwn(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${sql.id(schemaName, "test_circles")}
    add column only_own boolean not null default false`.execute(db);
  await sql`alter table ${sql.id(schemaName, "test_circle_members")}
    add column effect text check (effect in ('makes', 'allowed'))`.execute(db);
}
