import type { ServicePricing } from "#contracts/portal-service/plans.ts";

/**
 * The plan that most teams start with: the cheapest that costs something. Undefined where there is no choice to make.
 * @param plans cheapest first, as portal-service lists them
 */
export function recommendPlan<Plan extends Pick<ServicePricing, "price">>(plans: readonly Plan[]): Plan | undefined {
  return plans.length < 2 ? undefined : plans.find(({ price }) => Number(price.amount) > 0);
}
