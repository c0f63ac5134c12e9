import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

/** Whether a captured value is a string or JSON text. Rows of earlier versions are text without a type, as before. */
export async function addCaptureTypes(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("run_captures")} add column type text check (type in ('string', 'json'))`.execute(db);
}
