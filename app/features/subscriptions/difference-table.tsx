import type { ReactNode } from "react";
import type { ReportedDifference } from "#contracts/portal-service/differences.ts";
import { amountWords } from "~/features/plans/plan-words";
import { paymentStates } from "~/features/subscriptions/payment-table";
import { stateNames } from "~/features/subscriptions/state-words";
import { Moment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";

export interface DifferenceTableProps {
  caption: string;
  differences: readonly ReportedDifference[];
  /** Names of plans by id. */
  planNames: Readonly<Record<string, string>>;
}

const subjectWords: Record<ReportedDifference["subject"], string> = {
  state: "State",
  plan: "Plan",
  price: "Price a month",
  nextPayment: "Next payment",
  paidUntil: "Paid until",
  failedPayments: "Failed payments",
  payment: "Payment",
};

const nameIn = <Names extends object>(names: Names, key: string | undefined) =>
  (key !== undefined && Object.hasOwn(names, key) ? names[key as keyof Names] : undefined) as
    | Names[keyof Names]
    | undefined;

/** For example `49.00 USD`. */
function amountIn(text: string): string {
  const [amount = "0", currency = "USD"] = text.split(" ");
  return amountWords({ amount, currency });
}

/** The changes from the provider's response: the previous and the current values. */
export function DifferenceTable({ caption, differences, planNames }: DifferenceTableProps) {
  function say(subject: ReportedDifference["subject"], value: string | null): ReactNode {
    if (value === null) return subject === "payment" ? "Not known" : "None";
    switch (subject) {
      case "state":
        return nameIn(stateNames, value) ?? value;
      case "plan":
        return planNames[value] ?? value;
      case "price":
        return amountIn(value);
      case "nextPayment":
      case "paidUntil":
        return <Moment value={value} />;
      case "payment": {
        const [state, ...amount] = value.split(" ");
        return `${nameIn(paymentStates, state)?.name ?? state}, ${amountIn(amount.join(" "))}`;
      }
      case "failedPayments":
        return value;
    }
  }
  return (
    <Table
      bare
      caption={caption}
      captionHidden
      rows={differences}
      rowKey={({ subject, id }) => `${subject} ${id}`}
      columns={[
        {
          key: "subject",
          header: "What",
          rowHeader: true,
          cell: ({ subject, id }) => (
            <>
              {subjectWords[subject]} {id && <code>{id}</code>}
            </>
          ),
        },
        { key: "before", header: "Stored", cell: ({ subject, before }) => say(subject, before) },
        { key: "after", header: "PayPal says", cell: ({ subject, after }) => say(subject, after) },
      ]}
    />
  );
}
