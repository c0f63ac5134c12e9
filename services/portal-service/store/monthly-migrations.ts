import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/** A month's numbers are read from its index range, however much was sold before. */
export async function readMonthsByRange(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("subscriptions")} add column began_at timestamptz`.execute(db);
  await sql`
    update ${table("subscriptions")} as begun set began_at = (
      select min(at) from ${table("subscription_entries")} as entry
      where entry.organization_id = begun.organization_id and entry.subscription_id = begun.id
        and entry.state = 'ACTIVE'
    )`.execute(db);
  await sql`
    create index subscriptions_begun on ${table("subscriptions")} (began_at)
      include (price_currency, state, state_changed_at) where began_at is not null`.execute(db);
  await sql`
    create index subscriptions_over on ${table("subscriptions")} (state_changed_at) include (price_currency)
      where began_at is not null and state in ('CANCELLED', 'EXPIRED')`.execute(db);
  await sql`
    create index payments_collected on ${table("payments")} (paid_at) include (currency, amount_minor)
      where state not in ('DECLINED', 'PENDING')`.execute(db);
  await sql`
    create index payments_refunded on ${table("payments")} (paid_at) where state = 'REFUNDED'`.execute(db);
}
