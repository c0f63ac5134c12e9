import type { WaitUntil } from "#contracts/test-registry/tests.ts";
import { isWorthRetrying } from "#libraries/running/conclude-verdict.ts";
import type { TestResult } from "#libraries/running/test-to-run.ts";

type Waited = Pick<TestResult, "verdict" | "attempts" | "attemptCount" | "waitedMilliseconds">;

/** How a wait ended, in a sentence; undefined where none was needed, or waiting could not have helped. */
export function describeWait(
  waitUntil: WaitUntil | undefined,
  { verdict, attempts, attemptCount, waitedMilliseconds = 0 }: Waited,
): string | undefined {
  if (!waitUntil) return undefined;
  const tries = attemptCount === 1 ? "1 try" : `${attemptCount} tries`;
  if (verdict === "passed") {
    return attemptCount > 1 ? `Passed after ${tries}, ${(waitedMilliseconds / 1_000).toFixed(1)} s.` : undefined;
  }
  const last = attempts.at(-1);
  return last && isWorthRetrying(last) ? `Not met within ${waitUntil.atMostSeconds} s: ${tries}.` : undefined;
}
