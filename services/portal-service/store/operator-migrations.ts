import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/** The operator's view of all organizations' subscriptions, one page in constant time whatever the filter. */
export async function listSubscriptionsOfAll(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    alter table ${table("subscriptions")}
      add column answered_at timestamptz,
      add column answer_differences jsonb,
      add column held_because text`.execute(db);
  for (const columns of ["state", "service_id", "service_id, state"])
    await sql`
      create index ${sql.id(`subscriptions_by_${columns.replace(", ", "_and_")}`)} on ${table("subscriptions")}
        (${sql.raw(columns)}, id desc)`.execute(db);
  await sql`
    create index payments_of_subscription on ${table("payments")} (subscription_id, paid_at desc, id desc)`.execute(db);
}

/** The operator's view of deliveries and their results. */
export async function addDeliveryColumns(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    alter table ${table("webhook_deliveries")}
      add column last_received_at timestamptz,
      add column fault text,
      add column answered_at timestamptz,
      add column differences jsonb`.execute(db);
  const newest = sql`${table("webhook_deliveries")} (received_at desc, id desc)`;
  await sql`create index webhook_deliveries_refused on ${newest} where fault is not null`.execute(db);
  await sql`create index webhook_deliveries_believed on ${newest} where fault is null`.execute(db);
  for (const column of ["subscription_id", "provider_id"])
    await sql`
      create index ${sql.id(`webhook_deliveries_by_${column}`)} on ${table("webhook_deliveries")}
        (${sql.id(column)}, received_at desc, id desc)`.execute(db);
  await sql`
    create index webhook_deliveries_to_answer on ${table("webhook_deliveries")} (subscription_id)
      where answered_at is null`.execute(db);
  await sql`
    create table ${table("refused_deliveries")} (
      hour timestamptz not null,
      fault text not null,
      count bigint not null,
      primary key (hour, fault)
    )`.execute(db);
}

/** An operator's action on a subscription is stored, with its reason, before the call to the provider. */
export async function addActionColumns(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    alter table ${table("subscriptions")}
      add column deed_state text,
      add column deed_because text,
      add column deed_by text,
      add column deed_ends_at timestamptz`.execute(db);
}
