import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { type MonthlyFacts, monthAfter, type OfMonth, startOf } from "../domain/monthly-numbers.ts";
import { type PortalTables, schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

interface Row {
  month: string;
  currency: string;
  amount: string | number;
}

/**
 * What happened in each of these months, of all organizations, each read from its range of an index. A subscription began
 * when it was first seen active; one that was never approved neither began nor ended.
 * @param months as in `2026-04`, the newest first
 */
export async function findMonthlyFacts(db: Executor<PortalTables>, months: readonly string[]): Promise<MonthlyFacts> {
  const rows = months.map((month) => sql`(${month}, ${startOf(month)}, ${startOf(monthAfter(month))})`);
  const spans = sql`
    (select month, starts_at::timestamptz, ends_at::timestamptz
      from (values ${sql.join(rows)}) as given (month, starts_at, ends_at)) as span`;
  const within = (column: string) => sql`${sql.ref(column)} >= starts_at and ${sql.ref(column)} < ends_at`;

  async function read(facts: ReturnType<typeof sql>): Promise<OfMonth[]> {
    const query = sql<Row>`
      select month, currency, amount from ${spans}, lateral (${facts}) as facts where amount <> 0`;
    return (await query.execute(db)).rows.map((row) => ({ ...row, amount: Number(row.amount) }));
  }

  const activeBefore = await sql<Omit<Row, "month">>`
    select price_currency as currency, count(*) filter (where began_at < ${startOf(months.at(-1)!)}::timestamptz)
      - count(*) filter (where state in ('CANCELLED', 'EXPIRED')
        and state_changed_at < ${startOf(months.at(-1)!)}::timestamptz) as amount
    from ${table("subscriptions")} where began_at is not null group by 1`.execute(db);
  return {
    activeBefore: activeBefore.rows.map(({ currency, amount }) => ({ currency, amount: Number(amount) })),
    began: await read(sql`
      select price_currency as currency, count(*) as amount from ${table("subscriptions")}
      where began_at is not null and ${within("began_at")} group by 1`),
    ended: await read(sql`
      select price_currency as currency, count(*) as amount from ${table("subscriptions")}
      where began_at is not null and state in ('CANCELLED', 'EXPIRED') and ${within("state_changed_at")} group by 1`),
    paid: await read(sql`
      select currency, sum(amount_minor) as amount from ${table("payments")}
      where state not in ('DECLINED', 'PENDING') and ${within("paid_at")} group by 1`),
    // What the provider's list calls refunded whole, and nobody told the amount of, counts where it was paid.
    refunded: await read(sql`
      select currency, sum(amount) as amount from (
        select currency, amount_minor as amount from ${table("refunds")} where ${within("refunded_at")}
        union all
        select payment.currency, greatest(0, payment.amount_minor - coalesce((
          select sum(amount_minor) from ${table("refunds")} as told where told.payment_id = payment.id
        ), 0))
        from ${table("payments")} as payment where payment.state = 'REFUNDED' and ${within("payment.paid_at")}
      ) as refunded group by 1`),
  };
}
