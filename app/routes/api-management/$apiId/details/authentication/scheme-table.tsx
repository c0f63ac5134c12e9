import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { type Column, Table } from "~/ui/table/table";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import type { SchemeAtHost } from "./schemes-by-host.server";

export interface SchemeTableProps {
  apiId: string;
  schemes: readonly SchemeAtHost[];
  /** Names of environments by their host. */
  environments: Record<string, string[]>;
  mayStore: boolean;
  /** The page that asked for a credential. */
  returnTo: string | undefined;
}

/** One row for each security scheme and host. */
export function SchemeTable({ apiId, schemes, environments, mayStore, returnTo }: SchemeTableProps) {
  const columns: Column<SchemeAtHost>[] = [
    { key: "scheme", header: "Security scheme", rowHeader: true, cell: ({ schemeName }) => schemeName },
    { key: "wanted", header: "Asks for", cell: ({ wanted }) => wanted },
    {
      key: "host",
      header: "At",
      cell: ({ host }) => (
        <>
          <code>{host}</code>
          {(environments[host] ?? []).length > 0 && ` (${environments[host]!.join(", ")})`}
        </>
      ),
    },
    {
      key: "answer",
      header: "Status",
      cell: ({ answer }) => {
        if (!answer) return <Badge tone="warning">None stored</Badge>;
        if (!mayStore) return answer.name;
        const page = href("/administration/credentials/:credentialId/edit", { credentialId: answer.credentialId });
        return <a href={page}>{answer.name}</a>;
      },
    },
    {
      key: "change",
      header: "Change",
      headerHidden: true,
      cell({ schemeName, host, answer }) {
        if (!mayStore) return null;
        const search = { scheme: schemeName, host, returnTo };
        return (
          <a href={`${href("/api-management/:apiId/details/authentication", { apiId }, search)}#answer`}>
            {answer ? "Use another" : "Store one"}
            <VisuallyHidden>
              {" "}
              for {schemeName} at {host}
            </VisuallyHidden>
          </a>
        );
      },
    },
  ];
  return (
    <Table
      caption="Security schemes and their credentials"
      captionHidden
      columns={columns}
      rows={schemes}
      rowKey={({ schemeName, host }) => `${schemeName} ${host}`}
    />
  );
}
