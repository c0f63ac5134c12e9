import type { ReactNode } from "react";
import type { IncidentEntry } from "#contracts/test-analyzer/incidents.ts";
import { href } from "~/href";
import { Card } from "~/ui/card/card";
import { Moment } from "~/ui/moment/moment";
import { Pagination } from "~/ui/pagination/pagination";
import { Table } from "~/ui/table/table";
import * as styles from "./incident-entries.css";

export interface IncidentEntriesProps {
  entries: { items: readonly IncidentEntry[]; nextCursor: string | null; onLaterPage: boolean };
  /** The incident's page. */
  here: string;
  mayWrite: boolean;
  /** The form for a comment, for those who may. */
  editor: ReactNode;
}

function whatHappened({ kind, text, until }: IncidentEntry) {
  if (kind === "commented") return <span className={styles.comment}>{text}</span>;
  return until ? (
    <>
      {text} Until <Moment value={until} />.
    </>
  ) : (
    text
  );
}

/** History of an incident, newest first. */
export function IncidentEntries({ entries, here, mayWrite, editor }: IncidentEntriesProps) {
  const { items, nextCursor, onLaterPage } = entries;
  const firstHref = onLaterPage ? `${here}#timeline` : undefined;
  const nextHref = nextCursor ? `${here}?cursor=${encodeURIComponent(nextCursor)}#timeline` : undefined;
  return (
    <Card
      title="Timeline"
      id="timeline"
      flush
      footer={(firstHref || nextHref) && <Pagination label="Pages of the timeline" {...{ firstHref, nextHref }} />}
    >
      {editor && <div className={styles.editor}>{editor}</div>}
      <Table
        bare
        caption="What happened, newest first"
        captionHidden
        rows={items}
        rowKey={({ id }) => id}
        columns={[
          { key: "text", header: "What happened", rowHeader: true, cell: whatHappened },
          { key: "at", header: "When", cell: ({ at }) => <Moment value={at} /> },
          { key: "by", header: "By", cell: ({ by }) => by?.name },
          {
            key: "run",
            header: "Run",
            selfEvident: true,
            cell: ({ id, own, runId, apiId }) =>
              runId && apiId ? (
                <a href={href("/test-management/:apiId/runs/:runId", { apiId, runId })}>See the run</a>
              ) : (
                mayWrite && own && <a href={`${here}?dialog=deleteComment&commentId=${id}`}>Delete comment</a>
              ),
          },
        ]}
      />
    </Card>
  );
}
