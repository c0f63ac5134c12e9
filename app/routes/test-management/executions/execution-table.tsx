import { executionAddress } from "~/runs/execution-address";
import { triggerWords } from "~/runs/run-words";
import { Moment } from "~/ui/moment/moment";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { Table } from "~/ui/table/table";
import { VerdictBadge } from "~/verdict/verdict-badge";
import { standingOf } from "~/verdict/verdict-words";
import { whyInWords } from "~/verdict/why-in-words";
import type { ExecutionSummary } from "../../../../services/test-executioner/contract/executions.ts";

/** Executions, each leading to what it verified. */
export function ExecutionTable({ caption, executions }: { caption: string; executions: ExecutionSummary[] }) {
  return (
    <Table
      caption={caption}
      captionHidden
      rows={executions}
      rowKey={({ id }) => id}
      columns={[
        {
          key: "started",
          header: "Started",
          rowHeader: true,
          cell: ({ apiId, testId, id, startedAt, queuedAt }) => (
            <a href={executionAddress({ apiId, testId, executionId: id })}>
              <Moment value={startedAt ?? queuedAt} precise />
            </a>
          ),
        },
        { key: "verdict", header: "Verdict", cell: (execution) => <VerdictBadge standing={standingOf(execution)} /> },
        { key: "why", header: "Why", cell: whyInWords },
        { key: "status", header: "Status", numeric: true, cell: ({ statusCode }) => statusCode ?? "–" },
        {
          key: "time",
          header: "Time",
          numeric: true,
          cell: ({ responseMilliseconds }) =>
            responseMilliseconds === null ? "–" : formatMilliseconds(responseMilliseconds),
        },
        { key: "attempts", header: "Attempts", numeric: true, cell: ({ attemptCount }) => attemptCount },
        { key: "trigger", header: "Started by", cell: ({ trigger }) => triggerWords[trigger] },
      ]}
    />
  );
}
