import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

/**
 * When a delivery was queued, which may be long after it was created. Null for deliveries that an earlier version
 * queues.
 */
export async function keepWhenQueued(db: Kysely<AnyTables>): Promise<void> {
  const deliveries = table("alert_deliveries");
  await sql`alter table ${deliveries} add column queued_at timestamptz`.execute(db);
  await sql`create index alert_deliveries_waiting on ${deliveries} (id) where state = 'waiting'`.execute(db);
}
