import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

/**
 * Without these, the few failed runs or those started by hand are looked for among all of an API: 12 ms at five thousand
 * of them. The first costs a run's end its new index entries, once; the other names nothing that ever changes.
 */
export async function indexRunFilters(db: Kysely<AnyTables>): Promise<void> {
  await sql`create index runs_api_verdict on ${table("runs")} (organization_id, api_id, verdict, id)
    where api_id is not null and finished_at is not null`.execute(db);
  await sql`create index runs_api_trigger on ${table("runs")} (organization_id, api_id, trigger, id)
    where api_id is not null`.execute(db);
  // An hour is counted up for an hour and then never again: half a page kept free is too much for it.
  await sql`alter table ${table("execution_counts")} set (fillfactor = 70)`.execute(db);
}
