import { type Kysely, type RawBuilder, sql } from "kysely";
import type { AnyTables } from "../database/database.ts";

/**
 * Migration step that publishes existing rows to a new consumer, one event per row, as if the row had just been
 * created. Later rows publish their own events, so each row is published once.
 */
export function publishRows(options: {
  schema: string;
  consumer: string;
  type: string;
  /** Rows with `organization_id`, `resource` and `payload` (a JSON object). */
  rows: RawBuilder<unknown>;
}) {
  return async (db: Kysely<AnyTables>): Promise<void> => {
    const { schema, consumer, type } = options;
    await sql`
      insert into ${sql.id(schema, "event_deliveries")} (consumer, event_id, resource, organization_id, event, due_at)
      select ${consumer}::text, event_id, resource, organization_id, json_build_object(
        'id', event_id, 'type', ${type}::text, 'organizationId', organization_id, 'payload', payload,
        'occurredAt', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))::text, now()
      from (select gen_random_uuid() as event_id, known.* from (${options.rows}) as known) as created`.execute(db);
  };
}
