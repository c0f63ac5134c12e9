import type { Payment } from "#contracts/portal-service/payments.ts";
import { moneyWords } from "~/features/plans/plan-words";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Moment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";
import type { Tone } from "~/ui/tone";

export const paymentStates: Record<Payment["state"], { name: string; tone: Tone }> = {
  COMPLETED: { name: "Paid", tone: "success" },
  DECLINED: { name: "Declined", tone: "danger" },
  PENDING: { name: "Pending", tone: "warning" },
  REFUNDED: { name: "Refunded", tone: "neutral" },
  PARTIALLY_REFUNDED: { name: "Partly refunded", tone: "neutral" },
  REVERSED: { name: "Reversed", tone: "danger" },
};

/** A payment that was not collected has no invoice. */
export const isInvoiced = (state: Payment["state"]) => state !== "DECLINED" && state !== "PENDING";

/** Payments as reported by the provider. */
export function PaymentTable({ payments }: { payments: readonly Payment[] }) {
  return (
    <Table
      bare
      caption="Payments"
      captionHidden
      rows={payments}
      rowKey={({ id }) => id}
      columns={[
        { key: "at", header: "Date", cell: ({ paidAt }) => <Moment value={paidAt} />, rowHeader: true },
        { key: "for", header: "For", selfEvident: true, cell: ({ serviceName }) => serviceName },
        { key: "amount", header: "Amount", selfEvident: true, cell: ({ amount }) => moneyWords(amount), numeric: true },
        {
          key: "refunded",
          header: "Refunded",
          cell: ({ refunded }) => (refunded ? refunded.minorUnits > 0 && moneyWords(refunded) : "A part"),
          numeric: true,
        },
        { key: "id", header: "PayPal's number", selfEvident: true, cell: ({ id }) => <code>{id}</code> },
        {
          key: "state",
          header: "State",
          selfEvident: true,
          cell: ({ state }) => <Badge tone={paymentStates[state].tone}>{paymentStates[state].name}</Badge>,
        },
        {
          key: "invoice",
          header: "Invoice",
          selfEvident: true,
          cell: ({ id, state }) =>
            isInvoiced(state) ? (
              <a href={href("/billing/invoices/:paymentId", { paymentId: id })} aria-label={`Invoice of payment ${id}`}>
                Invoice
              </a>
            ) : (
              "–"
            ),
        },
      ]}
    />
  );
}
