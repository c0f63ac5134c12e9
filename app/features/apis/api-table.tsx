import type { ApiSummary, apiSorts } from "#contracts/api-registry/apis.ts";
import type { ApiCounts } from "~/features/verdict/find-api-counts.server";
import { LastVerdicts } from "~/features/verdict/last-verdicts";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { formatCount } from "~/ui/count/format-count";
import { Row } from "~/ui/layout/layout";
import { listAddress } from "~/ui/list-page/list-address";
import { Ago } from "~/ui/moment/ago";
import { Moment } from "~/ui/moment/moment";
import { nameWithTags } from "~/ui/table/one-line.css";
import { type Column, Table } from "~/ui/table/table";

export interface ApiRow extends ApiSummary, ApiCounts {}

export interface ApiTableProps {
  apis: readonly ApiRow[];
  address: string;
  sort: (typeof apiSorts)[number];
  now: string;
}

/** Registered APIs with the results of their tests. */
export function ApiTable({ apis, address, sort, now }: ApiTableProps) {
  /** The link that sorts by a column, or reverses the order of the sorted one. */
  const sortedBy = (column: "name" | "updatedAt", first: "" | "-") => {
    const other = first === "" ? "-" : "";
    const next = sort === `${first}${column}` ? `${other}${column}` : `${first}${column}`;
    const direction = sort.endsWith(column)
      ? sort.startsWith("-")
        ? ("descending" as const)
        : ("ascending" as const)
      : undefined;
    return { href: listAddress(address, { sort: next === "name" ? undefined : next }), direction };
  };
  const columns: Column<ApiRow>[] = [
    {
      key: "name",
      header: "API",
      rowHeader: true,
      sort: sortedBy("name", ""),
      cell: ({ id, name, tags }) => (
        <Row gap="tiny" className={nameWithTags}>
          <a href={href("/test-management/:apiId/manage", { apiId: id })}>{name}</a>
          {tags.map((tag) => (
            <Badge key={tag} icon={null}>
              {tag}
            </Badge>
          ))}
        </Row>
      ),
    },
    { key: "version", header: "Version", cell: ({ version }) => version || "–" },
    {
      key: "operations",
      header: "Operations",
      numeric: true,
      cell: ({ id, operationCount }) => (
        <a href={href("/api-management/:apiId/swagger", { apiId: id })}>{formatCount(operationCount)}</a>
      ),
    },
    {
      key: "tests",
      header: "Tests",
      numeric: true,
      cell: ({ id, testCount }) => (
        <a href={href("/test-management/:apiId/tests", { apiId: id })}>
          {testCount === undefined ? "unknown" : formatCount(testCount)}
        </a>
      ),
    },
    {
      key: "verdicts",
      header: "Last verdicts",
      selfEvident: true,
      cell: ({ id, executions }) => <LastVerdicts apiId={id} counts={executions} />,
    },
    {
      key: "finished",
      header: "Last run",
      cell: ({ executions }) => {
        if (executions === undefined) return "unknown";
        return executions?.lastFinishedAt ? <Ago value={executions.lastFinishedAt} now={now} /> : "Never";
      },
    },
    {
      key: "updated",
      header: "Updated",
      wideOnly: true,
      sort: sortedBy("updatedAt", "-"),
      cell: ({ updatedAt }) => <Moment value={updatedAt} />,
    },
  ];
  return <Table caption="APIs" captionHidden columns={columns} rows={apis} rowKey={({ id }) => id} />;
}
