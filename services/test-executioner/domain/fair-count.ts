import type { RunTrigger, Verdict } from "#contracts/test-executioner/verdicts.ts";
import { isFailure } from "./verdict.ts";

export interface EndedExecution {
  trigger: RunTrigger;
  verdict: Verdict;
  causeCode: string | undefined;
  attempts: number;
  /** The previous verdict of the test, or this row of it; null for the first time. */
  verdictBefore: Verdict | null;
}

/** Internal causes: the user could not have prevented them. */
const ourFaults = new Set(["worker_lost", "not_judged"]);

export function isOurFailure(verdict: Verdict, causeCode: string | undefined): boolean {
  return verdict === "errored" && causeCode !== undefined && ourFaults.has(causeCode);
}

/**
 * The rule of fair counting: an execution counts once against its plan however often it was retried; never when nothing
 * was sent, when it errored by an internal error, or when a user manually repeats a failed test.
 */
export function countsAgainstPlan({ trigger, verdict, causeCode, attempts, verdictBefore }: EndedExecution): boolean {
  if (attempts === 0) return false;
  if (isOurFailure(verdict, causeCode)) return false;
  return !(isByHand(trigger) && isFailure(verdictBefore));
}

/** Only for these, the rule depends on the previous verdict. */
export function isByHand(trigger: RunTrigger): boolean {
  return trigger === "manual" || trigger === "rerun";
}
