import type { ExplorationSummary } from "#contracts/test-executioner/explorations.ts";
import { findingWords, stateWords } from "~/features/explorations/exploration-words";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { formatCount } from "~/ui/count/format-count";
import { Ago } from "~/ui/moment/ago";
import { Table } from "~/ui/table/table";

export interface ExplorationTableProps {
  apiId: string;
  explorations: readonly ExplorationSummary[];
  /** Reference time of "ago". */
  now: string;
}

/** Explorations, each linked to its page. */
export function ExplorationTable({ apiId, explorations, now }: ExplorationTableProps) {
  return (
    <Table
      caption="Explorations, newest first"
      captionHidden
      rows={explorations}
      rowKey={({ id }) => id}
      columns={[
        {
          key: "started",
          header: "Started",
          rowHeader: true,
          cell: ({ id: explorationId, createdAt }) => (
            <a href={href("/test-management/:apiId/explorations/:explorationId", { apiId, explorationId })}>
              <Ago value={createdAt} now={now} inLink />
            </a>
          ),
        },
        {
          key: "state",
          header: "State",
          selfEvident: true,
          cell: ({ state }) => <Badge tone={stateWords[state].tone}>{stateWords[state].word}</Badge>,
        },
        { key: "findings", header: "Found", selfEvident: true, cell: ({ findings }) => findingWords(findings) },
        { key: "requests", header: "Requests", numeric: true, cell: ({ requests }) => formatCount(requests) },
        { key: "operations", header: "Operations", numeric: true, cell: ({ operations }) => formatCount(operations) },
        { key: "environment", header: "Environment", cell: ({ input }) => input.environment ?? "–" },
        { key: "seed", header: "Seed", numeric: true, cell: ({ input }) => String(input.seed) },
      ]}
    />
  );
}
