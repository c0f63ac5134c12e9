import type { Recovery } from "#contracts/test-analyzer/recoveries.ts";

/** A test that has passed since its last failure, while its incident is open. */
export interface RecoveringTest {
  incidentId: string;
  testId: string;
  testName: string;
  apiId: string;
  /** Null outside circles. */
  testCircleId: string | null;
  environment: string;
  since: Date;
  passedAt: Date;
  passedRunId: string;
  passedByHand: boolean;
  /** The incident's verdicts keep changing. */
  isUnsteady: boolean;
}

/**
 * Why a test that has passed is still failing, and until when.
 * @param nextRuns next scheduled run of each circle that has one
 */
export function getRecovery(test: RecoveringTest, nextRuns: ReadonlyMap<string, string>): Recovery {
  return {
    at: test.passedAt.toISOString(),
    runId: test.passedRunId,
    apiId: test.apiId,
    byHand: test.passedByHand,
    resolves: test.isUnsteady ? "steady" : "next_run",
    nextRunAt: (test.testCircleId && nextRuns.get(test.testCircleId)) || null,
  };
}

/**
 * The recovery of an incident: the latest of its tests', once all of them have one.
 * @param failing number of tests that it causes to fail
 */
export function getIncidentRecovery(
  tests: readonly RecoveringTest[],
  failing: number,
  nextRuns: ReadonlyMap<string, string>,
): Recovery | null {
  if (failing === 0 || tests.length < failing) return null;
  const all = tests.map((test) => getRecovery(test, nextRuns));
  const last = all.reduce((one, other) => (other.at > one.at ? other : one));
  const ends = all.map(({ nextRunAt }) => nextRunAt);
  return { ...last, nextRunAt: ends.some((end) => end === null) ? null : (ends.sort().at(-1) ?? null) };
}
