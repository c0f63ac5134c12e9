import type { Attempt, Cause } from "#contracts/test-executioner/attempts.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";

/** An execution's verdict from its attempts, in order: the last one counts, and passing only later is flaky. */
export function concludeVerdict(attempts: readonly Pick<Attempt, "verdict" | "cause">[]): {
  verdict: Verdict;
  cause?: Cause;
} {
  const last = attempts.at(-1);
  if (!last) throw new Error("An execution without an attempt has no verdict.");
  if (last.verdict !== "passed") return { verdict: last.verdict, cause: last.cause };
  return { verdict: attempts.length > 1 ? "flaky" : "passed" };
}

/** Higher is worse. A test with rows shows the worst of them. */
export const verdictRanks: Record<Verdict, number> = {
  errored: 6,
  blocked: 5,
  failed: 4,
  flaky: 3,
  passed: 2,
  skipped: 1,
};

/** From the mildest to the worst; the database ranks by position. */
export const verdictRanking = (Object.keys(verdictRanks) as Verdict[]).sort(
  (a, b) => verdictRanks[a] - verdictRanks[b],
);

/** Whether it stops a run that is to stop, and stands among the first failures of its run. */
export function isFailure(verdict: Verdict | null): boolean {
  return verdict !== null && verdictRanks[verdict] >= verdictRanks.failed;
}

export function worstVerdict(verdicts: readonly (Verdict | null)[]): Verdict | null {
  return verdicts.reduce<Verdict | null>(
    (worst, verdict) => (verdict && (!worst || verdictRanks[verdict] > verdictRanks[worst]) ? verdict : worst),
    null,
  );
}

/** A refused target or a request that can't be made fails the same way again; everything else may be different next time. */
export function isWorthRetrying(attempt: Pick<Attempt, "verdict" | "request">): boolean {
  if (attempt.verdict === "failed") return true;
  return attempt.verdict === "errored" && attempt.request !== null;
}
