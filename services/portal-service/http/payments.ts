import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import { notFound, Problem } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { portalServiceContract } from "../contract/contract.ts";
import type { Payment } from "../contract/payments.ts";
import { monthAfter } from "../domain/billing-month.ts";
import { findPayment, listPayments, type PaymentRow } from "../store/payments.ts";
import { planNames } from "../store/plans.ts";
import type { PortalDatabase } from "../store/tables.ts";

/** Ids of payments are the provider's. */
export function readPaymentCursor(text: string): { moment: string; id: string } {
  const [moment, id] = decodeCursor(text, 2).map(String) as [string, string];
  if (Number.isNaN(Date.parse(moment))) throw new Problem("malformed_request", "The cursor is none of this list.");
  return { moment, id };
}

const show = (row: PaymentRow, names: Map<string, string>): Payment => ({
  id: row.id,
  subscriptionId: row.subscription_id,
  serviceName: names.get(row.service_id) ?? row.service_id,
  amount: { minorUnits: row.amount_minor, currency: row.currency },
  state: row.state,
  paidAt: row.paid_at.toISOString(),
  coversUntil: monthAfter(row.paid_at).toISOString(),
});

/** Makes the handler of what an organization paid, as the provider tells it. */
export function createPaymentHandlers(
  db: PortalDatabase,
): Pick<Handlers<typeof portalServiceContract>, "listPayments" | "getPayment"> {
  return {
    async getPayment({ caller, params }) {
      const row = await findPayment(db, caller.organizationId, params.paymentId);
      if (!row) throw notFound("payment");
      return show(row, await planNames(db));
    },

    async listPayments({ caller, query }) {
      const before = query.cursor === undefined ? undefined : readPaymentCursor(query.cursor);
      const rows = await listPayments(db, caller.organizationId, { before, limit: query.limit });
      const names = await planNames(db);
      return showPayments(rows, query.limit, names);
    },
  };
}

export function showPayments(
  rows: Awaited<ReturnType<typeof listPayments>>,
  limit: number,
  names: Map<string, string>,
) {
  return pageFrom(
    rows,
    limit,
    (row) => [row.paid_at.toISOString(), row.id],
    (row) => show(row, names),
  );
}
