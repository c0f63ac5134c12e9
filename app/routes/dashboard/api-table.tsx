import { LastVerdicts } from "~/features/verdict/last-verdicts";
import { href } from "~/href";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { Ago } from "~/ui/moment/ago";
import { oneLine } from "~/ui/table/one-line.css";
import { Table } from "~/ui/table/table";
import type { ApiStatus } from "./api-statuses";

export interface ApiTableProps {
  statuses: readonly ApiStatus[];
  /** Number of all APIs, listed or not. */
  total: number;
  /** The reference time for "ago". */
  now: string;
}

/** APIs by status, failing ones first. */
export function ApiTable({ statuses, total, now }: ApiTableProps) {
  return (
    <Card
      title={<a href={href("/api-management/list")}>APIs {formatCount(total)}</a>}
      flush
      footer={total > statuses.length && <a href={href("/api-management/list")}>All {formatCount(total)} APIs</a>}
    >
      <Table
        bare
        caption="APIs and their latest test verdicts, failing first"
        captionHidden
        rows={statuses}
        rowKey={({ api }) => api.id}
        columns={[
          {
            key: "name",
            header: "API",
            rowHeader: true,
            cell: ({ api }) => (
              <a href={href("/test-management/:apiId/manage", { apiId: api.id })} className={oneLine}>
                {api.name}
              </a>
            ),
          },
          {
            key: "operations",
            header: "Operations",
            numeric: true,
            cell: ({ api }) => (
              <a href={href("/api-management/:apiId/swagger", { apiId: api.id })}>{formatCount(api.operationCount)}</a>
            ),
          },
          {
            key: "tests",
            header: "Tests",
            numeric: true,
            cell: ({ api, testCount }) => (
              <a href={href("/test-management/:apiId/tests", { apiId: api.id })}>
                {testCount === undefined ? "unknown" : formatCount(testCount)}
              </a>
            ),
          },
          {
            key: "verdicts",
            header: "Last verdicts",
            cell: ({ api, executions }) => <LastVerdicts apiId={api.id} counts={executions} />,
          },
          {
            key: "since",
            header: "Failing since",
            cell: ({ executions }) => executions?.failingSince && <Ago value={executions.failingSince} now={now} />,
          },
        ]}
      />
    </Card>
  );
}
