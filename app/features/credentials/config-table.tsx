import type { AuthorizationConfig } from "#contracts/security-service/authorization-configs.ts";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Row } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { type Column, Table } from "~/ui/table/table";
import { describeCredential } from "./credential-words";

export interface ConfigTableProps {
  caption: string;
  configs: readonly AuthorizationConfig[];
  /** Links schemes to the form; off for viewers who may not change them. */
  mayManage: boolean;
  /** Within a card, so without a border. */
  bare?: boolean;
}

export function ConfigTable({ caption, configs, mayManage, bare }: ConfigTableProps) {
  const columns: Column<AuthorizationConfig>[] = [
    {
      key: "scheme",
      header: "Security scheme",
      rowHeader: true,
      cell: ({ id, schemeName }) =>
        mayManage ? (
          <a
            href={href("/administration/authorization-configs/:authorizationConfigId/edit", {
              authorizationConfigId: id,
            })}
          >
            {schemeName}
          </a>
        ) : (
          schemeName
        ),
    },
    { key: "domain", header: "Domain", selfEvident: true, cell: ({ domain }) => <code>{domain}</code> },
    {
      key: "credential",
      header: "Credential",
      selfEvident: true,
      clipped: mayManage,
      cell: ({ credentialName, credentialFits }) => (
        <Row>
          {credentialName}
          {!credentialFits && <Badge tone="warning">Bound to another domain</Badge>}
        </Row>
      ),
    },
    { key: "type", header: "Sent as", selfEvident: true, wideOnly: mayManage, cell: describeCredential },
    {
      key: "updated",
      header: "Updated",
      tight: true,
      wideOnly: mayManage,
      cell: ({ updatedAt }) => <Moment value={updatedAt} />,
    },
  ];
  return <Table caption={caption} captionHidden bare={bare} columns={columns} rows={configs} rowKey={({ id }) => id} />;
}
