import { countsAgainstPlan } from "../domain/fair-count.ts";
import type { ExecutionResult } from "../store/results.ts";

function isCounted({ execution: { reserves }, verdict, cause, attempts }: ExecutionResult): boolean {
  return countsAgainstPlan({ verdict, causeCode: cause?.code, attempts: attempts.length, reserves });
}

/** Executions that were reserved and did not count. */
export function listUncounted(results: ExecutionResult[]): ExecutionResult["execution"][] {
  return results.flatMap((result) => (result.execution.reserves && !isCounted(result) ? [result.execution] : []));
}

/** Events for results that were stored together: how many count, by organization and day. */
export function countedEvents(results: ExecutionResult[]) {
  const counts = new Map<string, { organizationId: string; day: string; executions: number }>();
  for (const result of results) {
    const { execution, finishedAt } = result;
    if (!isCounted(result)) continue;
    const organizationId = execution.organization_id;
    const day = finishedAt.toISOString().slice(0, "2026-04-30".length);
    const counted = counts.get(`${organizationId} ${day}`) ?? { organizationId, day, executions: 0 };
    counts.set(`${organizationId} ${day}`, { ...counted, executions: counted.executions + 1 });
  }
  // Sums need no order, so these do not wait for other transactions.
  return [...counts.values()].map(({ organizationId, day, executions }) => ({
    type: "executions.counted" as const,
    organizationId,
    payload: { month: day.slice(0, "2026-04".length), day, executions },
  }));
}
