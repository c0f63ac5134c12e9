import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import type { RunCounts, RunMember, RunSummary } from "#contracts/test-executioner/runs.ts";

/** A member of a run with everything that was sent, received and judged; secrets are already redacted. */
export interface ReportedExecution extends RunMember {
  /** Names of the location and the agent; absent where the portal itself sent it. */
  location?: string;
  agent?: string;
  /** Which of several places sent it. */
  place?: string;
  attempts: Attempt[];
  verifications: Verification[];
}

/** Text of a report, piece by piece: a run of thousands is never entirely in memory. */
export type WriteReport = (run: RunSummary, executions: AsyncIterable<ReportedExecution>) => AsyncGenerator<string>;

const nothing: RunCounts = {
  ...{ tests: 0, executions: 0, unfinished: 0, cancelled: 0, leftOut: 0 },
  ...{ passed: 0, failed: 0, errored: 0, flaky: 0, skipped: 0, blocked: 0, regional: 0 },
};

/** The run reduced to this member. */
export function runOfOne(run: RunSummary, member: RunMember): RunSummary {
  const { state, verdict, reason, queuedAt, startedAt, finishedAt } = member;
  const counted = verdict ?? (state === "cancelled" ? "cancelled" : "unfinished");
  return {
    ...run,
    ...{ state, verdict, reason, queuedAt, startedAt, finishedAt },
    apis: run.apis.filter(({ apiId }) => apiId === member.apiId),
    counts: { ...nothing, tests: 1, executions: 1, [counted]: 1 },
  };
}

/** "from Berlin, by build-host-7"; undefined where the portal itself sent it. */
export function describePlace({ location, agent }: Pick<ReportedExecution, "location" | "agent">): string | undefined {
  const parts = [...(location ? [`from ${location}`] : []), ...(agent ? [`by ${agent}`] : [])];
  return parts.length > 0 ? parts.join(", ") : undefined;
}

type Named = Pick<RunMember, "testName" | "row" | "rowName"> & Pick<ReportedExecution, "place">;

/**
 * "Get a book", or for a test with data "Get a book, row 2" or "Add a book: title is missing"; of several places "Get a
 * book, from Berlin".
 */
export function executionName({ testName, row, rowName, place }: Named): string {
  const name =
    rowName !== undefined ? `${testName}: ${rowName}` : row === undefined ? testName : `${testName}, row ${row}`;
  return place ? `${name}, from ${place}` : name;
}
