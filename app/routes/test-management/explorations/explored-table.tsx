import type { ExploredOperation } from "#contracts/test-executioner/explorations.ts";
import { OperationName } from "~/features/operation/operation-name";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { Table } from "~/ui/table/table";

/** What was sent to each operation, and why others were left out. */
export function ExploredTable({ explored }: { explored: readonly ExploredOperation[] }) {
  return (
    <Card title="Explored operations" flush>
      <Table
        bare
        caption="Operations with the number of requests"
        captionHidden
        rows={explored}
        rowKey={({ operation }) => `${operation.method} ${operation.path}`}
        columns={[
          {
            key: "operation",
            header: "Operation",
            rowHeader: true,
            cell: ({ operation }) => <OperationName {...operation} inColumn />,
          },
          { key: "requests", header: "Requests", numeric: true, cell: ({ requests }) => formatCount(requests) },
          { key: "accepted", header: "Accepted", numeric: true, cell: ({ accepted }) => formatCount(accepted) },
          { key: "leftOut", header: "Left out", cell: ({ leftOut }) => leftOut ?? "" },
        ]}
      />
    </Card>
  );
}
