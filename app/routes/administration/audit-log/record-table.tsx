import { CodeBlock } from "~/ui/code-block/code-block";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";
import type { AuditRecord } from "../../../../services/kit/contract/audit-records.ts";
import { capitalized, plainWords } from "./record-words";

/** Who changed what, each with how it was and is. */
export function RecordTable({ records, everywhere }: { records: readonly AuditRecord[]; everywhere: boolean }) {
  return (
    <Table
      caption="Recorded changes, newest first"
      captionHidden
      rows={records}
      rowKey={({ id }) => id}
      columns={[
        { key: "when", header: "When", cell: ({ recordedAt }) => <Moment value={recordedAt} precise /> },
        { key: "who", header: "Who", rowHeader: true, cell: Who },
        { key: "what", header: "Action", cell: ({ operation }) => capitalized(plainWords(operation)) },
        { key: "which", header: "Resource", cell: (record) => <Resource {...record} {...{ everywhere }} /> },
        { key: "change", header: "Change", cell: (record) => <Change {...record} /> },
      ]}
    />
  );
}

function Who({ actor, clientAddress }: AuditRecord) {
  return clientAddress ? `${actor.name}, from ${clientAddress}` : actor.name;
}

function Resource({ resource, organizationId, everywhere }: AuditRecord & { everywhere: boolean }) {
  return (
    <>
      {capitalized(plainWords(resource.kind))} <small>{resource.id}</small>
      {everywhere && (
        <>
          {" "}
          <small>of organization {organizationId}</small>
        </>
      )}
    </>
  );
}

function Change({ before, after, requestId }: AuditRecord) {
  return (
    <Disclosure
      summary={before === null ? (after === null ? "Details" : "Made") : after === null ? "Removed" : "Changed"}
    >
      <Stack gap="small">
        {before !== null && <CodeBlock label="Before" code={JSON.stringify(before, null, 2)} />}
        {after !== null && <CodeBlock label="After" code={JSON.stringify(after, null, 2)} />}
        <p>
          Request <code>{requestId}</code>
        </p>
      </Stack>
    </Disclosure>
  );
}
