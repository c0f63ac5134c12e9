import { shorten } from "#libraries/text/shorten.ts";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";
import { wideOnly } from "~/ui/table/table.css";
import type { NamedRecord } from "./named-record";
import { changedFields, changeSummary } from "./record-subject";
import * as styles from "./record-table.css";
import { actionWords, kindWords } from "./record-words";

/** Who changed what, with the values before and after. */
export function RecordTable({ records, everywhere }: { records: readonly NamedRecord[]; everywhere: boolean }) {
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
          cell: ({ operation, resource }) => actionWords(operation, resource.kind),
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

function Actor({ who: { name, username }, clientAddress }: NamedRecord) {
  return (
    <>
      {name}
      {(username || clientAddress) && (
        <span className={`${wideOnly} ${styles.beside}`}>
          {username && ` (${username})`}
          {clientAddress && `, from ${clientAddress}`}
        </span>
      )}
    </>
  );
}

function Resource({ kindName, self, owner, organizationId, everywhere }: NamedRecord & { everywhere: boolean }) {
  return (
    <>
      {kindName}
      {self && (
        <>
          {" "}
          <Name {...self} />
        </>
      )}
      {owner && (
        <span className={styles.beside}>
          {" of "}
          <Name {...owner} />
        </span>
      )}
      {everywhere && <small className={wideOnly}> of organization {organizationId}</small>}
    </>
  );
}

function Name({ name, address }: NonNullable<NamedRecord["self"]>) {
  const quoted = `“${name}”`;
  return address ? <a href={address}>{quoted}</a> : quoted;
}

function Change(record: NamedRecord & { everywhere: boolean }) {
  const { before, after, requestId, resource, clientAddress, organizationId, everywhere, operation } = record;
  const isChange = before !== null && after !== null;
  return (
    <Disclosure summary={changeSummary(record)}>
      <Stack gap="small">
        {isChange && <Differences {...record} />}
        {before !== null && <CodeBlock label="Before" code={JSON.stringify(before, null, 2)} />}
        {after !== null && <CodeBlock label="After" code={JSON.stringify(after, null, 2)} />}
        <p>
          Resource <code>{resource.id}</code>, operation <code>{operation}</code>, request <code>{requestId}</code>
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

function Differences({ before, after }: Pick<NamedRecord, "before" | "after">) {
  const [one, other] = [before, after].map((value) => (value ?? {}) as Record<string, unknown>);
  const fields = changedFields(before, after);
  if (fields.length === 0) return null;
  return (
    <ul className={styles.changes}>
      {fields.map((field) => (
        <li key={field}>
          {kindWords(field)}: <code>{written(one?.[field])}</code> to <code>{written(other?.[field])}</code>
        </li>
      ))}
    </ul>
  );
}

/** Longer values are in the record's own text below. */
function written(value: unknown): string {
  if (value === undefined || value === null || value === "") return "none";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return shorten(text, 200);
}
