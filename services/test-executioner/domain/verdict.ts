import type { Verdict } from "#contracts/test-executioner/verdicts.ts";

/** Higher is worse. A test with rows has the worst of their verdicts. */
export const verdictRanks: Record<Verdict, number> = {
  errored: 7,
  blocked: 6,
  failed: 5,
  regional: 4,
  flaky: 3,
  passed: 2,
  skipped: 1,
};

/** From the mildest to the worst; the database ranks by position. */
export const verdictRanking = (Object.keys(verdictRanks) as Verdict[]).sort(
  (a, b) => verdictRanks[a] - verdictRanks[b],
);

/** Whether it stops a run that stops on failure, and is listed among the run's first failures. */
export function isFailure(verdict: Verdict | null): boolean {
  return verdict !== null && verdictRanks[verdict] >= verdictRanks.failed;
}

/** Of those that an execution can have. */
export const failureVerdicts = verdictRanking.filter(isFailure);

export function worstVerdict(verdicts: readonly (Verdict | null)[]): Verdict | null {
  return verdicts.reduce<Verdict | null>(
    (worst, verdict) => (verdict && (!worst || verdictRanks[verdict] > verdictRanks[worst]) ? verdict : worst),
    null,
  );
}
