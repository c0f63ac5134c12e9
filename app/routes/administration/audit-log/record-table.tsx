import type { AuditRecord } from "#contracts/kit/audit-records.ts";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";
import { wideOnly } from "~/ui/table/table.css";
import { capitalized, plainWords } from "./record-words";

/** Who changed what, with the values before and after. */
export function RecordTable({ records, everywhere }: { records: readonly AuditRecord[]; everywhere: boolean }) {
  return (
    <Table
      caption="Recorded changes, newest first"
      captionHidden
      rows={records}
      rowKey={({ id }) => id}
      columns={[
        {
          key: "when",
          header: "When",
          selfEvident: true,
          cell: ({ recordedAt }) => <Moment value={recordedAt} precise />,
        },
        { key: "who", header: "Who", rowHeader: true, cell: Actor },
        {
          key: "what",
          header: "Action",
          selfEvident: true,
          cell: ({ operation }) => capitalized(plainWords(operation)),
        },
        {
          key: "which",
          header: "Resource",
          selfEvident: true,
          cell: (record) => <Resource {...record} {...{ everywhere }} />,
        },
        {
          key: "change",
          header: "Change",
          selfEvident: true,
          cell: (record) => <Change {...record} {...{ everywhere }} />,
        },
      ]}
    />
  );
}

function Actor({ actor, clientAddress }: AuditRecord) {
  return (
    <>
      {actor.name}
      {clientAddress && <span className={wideOnly}>, from {clientAddress}</span>}
    </>
  );
}

function Resource({ resource, organizationId, everywhere }: AuditRecord & { everywhere: boolean }) {
  return (
    <>
      {capitalized(plainWords(resource.kind))}
      <span className={wideOnly}>
        {" "}
        <small>{resource.id}</small>
        {everywhere && <small> of organization {organizationId}</small>}
      </span>
    </>
  );
}

function Change(record: AuditRecord & { everywhere: boolean }) {
  const { before, after, requestId, resource, clientAddress, organizationId, everywhere } = record;
  return (
    <Disclosure
      summary={before === null ? (after === null ? "Details" : "Made") : after === null ? "Removed" : "Changed"}
    >
      <Stack gap="small">
        {before !== null && <CodeBlock label="Before" code={JSON.stringify(before, null, 2)} />}
        {after !== null && <CodeBlock label="After" code={JSON.stringify(after, null, 2)} />}
        <p>
          Resource <code>{resource.id}</code>, request <code>{requestId}</code>
          {clientAddress && (
            <>
              , from <code>{clientAddress}</code>
            </>
          )}
          {everywhere && (
            <>
              , organization <code>{organizationId}</code>
            </>
          )}
        </p>
      </Stack>
    </Disclosure>
  );
}
