import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { countsAgainstPlan } from "../domain/fair-count.ts";
import type { ExecutionResult } from "../store/results.ts";

type VerdictBefore = (execution: ExecutionResult["execution"]) => Verdict | null;

function isCounted({ execution, verdict, cause, attempts }: ExecutionResult, verdictBefore: VerdictBefore): boolean {
  return countsAgainstPlan({
    trigger: execution.trigger,
    verdict,
    causeCode: cause?.code,
    attempts: attempts.length,
    verdictBefore: verdictBefore(execution),
  });
}

/** By how much the counted executions differ from the reserved ones, by organization. */
export function reservedTooFew(results: ExecutionResult[], verdictBefore: VerdictBefore): Map<string, number> {
  const by = new Map<string, number>();
  for (const result of results) {
    const { organization_id, reserves } = result.execution;
    const difference = Number(isCounted(result, verdictBefore)) - Number(reserves);
    if (difference !== 0) by.set(organization_id, (by.get(organization_id) ?? 0) + difference);
  }
  return by;
}

/** Events for results that were stored together: how many count, by organization and day. */
export function countedEvents(results: ExecutionResult[], verdictBefore: VerdictBefore) {
  const counts = new Map<string, { organizationId: string; day: string; executions: number }>();
  for (const result of results) {
    const { execution, finishedAt } = result;
    if (!isCounted(result, verdictBefore)) continue;
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
