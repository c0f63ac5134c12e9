import type { PaymentDelivery } from "#contracts/portal-service/deliveries.ts";
import type { Tone } from "~/ui/tone";

export const outcomeWords: Record<PaymentDelivery["outcome"], { name: string; tone: Tone }> = {
  believed: { name: "PayPal's", tone: "success" },
  refused: { name: "Refused", tone: "danger" },
};

export const rejectionWords: Record<NonNullable<PaymentDelivery["fault"]>, string> = {
  headers: "It came without the headers of PayPal's signature.",
  algorithm: "It names an algorithm that PayPal does not sign with.",
  certificate: "It names a certificate that is not at PayPal's own address. Nobody opened that address.",
  unreadable: "It is no event as PayPal sends them.",
  signature: "PayPal was asked, and did not sign it.",
};

/** The result of a delivery, or why it had none, in a sentence. */
export function effectWords({ fault, providerId, subscriptionId, answeredAt, differences }: PaymentDelivery): string {
  if (fault) return `Nothing changed. ${rejectionWords[fault]}`;
  if (!providerId) return "Nothing: it concerns no subscription.";
  if (!subscriptionId) return "Nothing: this installation made no such subscription.";
  if (!answeredAt) return "PayPal is yet to be asked about it.";
  if (differences.length === 0) return "Nothing: PayPal was asked, and everything was known.";
  return "PayPal was asked, and its answer changed what is listed here.";
}

/** The content of a refused delivery may come from anyone. */
export const eventWords = ({ eventType }: Pick<PaymentDelivery, "eventType">): string =>
  eventType || "Something unreadable";
