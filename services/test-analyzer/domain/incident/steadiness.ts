/** How a test has fared in one place: in one circle, or outside of circles in one environment. */
export interface Steadiness {
  /** Results that failed since it was last well. */
  failures: number;
  /** When the first of these came. */
  since: Date | null;
  /** Its verdicts change to and fro. */
  isUnsteady: boolean;
}

export const well: Steadiness = { failures: 0, since: null, isUnsteady: false };

const changesOfUnsteady = 3;
const resultsLookedAt = 10;
const goodResultsToSettle = 5;

/** @param last whether each passed, oldest first, the new one included */
function isUnsteadyAfter(wasUnsteady: boolean, last: readonly boolean[]): boolean {
  if (wasUnsteady) {
    const newest = last.slice(-goodResultsToSettle);
    return newest.length < goodResultsToSettle || newest.includes(false);
  }
  const seen = last.slice(-resultsLookedAt);
  const changes = seen.map((passed, index) => index > 0 && passed !== seen[index - 1]);
  // Only a change makes it so: those of before have settled.
  return changes.at(-1) === true && changes.filter(Boolean).length >= changesOfUnsteady;
}

/**
 * What a new result makes of it. Three changes of verdict in the last ten results are unsteady, until five good ones in a
 * row.
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

/** Runs after which a failure is an incident; undefined where only its minutes count. */
export function runsCounted({ afterRuns, afterMinutes }: Lasting): number | undefined {
  return afterRuns ?? (afterMinutes === undefined ? 1 : undefined);
}

/** Whether a failure that has lasted so is an incident. */
export function isIncident({ failures, since, isUnsteady }: Steadiness, rule: Lasting, now: Date): boolean {
  if (failures === 0 || since === null) return false;
  if (isUnsteady || failures >= (runsCounted(rule) ?? Number.POSITIVE_INFINITY)) return true;
  return rule.afterMinutes !== undefined && now.getTime() - since.getTime() >= rule.afterMinutes * 60_000;
}
