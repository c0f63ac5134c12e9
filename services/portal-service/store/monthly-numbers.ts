import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { MonthlyFacts, OfMonth } from "../domain/monthly-numbers.ts";
import { type PortalTables, schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);
const month = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM')`;

/**
 * What happened in each month, of all organizations. A subscription began when it was first seen active; one that was
 * never approved neither began nor ended.
 */
export async function findMonthlyFacts(db: Executor<PortalTables>): Promise<MonthlyFacts> {
  const lives = sql`
    select currency.price_currency as currency, currency.state, currency.state_changed_at as ended_at, (
      select min(at) from ${table("subscription_entries")} as entry
      where entry.organization_id = currency.organization_id and entry.subscription_id = currency.id
        and entry.state = 'ACTIVE'
    ) as began_at
    from ${table("subscriptions")} as currency`;
  const read = async (facts: ReturnType<typeof sql>): Promise<OfMonth[]> => {
    const { rows } = await sql<{ month: string; currency: string; amount: string | number }>`${facts}`.execute(db);
    return rows.map((row) => ({ month: row.month, currency: row.currency, amount: Number(row.amount) }));
  };
  return {
    began: await read(sql`
      select ${month("began_at")} as month, currency, count(*) as amount from (${lives}) as lives
      where began_at is not null group by 1, 2`),
    ended: await read(sql`
      select ${month("ended_at")} as month, currency, count(*) as amount from (${lives}) as lives
      where began_at is not null and state in ('CANCELLED', 'EXPIRED') group by 1, 2`),
    paid: await read(sql`
      select ${month("paid_at")} as month, currency, sum(amount_minor) as amount from ${table("payments")}
      where state not in ('DECLINED', 'PENDING') group by 1, 2`),
    // What the provider's list calls refunded whole, and nobody told the amount of, counts where it was paid.
    refunded: await read(sql`
      select month, currency, sum(amount) as amount from (
        select ${month("refunded_at")} as month, currency, amount_minor as amount from ${table("refunds")}
        union all
        select ${month("paid_at")} as month, payment.currency, payment.amount_minor - coalesce(told.amount, 0) as amount
        from ${table("payments")} as payment
        left join (
          select payment_id, sum(amount_minor) as amount from ${table("refunds")} group by payment_id
        ) as told on told.payment_id = payment.id
        where payment.state = 'REFUNDED' and payment.amount_minor > coalesce(told.amount, 0)
      ) as refunded group by 1, 2`),
  };
}
