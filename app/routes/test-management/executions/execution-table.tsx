import type { ExecutionSummary, OutcomeSort } from "#contracts/test-executioner/executions.ts";
import { executionAddress } from "~/features/runs/execution-address";
import { triggerWords } from "~/features/runs/run-words";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { getEdge, getStatus } from "~/features/verdict/verdict-words";
import { whyInWords } from "~/features/verdict/why-in-words";
import { sortLink } from "~/ui/list-page/sort-link";
import { Ago } from "~/ui/moment/ago";
import { useFormatMoment } from "~/ui/moment/moment";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { tickColumn } from "~/ui/selection/tick-column";
import { Table } from "~/ui/table/table";

interface ExecutionTableProps {
  caption: string;
  executions: ExecutionSummary[];
  /** The reference time for "ago". */
  now: string;
  /** The list's own address, with filters. */
  address: string;
  sort: OutcomeSort | undefined;
  /** Ids of the ticked executions, in a list with actions for them. */
  ticked: readonly string[] | undefined;
}

/** Executions, each linked to its verifications. */
export function ExecutionTable({ caption, executions, now, address, sort = "-started", ticked }: ExecutionTableProps) {
  const format = useFormatMoment();
  return (
    <Table
      caption={caption}
      captionHidden
      rows={executions}
      rowKey={({ id }) => id}
      rowEdge={(execution) => getEdge(getStatus(execution))}
      columns={[
        ...(ticked
          ? [
              tickColumn<ExecutionSummary>(
                ticked,
                ({ startedAt, queuedAt }) => `execution of ${format(startedAt ?? queuedAt)}`,
              ),
            ]
          : []),
        {
          key: "started",
          header: "Started",
          rowHeader: true,
          sort: sortLink(address, sort, "-started"),
          cell: ({ apiId, testId, id, startedAt, queuedAt }) => (
            <a href={executionAddress({ apiId, testId, executionId: id })}>
              <Ago value={startedAt ?? queuedAt} now={now} inLink />
            </a>
          ),
        },
        {
          key: "verdict",
          header: "Verdict",
          selfEvident: true,
          sort: sortLink(address, sort, "verdict"),
          cell: (execution) => <VerdictBadge status={getStatus(execution)} />,
        },
        { key: "why", header: "Why", selfEvident: true, cell: whyInWords },
        { key: "status", header: "Status", numeric: true, wideOnly: true, cell: ({ statusCode }) => statusCode ?? "–" },
        {
          key: "time",
          header: "Time",
          wideOnly: true,
          numeric: true,
          cell: ({ responseMilliseconds }) =>
            responseMilliseconds === null ? "–" : formatMilliseconds(responseMilliseconds),
        },
        {
          key: "attempts",
          header: "Attempts",
          numeric: true,
          wideOnly: true,
          cell: ({ attemptCount }) => attemptCount,
        },
        { key: "trigger", header: "Started by", wideOnly: true, cell: ({ trigger }) => triggerWords[trigger] },
      ]}
    />
  );
}
