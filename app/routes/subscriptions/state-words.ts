import { formatMoment } from "~/ui/moment/moment";
import type { Tone } from "~/ui/tone";
import type { Subscription } from "../../../services/portal-service/contract/subscriptions.ts";

export const stateNames: Record<Subscription["state"], string> = {
  PENDING_APPROVAL: "Waits for approval",
  ACTIVE: "Active",
  SUSPENDED: "Payments failed",
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

type Standing = Pick<Subscription, "state" | "entitledUntil" | "isEntitled" | "nextBillingAt" | "serviceName">;

/** What a subscription means for whoever has it, in a sentence. */
export function standingWords({ state, entitledUntil, isEntitled, nextBillingAt, serviceName }: Standing): string {
  switch (state) {
    case "PENDING_APPROVAL":
      return `Nothing is charged before you approve it at PayPal. Until then ${serviceName} is not yours.`;
    case "ACTIVE":
      return nextBillingAt
        ? `The next payment is on ${formatMoment(nextBillingAt)}.`
        : "It goes on until it is cancelled.";
    case "SUSPENDED":
      return isEntitled && entitledUntil
        ? `PayPal could not collect the payment. ${serviceName} stays until ${formatMoment(entitledUntil)}; see to it at PayPal that the next one goes through.`
        : `PayPal could not collect the payments, so ${serviceName} gives nothing any more. What you made is kept.`;
    case "CANCELLED":
      return isEntitled && entitledUntil
        ? `What is paid for stays until ${formatMoment(entitledUntil)}. Nothing you made is deleted.`
        : "Nothing is charged any more. What you made is kept.";
    case "EXPIRED":
      return "It was not approved in time, or is over. Nothing is charged.";
  }
}
