import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

/** How a test has ended with its present configuration: only a change back and forth is flaky. */
export async function addOutcomes(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("last_verdicts")}
    add column configuration uuid, add column has_passed boolean, add column has_failed boolean`.execute(db);
}
