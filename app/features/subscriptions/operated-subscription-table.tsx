import type { OperatedSubscription } from "#contracts/portal-service/operated-subscriptions.ts";
import { moneyWords } from "~/features/plans/plan-words";
import { stateNames, stateTones } from "~/features/subscriptions/state-words";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Moment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";

/** The subscriber: the organization's name, or what is known of it. */
export const organizationWords = ({ name }: OperatedSubscription["organization"]): string =>
  name ?? "An unknown organization";

export interface OperatedSubscriptionTableProps {
  subscriptions: readonly OperatedSubscription[];
}

/** Subscriptions of all organizations, each linked to its page. */
export function OperatedSubscriptionTable({ subscriptions }: OperatedSubscriptionTableProps) {
  return (
    <Table
      caption="Subscriptions of all organizations, newest first"
      captionHidden
      rows={subscriptions}
      rowKey={({ id }) => id}
      columns={[
        {
          key: "organization",
          header: "Organization",
          rowHeader: true,
          cell: ({ id, organization }) => (
            <a href={href("/administration/system/subscriptions/:subscriptionId", { subscriptionId: id })}>
              {organizationWords(organization)}
            </a>
          ),
        },
        { key: "plan", header: "Plan", selfEvident: true, cell: ({ serviceName }) => serviceName },
        {
          key: "state",
          header: "State",
          selfEvident: true,
          beside: true,
          cell: ({ state }) => <Badge tone={stateTones[state]}>{stateNames[state]}</Badge>,
        },
        {
          key: "since",
          header: "Since",
          wideOnly: true,
          cell: ({ stateChangedAt }) => <Moment value={stateChangedAt} />,
        },
        { key: "price", header: "A month", cell: ({ price }) => moneyWords(price), numeric: true },
        {
          key: "provider",
          header: "At PayPal",
          wideOnly: true,
          cell: ({ providerId }) => (providerId ? <code>{providerId}</code> : "Not created yet"),
        },
      ]}
    />
  );
}
