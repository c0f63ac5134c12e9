import type { Run } from "#contracts/test-executioner/runs.ts";
import { Table } from "~/ui/table/table";

/** What members captured for those after them, and what was known before; a secret one is named, never shown. */
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
