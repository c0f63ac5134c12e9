import type { Trends } from "#contracts/test-analyzer/trends.ts";
import { OperationName } from "~/features/operation/operation-name";
import { href } from "~/href";
import { Card } from "~/ui/card/card";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { Table } from "~/ui/table/table";

type OperationTrend = Trends["slowest"][number];

/** Conspicuous operations, worst first. Renders nothing while there are none. */
export function OperationTrends({
  title,
  kind,
  trends,
}: {
  title: string;
  kind: "slowest" | "flakiest";
  trends: OperationTrend[];
}) {
  const notable = trends.filter(({ flakiness, p95 }) => (kind === "slowest" ? p95 !== null : flakiness > 0));
  if (notable.length === 0) return null;
  return (
    <Card title={title} flush>
      <Table
        bare
        caption={title}
        captionHidden
        rows={notable}
        rowKey={({ apiId, method, path }) => `${apiId} ${method} ${path}`}
        columns={[
          {
            key: "operation",
            header: "Operation",
            rowHeader: true,
            cell: ({ apiId, method, path }) => (
              <a href={href("/test-management/:apiId/tests", { apiId }, { query: path })}>
                <OperationName method={method} path={path} inColumn />
              </a>
            ),
          },
          { key: "executions", header: "Executions", numeric: true, cell: ({ executions }) => executions },
          kind === "slowest"
            ? { key: "p95", header: "95 % within", numeric: true, cell: ({ p95 }) => formatMilliseconds(p95 ?? 0) }
            : {
                key: "flakiness",
                header: "Changed verdict",
                numeric: true,
                cell: ({ flakiness }) => `${Math.round(flakiness * 100)} %`,
              },
        ]}
      />
    </Card>
  );
}
