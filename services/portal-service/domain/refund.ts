import type { Money } from "./money.ts";

export interface Refunded {
  kind: "REFUND" | "REVERSAL";
  amount: Money;
}

export type PaymentState = "COMPLETED" | "DECLINED" | "PENDING" | "REFUNDED" | "PARTIALLY_REFUNDED";

/**
 * The refund status of a payment, from its state at the provider and the reported refunds: that state decides
 * whether the payment was refunded in full. Null in `refunded` for a partial refund of unknown amount.
 */
export function toRefund(
  { state, amount }: { state: PaymentState; amount: Money },
  reported: readonly Refunded[],
): { state: PaymentState | "REVERSED"; refunded: Money | null } {
  const { currency } = amount;
  const sum = reported.reduce((total, refund) => total + refund.amount.minorUnits, 0);
  const minorUnits = state === "REFUNDED" ? amount.minorUnits : Math.min(sum, amount.minorUnits);
  const isReversed = reported.some(({ kind }) => kind === "REVERSAL");
  if (isReversed) return { state: "REVERSED", refunded: { minorUnits, currency } };
  if (state === "PARTIALLY_REFUNDED" && minorUnits === 0) return { state, refunded: null };
  // Reported before the provider lists it.
  const isNews = state === "COMPLETED" && minorUnits > 0;
  const next = minorUnits === amount.minorUnits ? "REFUNDED" : "PARTIALLY_REFUNDED";
  return { state: isNews ? next : state, refunded: { minorUnits, currency } };
}
