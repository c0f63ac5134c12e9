import type { Run } from "#contracts/test-executioner/runs.ts";
import { Table } from "~/ui/table/table";

/** Values that members captured for later ones, and values known beforehand; secrets are named, never displayed. */
export function CaptureTable({ captures }: { captures: Run["captures"] }) {
  return (
    <Table
      bare
      caption="Values captured by members of this run"
      captionHidden
      rows={captures}
      rowKey={({ name, position }) => `${position} ${name}`}
      columns={[
        { key: "name", header: "Name", rowHeader: true, cell: ({ name }) => <code>{`{{${name}}}`}</code> },
        {
          key: "value",
          header: "Value",
          cell: ({ value, secret }) => (secret ? "Secret, not shown" : value === null ? "–" : <code>{value}</code>),
        },
        {
          key: "by",
          header: "Captured by",
          cell: ({ position }) => (position === 0 ? "Known at the start" : `No. ${position}`),
        },
      ]}
    />
  );
}
