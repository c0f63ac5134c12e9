import type { RunMember, RunSummary } from "#contracts/test-executioner/runs.ts";
import { isFailing } from "~/features/runs/run-words";

/** What a run's page shows and what changes while the run goes on. */
export interface RunStanding {
  run: RunSummary;
  /** One page of them. */
  members: RunMember[];
  firstFailures: RunMember[];
}

const mostFailures = 5;

/** Members that are on another page change nothing but, where they fail, the first failures. */
export function withMembers(standing: RunStanding, changed: readonly RunMember[]): RunStanding {
  const byId = new Map(changed.map((member) => [member.executionId, member]));
  const failures = new Map(standing.firstFailures.map((member) => [member.executionId, member]));
  for (const member of changed) if (isFailing(member)) failures.set(member.executionId, member);
  return {
    ...standing,
    members: standing.members.map((member) => byId.get(member.executionId) ?? member),
    firstFailures: [...failures.values()].sort((a, b) => a.position - b.position).slice(0, mostFailures),
  };
}
