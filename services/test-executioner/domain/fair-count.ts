import type { RunTrigger, Verdict } from "#contracts/test-executioner/verdicts.ts";
import { isFailure } from "./verdict.ts";

export interface EndedExecution {
  trigger: RunTrigger;
  verdict: Verdict;
  causeCode: string | undefined;
  attempts: number;
  /** How the test, or this row of it, ended the time before; null for the first time. */
  verdictBefore: Verdict | null;
}

/** Causes that are ours: the user could have done nothing about them. */
const ourFaults = new Set(["worker_lost", "not_judged"]);

export function isOurFault(verdict: Verdict, causeCode: string | undefined): boolean {
  return verdict === "errored" && causeCode !== undefined && ourFaults.has(causeCode);
}

/**
 * The rule of fair counting: an execution counts once against its plan however often it was retried; never when nothing
 * was sent, when it errored by our fault, or when somebody runs a failed test again by hand.
 */
export function countsAgainstPlan({ trigger, verdict, causeCode, attempts, verdictBefore }: EndedExecution): boolean {
  if (attempts === 0) return false;
  if (isOurFault(verdict, causeCode)) return false;
  return !(isByHand(trigger) && isFailure(verdictBefore));
}

/** Only of these the rule asks how they ended the time before. */
export function isByHand(trigger: RunTrigger): boolean {
  return trigger === "manual" || trigger === "rerun";
}
