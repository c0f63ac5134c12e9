import type { ApiSummary, apiSorts } from "#contracts/api-registry/apis.ts";
import type { TrendRange } from "#contracts/test-analyzer/trends.ts";
import { href } from "~/href";
import { formatCount } from "~/ui/count/format-count";
import { listAddress } from "~/ui/list-page/list-address";
import { Ago } from "~/ui/moment/ago";
import { type Column, Table } from "~/ui/table/table";
import { apiColumns } from "./api-columns";
import { apiEdge } from "./api-state";
import type { ApiStatus } from "./api-statuses.server";

export type ListedApi = ApiSummary & ApiStatus;

export interface ApiTableProps {
  apis: readonly ListedApi[];
  address: string;
  sort: (typeof apiSorts)[number];
  /** Of availability and response times. */
  range: TrendRange;
  now: string;
}

/** Registered APIs with the results of their tests. */
export function ApiTable({ apis, address, sort, range, now }: ApiTableProps) {
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
  const shared = apiColumns<ListedApi>(range, now);
  const columns: Column<ListedApi>[] = [
    { ...shared.name, sort: sortedBy("name", "") },
    shared.state,
    shared.runs,
    shared.availability,
    shared.p95,
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
      cell: ({ updatedAt }) => <Ago value={updatedAt} now={now} />,
    },
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
  ];
  return (
    <Table
      caption="APIs"
      captionHidden
      columns={columns}
      rows={apis}
      rowKey={({ id }) => id}
      rowEdge={({ executions }) => apiEdge(executions)}
    />
  );
}
