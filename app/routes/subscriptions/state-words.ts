import { moneyWords } from "~/plans/plan-words";
import type { DayWords } from "~/time-zone/day-words";
import type { Tone } from "~/ui/tone";
import type { Subscription } from "../../../services/portal-service/contract/subscriptions.ts";

export const stateNames: Record<Subscription["state"], string> = {
  PENDING_APPROVAL: "Waits for approval",
  ACTIVE: "Active",
  SUSPENDED: "Suspended",
  CANCELLED: "Cancelled",
  EXPIRED: "Over",
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
      return `Nothing is charged before you approve it at PayPal. Until then ${serviceName} is not yours.`;
    case "ACTIVE":
      if (plannedChange)
        return `${serviceName} stays until ${day(plannedChange.countsAt)}. From then on it is ${plannedChange.serviceName}, for ${moneyWords(plannedChange.price)} a month.`;
      return nextBillingAt ? `The next payment is on ${day(nextBillingAt)}.` : "It goes on until it is cancelled.";
    case "SUSPENDED":
      if (heldBecause !== null)
        return `Those who run the portal suspended it: ${heldBecause} ${isEntitled && entitledUntil ? `${serviceName} stays until ${day(entitledUntil)}.` : "It gives nothing any more."} What you made is kept.`;
      return isEntitled && entitledUntil
        ? `PayPal could not collect the payment. ${serviceName} stays until ${day(entitledUntil)}; see to it at PayPal that the next one goes through.`
        : `PayPal could not collect the payments, so ${serviceName} gives nothing any more. What you made is kept.`;
    case "CANCELLED":
      return isEntitled && entitledUntil
        ? `What is paid for stays until ${day(entitledUntil)}. Nothing you made is deleted.`
        : "Nothing is charged any more. What you made is kept.";
    case "EXPIRED":
      return "It was not approved in time, or is over. Nothing is charged.";
  }
}
