import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

/** Circles of earlier versions stay as they were: without a cookie jar. */
export async function addCircleCookies(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${sql.id(schemaName, "test_circles")}
    add column keeps_cookies boolean not null default false`.execute(db);
}
