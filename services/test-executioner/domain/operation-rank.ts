import type { OperationTrend } from "#contracts/test-executioner/counts.ts";

const rankLength = 5;

const getName = ({ apiId, path, method }: OperationTrend) => `${apiId} ${path} ${method}`;
const byName = (one: OperationTrend, other: OperationTrend) => (getName(one) < getName(other) ? -1 : 1);

/**
 * The most conspicuous operations, worst first; one without responses is not slow, one that never changed not flaky.
 */
export function rankOperations(operations: readonly OperationTrend[]) {
  return {
    slowest: operations
      .filter(({ p95 }) => p95 !== null)
      .sort((one, other) => other.p95! - one.p95! || byName(one, other))
      .slice(0, rankLength),
    flakiest: operations
      .filter(({ flakiness }) => flakiness > 0)
      .sort((one, other) => other.flakiness - one.flakiness || other.executions - one.executions || byName(one, other))
      .slice(0, rankLength),
  };
}
