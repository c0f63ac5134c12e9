import { moneyWords } from "~/plans/plan-words";
import type { DayWords } from "~/time-zone/day-words";
import type { Tone } from "~/ui/tone";
import type { Subscription } from "../../../services/portal-service/contract/subscriptions.ts";

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

type Standing = Pick<
  Subscription,
  "state" | "entitledUntil" | "isEntitled" | "nextBillingAt" | "serviceName" | "plannedChange" | "heldBecause"
>;

/** What a subscription means for whoever has it, in a sentence. */
export function standingWords(standing: Standing, day: DayWords): string {
  const { state, entitledUntil, isEntitled, nextBillingAt, serviceName, plannedChange, heldBecause } = standing;
  switch (state) {
    case "PENDING_APPROVAL":
      return `Nothing is charged until you approve the subscription at PayPal. Until then, ${serviceName} is not active.`;
    case "ACTIVE":
      if (plannedChange)
        return `You have ${serviceName} until ${day(plannedChange.countsAt)}, then ${plannedChange.serviceName} for ${moneyWords(plannedChange.price)} a month.`;
      return nextBillingAt ? `The next payment is on ${day(nextBillingAt)}.` : "It renews until you cancel it.";
    case "SUSPENDED":
      if (heldBecause !== null)
        return `The portal's operator suspended it: ${heldBecause} ${isEntitled && entitledUntil ? `You keep ${serviceName} until ${day(entitledUntil)}.` : `${serviceName} is no longer active.`} Everything you made is kept.`;
      return isEntitled && entitledUntil
        ? `PayPal could not collect the payment. You keep ${serviceName} until ${day(entitledUntil)}; make sure at PayPal that the next payment goes through.`
        : `PayPal could not collect the payments, so ${serviceName} is no longer active. Everything you made is kept.`;
    case "CANCELLED":
      return isEntitled && entitledUntil
        ? `You keep what you paid for until ${day(entitledUntil)}. Nothing you made is deleted.`
        : "Nothing more is charged. Everything you made is kept.";
    case "EXPIRED":
      return "It was not approved in time, or has ended. Nothing is charged.";
  }
}
