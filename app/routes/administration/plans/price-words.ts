import { moneyWords } from "~/plans/plan-words";
import type { OperatedPlan } from "../../../../services/portal-service/contract/operated-plans.ts";

/** That a price is offered now, and whether PayPal knows already. */
export function offeredToast({ name, price, prices }: OperatedPlan) {
  const offered = `${name} costs new subscribers ${moneyWords(price)} a month.`;
  const isMade = prices.some(({ isOffered, providerId }) => isOffered && providerId !== null);
  return isMade
    ? { message: offered, variant: "success" as const }
    : { message: `${offered} PayPal makes its plan when somebody subscribes.`, variant: "info" as const };
}
