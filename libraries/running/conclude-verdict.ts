import type { Attempt, Cause } from "#contracts/test-executioner/attempts.ts";
import type { ExecutionVerdict } from "#contracts/test-executioner/verdicts.ts";

/**
 * A test's verdict from its attempts, in order: the last one counts, and passing only on a later one is flaky, unless
 * the test waits for that.
 */
export function concludeVerdict(
  attempts: readonly Pick<Attempt, "verdict" | "cause">[],
  waits = false,
): { verdict: ExecutionVerdict; cause?: Cause } {
  const last = attempts.at(-1);
  if (!last) throw new Error("A test without an attempt has no verdict.");
  if (last.verdict !== "passed") return { verdict: last.verdict, cause: last.cause };
  return { verdict: attempts.length > 1 && !waits ? "flaky" : "passed" };
}

/** A refused target or a request that can't be built fails the same way again; anything else may succeed next time. */
export function isWorthRetrying(attempt: Pick<Attempt, "verdict" | "request">): boolean {
  if (attempt.verdict === "failed") return true;
  return attempt.verdict === "errored" && attempt.request !== null;
}
