import type { ImportLoss } from "#contracts/test-registry/imports.ts";
import { Table } from "~/ui/table/table";

/** What is not carried over, by file and line. */
export function LossTable({ losses, count }: { losses: readonly ImportLoss[]; count: number }) {
  const rows = losses.map((loss, index) => ({ ...loss, key: String(index) }));
  return (
    <>
      <Table
        caption="What is not carried over"
        captionHidden
        bare
        rows={rows}
        rowKey={({ key }) => key}
        columns={[
          { key: "of", header: "Of", rowHeader: true, cell: ({ of }) => of },
          {
            key: "position",
            header: "Line",
            cell: ({ file, line }) => (file === "" ? "–" : `${file}${line > 0 ? `:${line}` : ""}`),
          },
          { key: "what", header: "What", cell: ({ what }) => <code>{what}</code> },
          { key: "reason", header: "Why", cell: ({ reason }) => reason },
        ]}
      />
      {count > losses.length && <p>{(count - losses.length).toLocaleString("en")} more are not listed here.</p>}
    </>
  );
}
