import type { RunTrigger, Verdict } from "#contracts/test-executioner/verdicts.ts";

export interface EndedExecution {
  verdict: Verdict;
  causeCode: string | undefined;
  attempts: number;
  /** False for a free repetition of a failed test. */
  reserves: boolean;
}

/** Internal causes: the user could not have prevented them. */
const ourFaults = new Set(["worker_lost", "not_judged"]);

export function isOurFailure(verdict: Verdict, causeCode: string | undefined): boolean {
  return verdict === "errored" && causeCode !== undefined && ourFaults.has(causeCode);
}

/**
 * The rule of fair counting: an execution counts once against its plan however often it was retried; never when nothing
 * was sent, when it errored by an internal error, or when a user manually repeats a failed test, a few times a day (see
 * `withFreeRepetitions`).
 */
export function countsAgainstPlan({ verdict, causeCode, attempts, reserves }: EndedExecution): boolean {
  return reserves && attempts > 0 && !isOurFailure(verdict, causeCode);
}

/** Started by a person, who watches the result. */
export function isByHand(trigger: RunTrigger): boolean {
  return trigger === "manual" || trigger === "rerun";
}
