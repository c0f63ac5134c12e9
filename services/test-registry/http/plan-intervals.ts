import { Problem } from "#contracts/kit/problem.ts";
import type { Plans } from "../../kit/plan/plan-ledger.ts";
import { intervalWords } from "../domain/interval-words.ts";
import { type Recurrence, shortestStepSeconds } from "../domain/recurrence/recurrence.ts";

export type RequirePlanAllows = ReturnType<typeof createRequirePlanAllows>;

/** Creates the check of a schedule's interval against the organization's plan. */
export function createRequirePlanAllows(plans: Plans) {
  return async (
    { organizationId, requestId }: { organizationId: string; requestId: string },
    recurrence: Recurrence,
  ): Promise<void> => {
    const { plan } = await plans.require(organizationId, requestId);
    const used = shortestStepSeconds(recurrence);
    const limit = plan?.limits.shortestIntervalSeconds ?? 0;
    if (used >= limit) return;
    const detail = `The ${plan?.name} plan starts a schedule ${intervalWords(limit)} at most, and this one would start ${intervalWords(used)}.`;
    throw new Problem("plan_limit_reached", detail, { limit, used });
  };
}
