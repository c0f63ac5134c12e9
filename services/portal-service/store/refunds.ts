import type { Selectable } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { ReportedRefund } from "../payment/provider.ts";
import type { PortalTables } from "./tables.ts";

type Db = Executor<PortalTables>;
export type RefundRow = Selectable<PortalTables["refunds"]>;

/**
 * Stores a reported refund of a known payment, once however often it is reported.
 * @returns whether it is new
 */
export async function keepRefund(db: Db, refund: ReportedRefund): Promise<boolean> {
  const payment = await db
    .selectFrom("payments")
    .select(["organization_id", "currency"])
    .where("id", "=", refund.paymentId)
    .executeTakeFirst();
  if (!payment || payment.currency !== refund.amount.currency) return false;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("refunds")
    .values({
      id: refund.id,
      payment_id: refund.paymentId,
      organization_id: payment.organization_id,
      kind: refund.kind,
      amount_minor: refund.amount.minorUnits,
      currency: refund.amount.currency,
      refunded_at: refund.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Refunds of these payments, by payment id. */
export async function findRefunds(
  db: Db,
  payments: { id: string; organization_id: string }[],
): Promise<Map<string, RefundRow[]>> {
  if (payments.length === 0) return new Map();
  const rows = await db
    .selectFrom("refunds")
    .selectAll()
    .where("organization_id", "in", [...new Set(payments.map(({ organization_id }) => organization_id))])
    .where(
      "payment_id",
      "in",
      payments.map(({ id }) => id),
    )
    .execute();
  const found = new Map<string, RefundRow[]>();
  for (const row of rows) found.set(row.payment_id, [...(found.get(row.payment_id) ?? []), row]);
  return found;
}
