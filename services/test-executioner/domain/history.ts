import type { RunTrigger, Verdict } from "#contracts/test-executioner/verdicts.ts";
import { missingVariable } from "#libraries/running/unsendable.ts";
import { isByHand, isOurFailure } from "./fair-count.ts";
import { isFailure } from "./verdict.ts";

/** Verdicts that indicate the status of an API. */
export const conclusiveVerdicts: Verdict[] = ["passed", "flaky", "failed", "errored", "blocked"];

/** A user who starts a run manually sees its failures, so they are no news; passes are. */
export function isConclusive(of: { verdict: Verdict; causeCode: string | null; trigger: RunTrigger }): boolean {
  if (!isFailure(of.verdict)) return true;
  return !isByHand(of.trigger) && !isOurFailure(of.verdict, of.causeCode ?? undefined);
}

/** Whether a failure may only be a consequence of the first one of its run. */
export function mayFollow(
  { position, causeCode }: { position: number; causeCode: string | null },
  run: { isSequential: boolean; firstFailure: number | null },
): boolean {
  if (run.firstFailure === null || run.firstFailure >= position) return false;
  return run.isSequential || causeCode === missingVariable;
}
