import type { RunMember, RunSummary } from "#contracts/test-executioner/runs.ts";
import { isFailing } from "~/features/runs/run-words";

/** The part of a run's page that changes while the run is in progress. */
export interface RunSnapshot {
  run: RunSummary;
  /** One page of the members. */
  members: RunMember[];
  firstFailures: RunMember[];
}

const maxFailures = 5;

/** Members on another page change nothing except, if they fail, the first failures. */
export function withMembers(snapshot: RunSnapshot, changed: readonly RunMember[]): RunSnapshot {
  const byId = new Map(changed.map((member) => [member.executionId, member]));
  const failures = new Map(snapshot.firstFailures.map((member) => [member.executionId, member]));
  for (const member of changed) if (isFailing(member)) failures.set(member.executionId, member);
  return {
    ...snapshot,
    members: snapshot.members.map((member) => byId.get(member.executionId) ?? member),
    firstFailures: [...failures.values()].sort((a, b) => a.position - b.position).slice(0, maxFailures),
  };
}
