import type { Credential } from "#contracts/security-service/credentials.ts";
import { href } from "~/href";
import { Moment } from "~/ui/moment/moment";
import { type Column, Table } from "~/ui/table/table";
import { describeCredential, describeUse } from "./credential-words";

export interface CredentialTableProps {
  caption: string;
  credentials: readonly Credential[];
  /** Links names to the form; off for viewers who may only use credentials. */
  mayManage: boolean;
  /** Within a card, so without a border. */
  bare?: boolean;
}

export function CredentialTable({ caption, credentials, mayManage, bare }: CredentialTableProps) {
  const columns: Column<Credential>[] = [
    {
      key: "name",
      header: "Name",
      rowHeader: true,
      cell: ({ id, name }) =>
        mayManage ? (
          <a href={href("/administration/credentials/:credentialId/edit", { credentialId: id })}>{name}</a>
        ) : (
          name
        ),
    },
    {
      key: "domain",
      header: "Domain",
      selfEvident: true,
      cell: ({ domain }) => (
        <a href={href("/administration/credentials/domain/:domain", { domain })}>
          <code>{domain}</code>
        </a>
      ),
    },
    { key: "type", header: "Type", selfEvident: true, cell: describeCredential },
    { key: "usedBy", header: "Used by", wideOnly: mayManage, cell: ({ usedBy }) => describeUse(usedBy) },
    {
      key: "updated",
      header: "Updated",
      tight: true,
      wideOnly: mayManage,
      cell: ({ updatedAt }) => <Moment value={updatedAt} />,
    },
  ];
  return (
    <Table caption={caption} captionHidden bare={bare} columns={columns} rows={credentials} rowKey={({ id }) => id} />
  );
}
