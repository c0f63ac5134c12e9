import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

/** Where the time of an execution went, beside its response; null for those stored earlier, which takes no space. */
export async function addTimings(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("executions")}
    add column sending_milliseconds real, add column storing_milliseconds real`.execute(db);
}
