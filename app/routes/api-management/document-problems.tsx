import { Badge } from "~/ui/badge/badge";
import { type Column, Table } from "~/ui/table/table";
import type { DocumentProblem } from "../../../services/api-registry/contract/documents.ts";

const columns: Column<DocumentProblem>[] = [
  {
    key: "severity",
    header: "Severity",
    tight: true,
    cell: ({ severity }) => (
      <Badge tone={severity === "error" ? "danger" : "warning"}>{severity === "error" ? "Error" : "Warning"}</Badge>
    ),
  },
  {
    key: "line",
    header: "Line:column",
    tight: true,
    cell: ({ file, line, column }) => (
      <code>
        {file ? `${file} ` : ""}
        {line}:{column}
      </code>
    ),
  },
  { key: "message", header: "Problem", rowHeader: true, cell: ({ message }) => message },
  { key: "pointer", header: "Where", cell: ({ pointer }) => <code>{pointer || "/"}</code> },
];

/** What is wrong in a document, in the order in which it stands there. */
export function DocumentProblems({ problems }: { problems: readonly DocumentProblem[] }) {
  return (
    <Table
      caption="Problems of the document"
      captionHidden
      columns={columns}
      rows={problems}
      rowKey={({ file, line, column, pointer, message }) => `${file} ${line}:${column} ${pointer} ${message}`}
    />
  );
}
