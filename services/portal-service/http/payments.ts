import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { Payment } from "#contracts/portal-service/payments.ts";
import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { monthAfter } from "../domain/billing-month.ts";
import { toRefund } from "../domain/refund.ts";
import { findPayment, listPayments, type PaymentRow } from "../store/payments.ts";
import { planNames } from "../store/plans.ts";
import { findRefunds, type RefundRow } from "../store/refunds.ts";
import type { PortalDatabase } from "../store/tables.ts";

/** Payment ids are the provider's. */
export function readPaymentCursor(text: string): { moment: string; id: string } {
  const [moment, id] = decodeCursor(text, 2).map(String) as [string, string];
  if (Number.isNaN(Date.parse(moment))) throw new Problem("malformed_request", "The cursor is none of this list.");
  return { moment, id };
}

function show(row: PaymentRow, names: Map<string, string>, reported: readonly RefundRow[] = []): Payment {
  const amount = { minorUnits: row.amount_minor, currency: row.currency };
  const refunds = reported.map(({ kind, amount_minor, currency }) => ({
    kind,
    amount: { minorUnits: amount_minor, currency },
  }));
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    serviceName: names.get(row.service_id) ?? row.service_id,
    amount,
    ...toRefund({ state: row.state, amount }, refunds),
    paidAt: row.paid_at.toISOString(),
    coversUntil: monthAfter(row.paid_at).toISOString(),
  };
}

/** Creates the handler of an organization's payments, as reported by the provider. */
export function createPaymentHandlers(
  db: PortalDatabase,
): Pick<Handlers<typeof portalServiceContract>, "listPayments" | "getPayment"> {
  return {
    async getPayment({ caller, params }) {
      const row = await findPayment(db, caller.organizationId, params.paymentId);
      if (!row) throw notFound("payment");
      const refunds = await findRefunds(db, [row]);
      return show(row, await planNames(db), refunds.get(row.id));
    },

    async listPayments({ caller, query }) {
      const before = query.cursor === undefined ? undefined : readPaymentCursor(query.cursor);
      const rows = await listPayments(db, caller.organizationId, { before, limit: query.limit });
      return await showPayments(db, rows, query.limit);
    },
  };
}

/** A page of payments with their refunds. */
export async function showPayments(db: PortalDatabase, rows: PaymentRow[], limit: number) {
  const [names, refunds] = await Promise.all([planNames(db), findRefunds(db, rows)]);
  return pageFrom(
    rows,
    limit,
    (row) => [row.paid_at.toISOString(), row.id],
    (row) => show(row, names, refunds.get(row.id)),
  );
}
