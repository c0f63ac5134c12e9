import type { Verdict } from "../contract/verdicts.ts";
import { countsAgainstPlan } from "../domain/fair-count.ts";
import type { ExecutionResult } from "../store/results.ts";

/** What to tell of results that were stored together: how many count, by organization and month. */
export function countedEvents(
  results: ExecutionResult[],
  verdictBefore: (execution: ExecutionResult["execution"]) => Verdict | null,
) {
  const counts = new Map<string, { organizationId: string; month: string; executions: number }>();
  for (const { execution, verdict, cause, attempts, finishedAt } of results) {
    const isCounted = countsAgainstPlan({
      trigger: execution.trigger,
      verdict,
      causeCode: cause?.code,
      attempts: attempts.length,
      verdictBefore: verdictBefore(execution),
    });
    if (!isCounted) continue;
    const organizationId = execution.organization_id;
    const month = finishedAt.toISOString().slice(0, "2026-04".length);
    const counted = counts.get(`${organizationId} ${month}`) ?? { organizationId, month, executions: 0 };
    counts.set(`${organizationId} ${month}`, { ...counted, executions: counted.executions + 1 });
  }
  // Sums need no order, so these wait for nobody's.
  return [...counts.values()].map(({ organizationId, ...payload }) => ({
    type: "executions.counted" as const,
    organizationId,
    payload,
  }));
}
