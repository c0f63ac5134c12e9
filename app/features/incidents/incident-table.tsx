import type { IncidentSummary } from "#contracts/test-analyzer/incidents.ts";
import { RecoveryWords } from "~/features/recoveries/recovery-words";
import { reasonLine } from "~/features/verdict/reason-line.css";
import { href } from "~/href";
import { plural } from "~/ui/count/plural";
import { joinClasses } from "~/ui/join-classes";
import { formatAgo, Moment } from "~/ui/moment/moment";
import { oneLine } from "~/ui/table/one-line.css";
import { Table } from "~/ui/table/table";
import { wideOnly } from "~/ui/table/table.css";
import { IncidentStateBadge, SeverityBadge } from "./incident-badges";
import { incidentEdge } from "./incident-words";

export interface IncidentTableProps {
  caption: string;
  incidents: readonly IncidentSummary[];
  /** Reference time of "ago". */
  now: string;
  bare?: boolean;
}

/** Incidents, each linked to its page. */
export function IncidentTable({ caption, incidents, now, bare }: IncidentTableProps) {
  return (
    <Table
      caption={caption}
      captionHidden
      bare={bare}
      rows={incidents}
      rowKey={({ id }) => id}
      rowEdge={incidentEdge}
      columns={[
        {
          key: "title",
          header: "Incident",
          rowHeader: true,
          cell: ({ id, title, reason, recovery }) => (
            <>
              <a href={href("/test-management/incidents/:incidentId", { incidentId: id })}>{title}</a>
              {recovery ? (
                <div className={reasonLine}>
                  <RecoveryWords recovery={recovery} now={now} />
                </div>
              ) : (
                reason && <div className={joinClasses(reasonLine, oneLine)}>{reason}</div>
              )}
            </>
          ),
        },
        {
          key: "severity",
          header: "Severity",
          selfEvident: true,
          cell: ({ severity }) => <SeverityBadge severity={severity} />,
        },
        { key: "state", header: "State", selfEvident: true, cell: ({ state }) => <IncidentStateBadge state={state} /> },
        {
          key: "since",
          header: "Since",
          cell: ({ since }) => (
            <span>
              {formatAgo(since, now)}
              <span className={wideOnly}>
                , <Moment value={since} />
              </span>
            </span>
          ),
        },
        {
          key: "failing",
          header: "Failing now",
          wideOnly: true,
          cell: ({ failing }) => (failing === 0 ? "–" : plural(failing, "test")),
        },
      ]}
    />
  );
}
