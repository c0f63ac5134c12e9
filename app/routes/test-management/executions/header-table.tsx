import { Disclosure } from "~/ui/disclosure/disclosure";
import { Table } from "~/ui/table/table";

/** Headers in the order they were on the wire; one name may come several times. */
export function HeaderTable({ caption, headers }: { caption: string; headers: [string, string][] }) {
  const rows = headers.map(([name, value], index) => ({ key: `${index} ${name}`, name, value }));
  return (
    <Disclosure summary={`${caption} (${headers.length})`} open={headers.length <= 12}>
      <Table
        caption={caption}
        captionHidden
        rows={rows}
        rowKey={({ key }) => key}
        columns={[
          { key: "name", header: "Header", rowHeader: true, tight: true, cell: ({ name }) => name },
          { key: "value", header: "Value", cell: ({ value }) => <code>{value}</code> },
        ]}
      />
    </Disclosure>
  );
}
