import { moneyWords } from "~/plans/plan-words";
import { Badge } from "~/ui/badge/badge";
import { Moment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";
import type { Tone } from "~/ui/tone";

export interface Payment {
  id: string;
  serviceName: string;
  amount: { minorUnits: number; currency: string };
  state: "COMPLETED" | "DECLINED" | "PENDING" | "REFUNDED" | "PARTIALLY_REFUNDED";
  paidAt: string;
}

const states: Record<Payment["state"], { name: string; tone: Tone }> = {
  COMPLETED: { name: "Paid", tone: "success" },
  DECLINED: { name: "Declined", tone: "danger" },
  PENDING: { name: "Pending", tone: "warning" },
  REFUNDED: { name: "Refunded", tone: "neutral" },
  PARTIALLY_REFUNDED: { name: "Partly refunded", tone: "neutral" },
};

/** Payments as the provider tells them. */
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
        { key: "for", header: "For", cell: ({ serviceName }) => serviceName },
        { key: "amount", header: "Amount", cell: ({ amount }) => moneyWords(amount), numeric: true },
        {
          key: "state",
          header: "State",
          cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].name}</Badge>,
        },
        { key: "id", header: "PayPal's number", cell: ({ id }) => <code>{id}</code> },
      ]}
    />
  );
}
