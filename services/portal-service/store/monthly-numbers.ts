import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { getMonthStart, type MonthlyChanges, monthAfter, type OfMonth } from "../domain/monthly-numbers.ts";
import { type PortalTables, schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

interface Row {
  month: string;
  currency: string;
  amount: string | number;
}

/**
 * The numbers of each of these months over all organizations: subscriptions from their counts, payments from each
 * month's index range. A subscription began when it was first seen active; one that was never approved neither began
 * nor ended.
 * @param months e.g. `2026-04`, newest first
 */
export async function findMonthlyChanges(
  db: Executor<PortalTables>,
  months: readonly string[],
): Promise<MonthlyChanges> {
  const rows = months.map((month) => sql`(${month}, ${getMonthStart(month)}, ${getMonthStart(monthAfter(month))})`);
  const spans = sql`
    (select month, starts_at::timestamptz, ends_at::timestamptz
      from (values ${sql.join(rows)}) as given (month, starts_at, ends_at)) as span`;
  const within = (column: string) => sql`${sql.ref(column)} >= starts_at and ${sql.ref(column)} < ends_at`;

  async function read(amounts: ReturnType<typeof sql>): Promise<OfMonth[]> {
    const query = sql<Row>`
      select month, currency, amount from ${spans}, lateral (${amounts}) as amounts where amount <> 0`;
    return (await query.execute(db)).rows.map((row) => ({ ...row, amount: Number(row.amount) }));
  }

  const activeBefore = await sql<Omit<Row, "month">>`
    select currency, coalesce(sum(began - ended) filter (where month < ${months.at(-1)!}), 0) as amount
    from ${table("monthly_subscriptions")} group by currency having sum(began) > 0`.execute(db);
  const counted = await db.selectFrom("monthly_subscriptions").selectAll().where("month", "in", months).execute();
  const getCounts = (change: "began" | "ended"): OfMonth[] =>
    counted
      .filter((row) => row[change] !== 0)
      .map(({ month, currency, [change]: amount }) => ({ month, currency, amount }));

  return {
    activeBefore: activeBefore.rows.map(({ currency, amount }) => ({ currency, amount: Number(amount) })),
    began: getCounts("began"),
    ended: getCounts("ended"),
    paid: await read(sql`
      select currency, sum(amount_minor) as amount from ${table("payments")}
      where state not in ('DECLINED', 'PENDING') and ${within("paid_at")} group by 1`),
    // A payment listed as fully refunded, without a reported amount, counts in the month of the payment.
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
