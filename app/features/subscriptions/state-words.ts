import type { Subscription } from "#contracts/portal-service/subscriptions.ts";
import { moneyWords } from "~/features/plans/plan-words";
import type { DayWords } from "~/features/time-zone/day-words";
import type { Tone } from "~/ui/tone";

export const stateNames: Record<Subscription["state"], string> = {
  PENDING_APPROVAL: "Waiting for approval",
  ACTIVE: "Active",
  SUSPENDED: "Suspended",
  CANCELLED: "Cancelled",
  EXPIRED: "Ended",
};

export const stateTones: Record<Subscription["state"], Tone> = {
  PENDING_APPROVAL: "warning",
  ACTIVE: "success",
  SUSPENDED: "danger",
  CANCELLED: "neutral",
  EXPIRED: "neutral",
};

type Status = Pick<
  Subscription,
  | "state"
  | "entitledUntil"
  | "isEntitled"
  | "nextBillingAt"
  | "serviceName"
  | "plannedChange"
  | "heldBecause"
  | "price"
  | "trialDays"
  | "trialEndsAt"
  | "isOnTrial"
>;

const monthly = (price: Subscription["price"]) => `${moneyWords(price)} a month`;

/** For a subscription that is not approved yet. */
function approvalWords({ serviceName, trialDays, price }: Status): string {
  if (trialDays === 0)
    return `Nothing is charged until you approve the subscription at PayPal. Until then, ${serviceName} is not active.`;
  const free = trialDays === 1 ? "Your free day starts" : `Your ${trialDays} free days start`;
  return `${free} when you approve the subscription at PayPal. After that, ${serviceName} costs ${monthly(price)}. Nothing is charged before.`;
}

/** The meaning of a subscription's state for its organization, in a sentence. */
export function getStateWords(status: Status, day: DayWords): string {
  const { state, entitledUntil, isEntitled, nextBillingAt, serviceName, plannedChange, heldBecause } = status;
  const trialEndsAt = status.isOnTrial ? status.trialEndsAt : null;
  switch (state) {
    case "PENDING_APPROVAL":
      return approvalWords(status);
    case "ACTIVE":
      if (plannedChange)
        return `You have ${serviceName} until ${day(plannedChange.countsAt)}, then ${plannedChange.serviceName} for ${monthly(plannedChange.price)}.`;
      if (trialEndsAt) return `Trial until ${day(trialEndsAt)}, then ${monthly(status.price)}.`;
      return nextBillingAt ? `The next payment is on ${day(nextBillingAt)}.` : "It renews until you cancel it.";
    case "SUSPENDED":
      if (heldBecause !== null)
        return `The portal's operator suspended it: ${heldBecause} ${isEntitled && entitledUntil ? `You keep ${serviceName} until ${day(entitledUntil)}.` : `${serviceName} is no longer active.`} Everything you created is kept.`;
      return isEntitled && entitledUntil
        ? `PayPal could not collect the payment. You keep ${serviceName} until ${day(entitledUntil)}; make sure at PayPal that the next payment goes through.`
        : `PayPal could not collect the payments, so ${serviceName} is no longer active. Everything you created is kept.`;
    case "CANCELLED":
      if (trialEndsAt)
        return `You keep ${serviceName} until your trial ends on ${day(trialEndsAt)}. Nothing is charged, and nothing you created is deleted.`;
      return isEntitled && entitledUntil
        ? `You keep what you paid for until ${day(entitledUntil)}. Nothing you created is deleted.`
        : "Nothing more is charged. Everything you created is kept.";
    case "EXPIRED":
      return "It was not approved in time, or has ended. Nothing is charged.";
  }
}
