import type { Run } from "#contracts/test-executioner/runs.ts";
import { Table } from "~/ui/table/table";

type Capture = Run["captures"][number];

/** The JSON type of a captured value; a secret one's is not derived from its value. */
export function getTypeName({ type, value, secret }: Pick<Capture, "type" | "value" | "secret">): string {
  if (type === "string") return "Text";
  if (value === null && !secret) return "–";
  if (type === null) return "Text, untyped";
  if (secret || value === null) return "JSON";
  if (/^[-\d]/.test(value)) return "Number";
  const names: Record<string, string> = {
    '"': "Text",
    "{": "Object",
    "[": "List",
    t: "Boolean",
    f: "Boolean",
    n: "Null",
  };
  return names[value[0] ?? ""] ?? "JSON";
}

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
          cell: ({ value, secret }) =>
            secret ? "Secret, not shown" : value === null ? "Nothing found" : <code>{value}</code>,
        },
        { key: "type", header: "Type", cell: getTypeName },
        {
          key: "by",
          header: "Captured by",
          cell: ({ position }) => (position === 0 ? "Known at the start" : `No. ${position}`),
        },
      ]}
    />
  );
}
