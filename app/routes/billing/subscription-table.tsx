import type { Subscription } from "#contracts/portal-service/subscriptions.ts";
import { moneyWords } from "~/features/plans/plan-words";
import { stateNames, stateTones } from "~/features/subscriptions/state-words";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Moment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";

/** An organization's subscriptions, newest first. */
export function SubscriptionTable({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  return (
    <Table
      bare
      caption="Subscriptions, newest first"
      captionHidden
      rows={subscriptions}
      rowKey={({ id }) => id}
      columns={[
        {
          key: "plan",
          header: "Plan",
          cell: ({ id, serviceName }) => (
            <a href={href("/subscriptions/:subscriptionId", { subscriptionId: id })}>{serviceName}</a>
          ),
          rowHeader: true,
        },
        {
          key: "state",
          header: "State",
          selfEvident: true,
          beside: true,
          cell: ({ state }) => <Badge tone={stateTones[state]}>{stateNames[state]}</Badge>,
        },
        { key: "since", header: "Since", cell: ({ stateChangedAt }) => <Moment value={stateChangedAt} /> },
        { key: "price", header: "A month", cell: ({ price }) => moneyWords(price), numeric: true },
      ]}
    />
  );
}
