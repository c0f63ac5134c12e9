import type { Domain } from "#contracts/security-service/domains.ts";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { formatCount } from "~/ui/count/format-count";
import { Moment } from "~/ui/moment/moment";
import { type Column, Table } from "~/ui/table/table";
import { getStatusWords } from "./domain-words";

export interface DomainTableProps {
  domains: readonly Domain[];
  /** Names link to the domain's page, except for viewers who may not change it. */
  mayManage: boolean;
}

export function DomainTable({ domains, mayManage }: DomainTableProps) {
  const columns: Column<Domain>[] = [
    {
      key: "name",
      header: "Domain",
      rowHeader: true,
      cell: ({ name }) =>
        mayManage ? (
          <a href={href("/administration/domain/:domain/edit", { domain: name })}>
            <code>{name}</code>
          </a>
        ) : (
          <code>{name}</code>
        ),
    },
    { key: "description", header: "Description", cell: ({ description }) => description },
    { key: "state", header: "Ownership", cell: ({ verification }) => <Ownership {...{ verification }} /> },
    {
      key: "credentials",
      header: "Credentials",
      cell: ({ name, credentialCount }) =>
        credentialCount === 0 ? (
          "None"
        ) : (
          <a href={href("/administration/credentials/domain/:domain", { domain: name })}>
            {formatCount(credentialCount)}
          </a>
        ),
    },
    {
      key: "checked",
      header: "Checked",
      tight: true,
      cell: ({ verification: { checkedAt } }) => (checkedAt ? <Moment value={checkedAt} /> : "Never"),
    },
  ];
  return <Table caption="Domains" captionHidden columns={columns} rows={domains} rowKey={({ id }) => id} />;
}

export function Ownership({ verification }: Pick<Domain, "verification">) {
  const { words, tone } = getStatusWords(verification);
  return <Badge tone={tone}>{words}</Badge>;
}
