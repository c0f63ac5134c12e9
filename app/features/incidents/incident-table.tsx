import type { IncidentSort, IncidentSummary } from "#contracts/test-analyzer/incidents.ts";
import { RecoveryWords } from "~/features/recoveries/recovery-words";
import { reasonLine } from "~/features/verdict/reason-line.css";
import { href } from "~/href";
import { plural } from "~/ui/count/plural";
import { joinClasses } from "~/ui/join-classes";
import { listAddress } from "~/ui/list-page/list-address";
import { formatAgo, Moment } from "~/ui/moment/moment";
import { tickColumn } from "~/ui/selection/tick-column";
import { oneLine } from "~/ui/table/one-line.css";
import { Table } from "~/ui/table/table";
import { wideOnly } from "~/ui/table/table.css";
import { IncidentStateBadge, SeverityBadge } from "./incident-badges";
import * as styles from "./incident-table.css";
import { incidentEdge } from "./incident-words";

export interface IncidentTableProps {
  caption: string;
  incidents: readonly IncidentSummary[];
  /** Reference time of "ago". */
  now: string;
  bare?: boolean;
  /** Ids of the ticked incidents, in a list with actions for them. */
  ticked?: readonly string[];
  /** The address and order of a list that is sorted by the heads of columns. */
  sorting?: { address: string; sort: IncidentSort; bySeverity: boolean };
}

/** Incidents, each linked to its page. */
export function IncidentTable({ caption, incidents, now, bare, ticked, sorting }: IncidentTableProps) {
  return (
    <Table
      caption={caption}
      captionHidden
      bare={bare}
      rows={incidents}
      rowKey={({ id }) => id}
      rowEdge={incidentEdge}
      columns={[
        ...(ticked ? [tickColumn<IncidentSummary>(ticked, ({ title }) => title)] : []),
        {
          key: "title",
          header: "Incident",
          rowHeader: true,
          className: ticked && styles.title,
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
          className: ticked && styles.state,
          header: "Severity",
          selfEvident: true,
          sort: sorting?.bySeverity ? bySeverity(sorting) : undefined,
          cell: ({ severity }) => <SeverityBadge severity={severity} />,
        },
        {
          key: "state",
          className: ticked && styles.state,
          header: "State",
          selfEvident: true,
          cell: ({ state }) => <IncidentStateBadge state={state} />,
        },
        {
          key: "since",
          className: ticked && styles.state,
          header: "Since",
          sort: sorting && byTime(sorting),
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

type Sorting = NonNullable<IncidentTableProps["sorting"]>;

/** The most severe first; there is no other order by severity. */
function bySeverity({ address, sort }: Sorting) {
  return {
    href: listAddress(address, { sort: undefined }),
    direction: sort === "severity" ? ("descending" as const) : undefined,
  };
}

function byTime({ address, sort }: Sorting) {
  const direction =
    sort === "newest" ? ("descending" as const) : sort === "oldest" ? ("ascending" as const) : undefined;
  return { href: listAddress(address, { sort: sort === "newest" ? "oldest" : "newest" }), direction };
}
