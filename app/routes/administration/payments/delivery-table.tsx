import type { PaymentDelivery } from "#contracts/portal-service/deliveries.ts";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Moment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";
import { effectWords, eventWords, outcomeWords } from "./delivery-words";

export interface DeliveryTableProps {
  deliveries: readonly PaymentDelivery[];
  bare?: boolean;
}

/** Notifications from PayPal, each linked to its page. */
export function DeliveryTable({ deliveries, bare }: DeliveryTableProps) {
  return (
    <Table
      bare={bare}
      caption="Deliveries, newest first"
      captionHidden
      rows={deliveries}
      rowKey={({ id }) => id}
      columns={[
        {
          key: "event",
          header: "Event",
          rowHeader: true,
          cell: (delivery) => (
            <a
              href={href("/administration/system/paypal-deliveries/:paymentDeliveryId", {
                paymentDeliveryId: delivery.id,
              })}
            >
              {eventWords(delivery)}
            </a>
          ),
        },
        {
          key: "at",
          header: "When",
          selfEvident: true,
          cell: ({ receivedAt }) => <Moment value={receivedAt} precise />,
        },
        {
          key: "outcome",
          header: "From",
          selfEvident: true,
          cell: ({ outcome }) => <Badge tone={outcomeWords[outcome].tone}>{outcomeWords[outcome].name}</Badge>,
        },
        { key: "effect", header: "Outcome", selfEvident: true, clipped: true, cell: getSummary },
        { key: "times", header: "Times", wideOnly: true, cell: ({ times }) => times, numeric: true, tight: true },
      ]}
    />
  );
}

function getSummary(delivery: PaymentDelivery): string {
  const { length } = delivery.differences;
  return length > 0 ? `${length} ${length === 1 ? "fact" : "facts"} changed` : effectWords(delivery);
}
