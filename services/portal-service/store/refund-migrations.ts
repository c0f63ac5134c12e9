import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/** The refunded amount of a payment: the provider's list of payments contains only the fact. */
export async function createRefunds(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("refunds")} (
      id text primary key,
      payment_id text not null references ${table("payments")} (id),
      organization_id uuid not null,
      kind text not null check (kind in ('REFUND', 'REVERSAL')),
      amount_minor bigint not null check (amount_minor > 0),
      currency text not null,
      refunded_at timestamptz not null
    )`.execute(db);
  await sql`create index refunds_of_payment on ${table("refunds")} (payment_id)`.execute(db);
  await sql`create index refunds_by_time on ${table("refunds")} (refunded_at)`.execute(db);
}
