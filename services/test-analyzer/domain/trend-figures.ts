import type { TrendFigures } from "#contracts/test-analyzer/trends.ts";
import type { ExecutionCount } from "#contracts/test-executioner/counts.ts";

/** Null when the total is 0. */
function getShare(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

export function toFigures(count: ExecutionCount): TrendFigures {
  const { unsteady, available, unavailable, p50, p95, p99, ...verdicts } = count;
  return {
    ...verdicts,
    passRate: getShare(count.passed + count.flaky, count.executions),
    availability: getShare(available, available + unavailable),
    flakiness: getShare(unsteady, count.executions),
    ...{ p50, p95, p99 },
  };
}
