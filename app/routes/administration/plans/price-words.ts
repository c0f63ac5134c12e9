import type { OperatedPlan } from "#contracts/portal-service/operated-plans.ts";
import { moneyWords } from "~/features/plans/plan-words";

/** The price after a trial. */
export function freeWords(trialDays: number): string {
  if (trialDays === 0) return "";
  return trialDays === 1 ? " The first day is free." : ` The first ${trialDays} days are free.`;
}

/** Whether a price is offered, and whether PayPal has it already. */
export function offeredToast({ name, price, prices, trialDays }: OperatedPlan) {
  const offered = `${name} costs new subscribers ${moneyWords(price)} a month.${freeWords(trialDays)}`;
  const isMade = prices.some(({ isOffered, providerId }) => isOffered && providerId !== null);
  return isMade
    ? { message: offered, variant: "success" as const }
    : { message: `${offered} PayPal creates its plan when someone subscribes.`, variant: "info" as const };
}
