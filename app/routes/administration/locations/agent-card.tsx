import type { Agent } from "#contracts/test-executioner/agents.ts";
import { Card } from "~/ui/card/card";
import { Notice } from "~/ui/notice/notice";
import { AgentTable } from "./agent-table";

interface AgentCardProps {
  agents: readonly Agent[];
  now: string;
  mayManage: boolean;
}

export function AgentCard({ agents, ...rest }: AgentCardProps) {
  const problems = [...new Set(agents.flatMap(({ versionProblem }) => versionProblem ?? []))];
  return (
    <>
      {problems.map((problem) => (
        <Notice key={problem} tone="warning" title="An agent's version is not supported">
          {problem}
        </Notice>
      ))}
      <Card
        title="Agents"
        flush={agents.length > 0}
        description={
          agents.length > 0
            ? "They share the work of this location."
            : "None yet. An agent is a command on a machine of this network that only calls out; several share the work."
        }
      >
        {agents.length > 0 && <AgentTable agents={agents} {...rest} />}
      </Card>
    </>
  );
}
