import type { ExecutionSummary } from "#contracts/test-executioner/executions.ts";

export type Explained = Pick<ExecutionSummary, "state" | "verdict" | "reason" | "attemptCount">;

/** The reason for an execution's status, in one sentence for every verdict. */
export function whyInWords({ state, verdict, reason, attemptCount }: Explained): string {
  if (reason) return reason;
  switch (verdict) {
    case "passed":
      return "Everything is as expected.";
    case "flaky":
      return `Passed on attempt ${attemptCount}, after failing before.`;
    case "failed":
      return "The response is not what this test expects.";
    case "errored":
      return "This could not be judged.";
    case "blocked":
      return "A safety rule kept this request from being sent.";
    case "skipped":
      return "It was not run.";
    default:
      return unfinishedWords[state];
  }
}

const unfinishedWords: Record<Explained["state"], string> = {
  queued: "Waiting for a free worker.",
  running: "The request is under way.",
  cancelled: "Cancelled before it started.",
  finished: "Nothing was verified.",
};
