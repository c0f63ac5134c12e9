import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

/** Where a run made what a captured value identifies. Captures of earlier versions identify nothing that was made. */
export async function addMadeCaptures(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("run_captures")} add column made_at text`.execute(db);
}
