import type { AlertChannel } from "#contracts/test-analyzer/alert-channels.ts";
import { Badge } from "~/ui/badge/badge";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Moment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";

export interface AddressStatesProps {
  addresses: Extract<AlertChannel, { kind: "mail" }>["addresses"];
  mayWrite: boolean;
  /** The target of its forms. */
  action: string;
}

/** Which addresses of a mail channel are confirmed. */
export function AddressStates({ addresses, mayWrite, action }: AddressStatesProps) {
  return (
    <Card title="Confirmations" flush>
      <Table
        caption="Addresses and whether they are confirmed"
        captionHidden
        bare
        rows={addresses}
        rowKey={({ address }) => address}
        columns={[
          { key: "address", header: "Address", rowHeader: true, cell: ({ address }) => address },
          {
            key: "state",
            header: "State",
            cell: ({ confirmedAt }) =>
              confirmedAt ? (
                <Badge tone="success">
                  Confirmed <Moment value={confirmedAt} />
                </Badge>
              ) : (
                <Badge tone="warning">Not confirmed yet: receives no alerts</Badge>
              ),
          },
          {
            key: "again",
            header: "Actions",
            headerHidden: true,
            tight: true,
            cell: ({ address, confirmedAt }) =>
              mayWrite &&
              confirmedAt === null && (
                <form method="post" action={action}>
                  <input type="hidden" name="address" value={address} />
                  <Button
                    size="small"
                    icon="mail"
                    name="intent"
                    value="send-link"
                    aria-label={`Send the link again to ${address}`}
                  >
                    Send the link again
                  </Button>
                </form>
              ),
          },
        ]}
      />
    </Card>
  );
}
