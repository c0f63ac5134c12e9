import type { Subscription } from "#contracts/portal-service/subscriptions.ts";
import { stateNames, stateTones } from "~/features/subscriptions/state-words";
import { Badge } from "~/ui/badge/badge";
import { Card } from "~/ui/card/card";
import { Moment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";

export interface SubscriptionHistoryProps {
  entries: readonly { id: string; at: string; state: Subscription["state"]; text: string }[];
}

/** History of a subscription, as its subscriber sees it. */
export function SubscriptionHistory({ entries }: SubscriptionHistoryProps) {
  return (
    <Card title="History" description="The subscriber sees the same." flush>
      <Table
        bare
        caption="What happened to this subscription, newest first"
        captionHidden
        rows={entries}
        rowKey={({ id }) => id}
        columns={[
          { key: "at", header: "When", cell: ({ at }) => <Moment value={at} />, rowHeader: true },
          {
            key: "state",
            header: "State",
            selfEvident: true,
            beside: true,
            cell: ({ state }) => <Badge tone={stateTones[state]}>{stateNames[state]}</Badge>,
          },
          { key: "text", header: "What happened", selfEvident: true, cell: ({ text }) => text },
        ]}
      />
    </Card>
  );
}
