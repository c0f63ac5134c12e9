import type { Agent } from "#contracts/test-executioner/agents.ts";
import { getAgentWords, refusedWords } from "~/features/locations/location-words";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { Row } from "~/ui/layout/layout";
import { Ago } from "~/ui/moment/ago";
import { type Column, Table } from "~/ui/table/table";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";

interface AgentTableProps {
  agents: readonly Agent[];
  now: string;
  mayManage: boolean;
}

function loadWords({ state, running, concurrency, waitingResults }: Agent): string {
  if (state === "revoked") return "None";
  const results = waitingResults > 0 ? `, ${plural(waitingResults, "result")} to send` : "";
  return `${formatCount(running)} of ${formatCount(concurrency)}${results}`;
}

const columnsOf = ({ now, mayManage }: Omit<AgentTableProps, "agents">): Column<Agent>[] => [
  { key: "name", header: "Agent", rowHeader: true, cell: ({ name }) => name },
  {
    key: "state",
    header: "State",
    selfEvident: true,
    cell: (agent) => {
      const { word, tone } = getAgentWords(agent);
      return <Badge tone={tone}>{word}</Badge>;
    },
  },
  {
    key: "version",
    header: "Version",
    cell: ({ version, versionProblem }) => (
      <Row>
        {version}
        {versionProblem && <Badge tone="warning">Not supported</Badge>}
      </Row>
    ),
  },
  {
    key: "seen",
    header: "Last call",
    tight: true,
    cell: ({ lastSeenAt }) => (lastSeenAt ? <Ago value={lastSeenAt} now={now} /> : "Never"),
  },
  { key: "load", header: "Runs", cell: loadWords },
  { key: "refused", header: "Refused", cell: (agent) => refusedWords(agent) ?? "Nothing" },
  ...(mayManage
    ? [
        {
          ...{ key: "revoke", header: "Revoke", headerHidden: true, tight: true, beside: true },
          cell: ({ id, name, locationId, state }: Agent) =>
            state === "revoked" ? null : (
              <LinkButton
                href={href("/administration/locations/:locationId", { locationId }, { revoke: id })}
                size="small"
              >
                Revoke<VisuallyHidden> {name}</VisuallyHidden>
              </LinkButton>
            ),
        },
      ]
    : []),
];

export function AgentTable({ agents, ...rest }: AgentTableProps) {
  return (
    <Table
      caption="Agents"
      captionHidden
      bare
      columns={columnsOf(rest)}
      rows={agents}
      rowKey={({ id }) => id}
      rowEdge={({ versionProblem }) => (versionProblem ? "warning" : null)}
    />
  );
}
