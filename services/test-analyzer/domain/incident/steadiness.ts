/** Recent stability of a test in one circle or, outside of circles, in one environment. */
export interface Steadiness {
  /** Failed results since it last passed. */
  failures: number;
  /** Time of the first of these failures. */
  since: Date | null;
  /** Its verdict changes repeatedly. */
  isUnsteady: boolean;
}

export const well: Steadiness = { failures: 0, since: null, isUnsteady: false };

const changesOfUnsteady = 3;
const resultsLookedAt = 10;
const goodResultsToSettle = 5;

/** @param last whether each passed, oldest first, including the new one */
function isUnsteadyAfter(wasUnsteady: boolean, last: readonly boolean[]): boolean {
  if (wasUnsteady) {
    const newest = last.slice(-goodResultsToSettle);
    return newest.length < goodResultsToSettle || newest.includes(false);
  }
  const seen = last.slice(-resultsLookedAt);
  const changes = seen.map((passed, index) => index > 0 && passed !== seen[index - 1]);
  // Only a new change makes a test unsteady: earlier ones have settled.
  return changes.at(-1) === true && changes.filter(Boolean).length >= changesOfUnsteady;
}

/**
 * Applies a new result. Three changes of verdict in the last ten results make a test unsteady, until five good ones in
 * a row.
 */
export function follow(
  before: Steadiness,
  result: { passed: boolean; at: Date },
  last: readonly boolean[],
): Steadiness {
  const isUnsteady = isUnsteadyAfter(before.isUnsteady, last);
  if (result.passed) return { ...well, isUnsteady };
  return { failures: before.failures + 1, since: before.since ?? result.at, isUnsteady };
}

interface Lasting {
  afterRuns?: number;
  afterMinutes?: number;
}

/** Runs after which a failure is an incident; undefined when only minutes count. */
export function runsCounted({ afterRuns, afterMinutes }: Lasting): number | undefined {
  return afterRuns ?? (afterMinutes === undefined ? 1 : undefined);
}

/** Whether a failure has lasted long enough for an incident. */
export function isIncident({ failures, since, isUnsteady }: Steadiness, rule: Lasting, now: Date): boolean {
  if (failures === 0 || since === null) return false;
  if (isUnsteady || failures >= (runsCounted(rule) ?? Number.POSITIVE_INFINITY)) return true;
  return rule.afterMinutes !== undefined && now.getTime() - since.getTime() >= rule.afterMinutes * 60_000;
}
