import type { ExecutionSummary } from "#contracts/test-executioner/executions.ts";

export type Explained = Pick<ExecutionSummary, "state" | "verdict" | "reason" | "attemptCount" | "locationId">;

/** The reason for an execution's status, in one sentence for every verdict. */
export function whyInWords({ state, verdict, reason, attemptCount, locationId }: Explained): string {
  if (reason) return reason;
  switch (verdict) {
    case "passed":
      return "Passed";
    case "flaky":
      return `Passed on attempt ${attemptCount}, after failing before.`;
    case "failed":
      return "The response is not what this test expects.";
    case "errored":
      return "Couldn't be evaluated";
    case "blocked":
      return "A safety rule blocked this request.";
    case "skipped":
      return "It was not run.";
    default:
      if (state === "queued" && locationId) return "Waiting for an agent.";
      return unfinishedWords[state];
  }
}

const unfinishedWords: Record<Explained["state"], string> = {
  queued: "Waiting for a free worker.",
  running: "In progress",
  cancelled: "Cancelled before it started.",
  finished: "Nothing was verified.",
};
