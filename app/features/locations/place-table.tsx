import type { ExecutionVerdict } from "#contracts/test-executioner/verdicts.ts";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { getEdge } from "~/features/verdict/verdict-words";
import { href } from "~/href";
import { formatCount } from "~/ui/count/format-count";
import { Ago } from "~/ui/moment/ago";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { type Column, Table } from "~/ui/table/table";

/** What one of several places saw. */
export interface PlaceRow {
  locationId: string | null;
  /** Null for a deleted location. */
  name: string | null;
  executions: number;
  failed: number;
  p50: number | null;
  p95: number | null;
  verdict: ExecutionVerdict | null;
  /** Since when it fails or does not; null: for as long as is known. Absent for one run. */
  since?: string | null;
}

const time = (milliseconds: number | null) => (milliseconds === null ? "–" : formatMilliseconds(milliseconds));

function PlaceName({ locationId, name }: Pick<PlaceRow, "locationId" | "name">) {
  if (name === null) return "A deleted location";
  if (locationId === null) return name;
  return <a href={href("/administration/locations/:locationId", { locationId })}>{name}</a>;
}

/** Results of several places, side by side. @param now the reference time for "ago"; without it there is no "since" */
export function PlaceTable({ rows, now }: { rows: readonly PlaceRow[]; now?: string | undefined }) {
  const columns: (Column<PlaceRow> | false)[] = [
    { key: "place", header: "Place", rowHeader: true, cell: (row) => <PlaceName {...row} /> },
    rows.some(({ verdict }) => verdict) && {
      key: "verdict",
      header: now ? "Last result" : "Result",
      selfEvident: true,
      cell: ({ verdict }) => <VerdictBadge status={verdict} />,
    },
    now !== undefined && {
      key: "since",
      header: "Since",
      cell: ({ since, verdict }) =>
        since ? <Ago value={since} now={now} /> : verdict ? "Before the last 20 runs" : "–",
    },
    { key: "executions", header: "Executions", numeric: true, cell: ({ executions }) => formatCount(executions) },
    { key: "failed", header: "Failed", numeric: true, cell: ({ failed }) => formatCount(failed) },
    { key: "p50", header: "Median time", numeric: true, cell: ({ p50 }) => time(p50) },
    { key: "p95", header: "95 % within", numeric: true, cell: ({ p95 }) => time(p95) },
  ];
  return (
    <Table
      caption="Results by place"
      captionHidden
      columns={columns.filter((column) => column !== false)}
      rows={rows}
      rowKey={({ locationId }) => locationId ?? "portal"}
      rowEdge={({ verdict }) => getEdge(verdict)}
    />
  );
}
