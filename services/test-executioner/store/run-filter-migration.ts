import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

/**
 * Without these, the few failed or manually started runs are searched for among all of an API: 12 ms at five thousand
 * of them. The first costs new index entries at a run's end, once; the other contains only columns that never change.
 */
export async function indexRunFilters(db: Kysely<AnyTables>): Promise<void> {
  await sql`create index runs_api_verdict on ${table("runs")} (organization_id, api_id, verdict, id)
    where api_id is not null and finished_at is not null`.execute(db);
  await sql`create index runs_api_trigger on ${table("runs")} (organization_id, api_id, trigger, id)
    where api_id is not null`.execute(db);
  // An hour is updated for an hour and then never again: keeping half a page free is too much for it.
  await sql`alter table ${table("execution_counts")} set (fillfactor = 70)`.execute(db);
}
