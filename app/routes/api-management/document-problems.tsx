import type { DocumentProblem, ProblemLocation } from "#contracts/api-registry/documents.ts";
import { Badge } from "~/ui/badge/badge";
import { plural } from "~/ui/count/plural";
import { type Column, Table } from "~/ui/table/table";

const severities = {
  error: { tone: "danger", label: "Error" },
  warning: { tone: "warning", label: "Warning" },
  notice: { tone: "info", label: "Notice" },
} as const;

const columns: Column<DocumentProblem>[] = [
  {
    key: "severity",
    header: "Severity",
    tight: true,
    cell: ({ severity }) => <Badge tone={severities[severity].tone}>{severities[severity].label}</Badge>,
  },
  { key: "line", header: "Line:column", tight: true, cell: (problem) => <code>{toLine(problem)}</code> },
  {
    key: "message",
    header: "Problem",
    rowHeader: true,
    cell: ({ message, count, otherPlaces = [] }) => (
      <>
        {message}
        {count > 1 && ` In ${plural(count, "place")}${otherPlaces.length > 0 ? ", also at " : "."}`}
        {otherPlaces.map((location, index) => (
          <span key={`${location.file} ${location.pointer}`}>
            {index > 0 && ", "}
            <code>{toLine(location)}</code>
          </span>
        ))}
        {otherPlaces.length > 0 && (count > otherPlaces.length + 1 ? ", …" : ".")}
      </>
    ),
  },
  { key: "pointer", header: "Where", cell: ({ pointer }) => <code>{pointer || "/"}</code> },
];

function toLine({ file, line, column }: ProblemLocation): string {
  return `${file ? `${file} ` : ""}${line}:${column}`;
}

/** The problems of a document: errors first, each kind at its first occurrence. */
export function DocumentProblems({ problems }: { problems: readonly DocumentProblem[] }) {
  return (
    <Table
      caption="Document issues"
      captionHidden
      columns={columns}
      rows={problems}
      rowKey={({ file, line, column, pointer, message }) => `${file} ${line}:${column} ${pointer} ${message}`}
    />
  );
}
