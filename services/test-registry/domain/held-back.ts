import type { PlanStatus } from "#contracts/kit/plan.ts";
import { describeExceeded } from "../../kit/plan/limit-problem.ts";
import { intervalWords } from "./interval-words.ts";
import { type Recurrence, shortestStepSeconds } from "./recurrence/recurrence.ts";

/**
 * Why the organization's plan, which was larger when a schedule was created, skips its times; undefined if it does not.
 * The schedule resumes automatically when the plan allows it again.
 */
export function explainHeldBack(planStatus: PlanStatus | undefined, recurrence: Recurrence): string | undefined {
  const { plan, exceeded } = planStatus ?? { plan: null, exceeded: [] };
  if (!plan) return undefined;
  if (exceeded.length > 0) return `There is more than the ${plan.name} plan allows: ${describeExceeded(exceeded)}.`;
  const step = shortestStepSeconds(recurrence);
  const shortest = plan.limits.shortestIntervalSeconds;
  if (step >= shortest) return undefined;
  return `The ${plan.name} plan starts a schedule ${intervalWords(shortest)} at most, and this one would start ${intervalWords(step)}.`;
}
