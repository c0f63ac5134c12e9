import type { RunTrigger, Verdict } from "#contracts/test-executioner/verdicts.ts";
import { missingVariable } from "#libraries/running/unsendable.ts";
import { isByHand, isOurFault } from "./fair-count.ts";
import { isFailure } from "./verdict.ts";

/** Verdicts that say how an API stands. */
export const tellingVerdicts: Verdict[] = ["passed", "flaky", "failed", "errored", "blocked"];

/** Whoever starts a run by hand is looking: its failures are no news, what passes is. */
export function isTelling(of: { verdict: Verdict; causeCode: string | null; trigger: RunTrigger }): boolean {
  if (!isFailure(of.verdict)) return true;
  return !isByHand(of.trigger) && !isOurFault(of.verdict, of.causeCode ?? undefined);
}

/** Whether a failure may be no more than what the first one of its run has left behind. */
export function mayFollow(
  { position, causeCode }: { position: number; causeCode: string | null },
  run: { isSequential: boolean; firstFailure: number | null },
): boolean {
  if (run.firstFailure === null || run.firstFailure >= position) return false;
  return run.isSequential || causeCode === missingVariable;
}
