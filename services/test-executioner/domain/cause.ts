import type { Cause } from "#contracts/test-executioner/attempts.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";

/** For an execution that was claimed as often as allowed and never finished. */
export const workerLost: Cause = {
  code: "worker_lost",
  detail:
    "The run was started three times and never finished. Run the test again; if this persists, contact an operator.",
};

/** For members that were not started because their run stops at the first failure. */
export function stoppedAfter(member: { position: number; testName: string; verdict: Verdict }): Cause {
  return {
    code: "run_stopped",
    detail: `Not run: the run stops at the first failure, and member ${member.position}, "${member.testName}", ${getEnd(member.verdict)}.`,
  };
}

/** For members that were not started because set-up failed. */
export function setUpFailed(member: { position: number; testName: string; verdict: Verdict }): Cause {
  return {
    code: "set_up_failed",
    detail: `Not run: set-up runs first, and its member ${member.position}, "${member.testName}", ${getEnd(member.verdict)}.`,
  };
}

function getEnd(verdict: Verdict): string {
  if (verdict === "errored") return "ended with an error";
  return verdict === "blocked" ? "was blocked" : verdict;
}

/** For members that no agent took up. */
export function locationSilent(reason: string): Cause {
  return { code: "location_silent", detail: reason };
}
