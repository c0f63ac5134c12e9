import type { PaymentDelivery } from "#contracts/portal-service/deliveries.ts";
import type { Tone } from "~/ui/tone";

export const outcomeWords: Record<PaymentDelivery["outcome"], { name: string; tone: Tone }> = {
  believed: { name: "PayPal's", tone: "success" },
  refused: { name: "Refused", tone: "danger" },
};

export const rejectionWords: Record<NonNullable<PaymentDelivery["fault"]>, string> = {
  headers: "The headers of PayPal's signature were missing.",
  algorithm: "It uses an algorithm that PayPal does not sign with.",
  certificate: "It refers to a certificate that is not at PayPal's own address. That address was not opened.",
  unreadable: "Not an event as sent by PayPal.",
  signature: "PayPal confirmed that it did not sign it.",
};

/** The result of a delivery, or why it had none, in a sentence. */
export function effectWords({ fault, providerId, subscriptionId, answeredAt, differences }: PaymentDelivery): string {
  if (fault) return `Nothing changed. ${rejectionWords[fault]}`;
  if (!providerId) return "None: not about a subscription.";
  if (!subscriptionId) return "None: unknown subscription.";
  if (!answeredAt) return "Not yet checked with PayPal.";
  if (differences.length === 0) return "None: PayPal's data matched.";
  return "PayPal's data led to the changes listed here.";
}

/** The content of a refused delivery may come from anyone. */
export const eventWords = ({ eventType }: Pick<PaymentDelivery, "eventType">): string =>
  eventType || "Something unreadable";
