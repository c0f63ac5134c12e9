import type { Money } from "./money.ts";
import { approvalDays, type SubscriptionState } from "./subscription.ts";

/** A plan at the price that its subscriber pays. */
export interface PricedPlan {
  serviceId: string;
  price: Money;
}

export interface PlannedPlan extends PricedPlan {
  /** When it takes effect. */
  at: Date;
}

export interface Planned {
  current: PricedPlan;
  next: PlannedPlan | null;
}

export const isSamePlan = (one: PricedPlan, other: PricedPlan): boolean =>
  one.serviceId === other.serviceId &&
  one.price.minorUnits === other.price.minorUnits &&
  one.price.currency === other.price.currency;

/** A change to a plan that costs more takes effect at once, any other at the end of the paid period. */
export const isUpgrade = (from: Money, to: Money): boolean => to.minorUnits > from.minorUnits;

/**
 * The current and the next plan of a subscription, given the plan that the provider bills.
 * @param paidUntil as known before the provider's response: a plan that it bills by then is the new one
 */
export function planAfter(known: Planned, billed: PricedPlan, paidUntil: Date | null, now: Date): Planned {
  if (isSamePlan(known.current, billed)) return { current: known.current, next: null };
  if (isUpgrade(known.current.price, billed.price)) return { current: billed, next: null };
  const isPlanned = known.next !== null && isSamePlan(known.next, billed);
  const at = isPlanned ? known.next!.at : paidUntil;
  return at && at > now ? { current: known.current, next: { ...billed, at } } : { current: billed, next: null };
}

/** Why a subscription can't change its plan now; undefined when it can. */
export function findObstacle(
  subscription: Planned & { state: SubscriptionState },
  wanted: PricedPlan,
): "approve-first" | "pay-first" | "over" | "is-yours" | "is-planned" | "other-currency" | undefined {
  const { state, current, next } = subscription;
  if (state === "PENDING_APPROVAL") return "approve-first";
  if (state === "SUSPENDED") return "pay-first";
  if (state !== "ACTIVE") return "over";
  if (next ? isSamePlan(next, wanted) : isSamePlan(current, wanted)) return next ? "is-planned" : "is-yours";
  if (wanted.price.currency !== current.price.currency) return "other-currency";
  return undefined;
}

/** Whether a change without approval is abandoned. */
export const isTooLate = (askedAt: Date, now: Date): boolean =>
  now.getTime() - askedAt.getTime() >= approvalDays * 86_400_000;
