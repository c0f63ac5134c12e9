import type { Money } from "./money.ts";

export interface Refunded {
  kind: "REFUND" | "REVERSAL";
  amount: Money;
}

export type PaymentState = "COMPLETED" | "DECLINED" | "PENDING" | "REFUNDED" | "PARTIALLY_REFUNDED";

/**
 * What became of a payment, by its state at the provider and what was told of refunds: the state says whether all of it
 * went back, whatever was heard. Null in `refunded`: a part did, and nobody told how much.
 */
export function refundOf(
  { state, amount }: { state: PaymentState; amount: Money },
  told: readonly Refunded[],
): { state: PaymentState | "REVERSED"; refunded: Money | null } {
  const { currency } = amount;
  const sum = told.reduce((total, refund) => total + refund.amount.minorUnits, 0);
  const minorUnits = state === "REFUNDED" ? amount.minorUnits : Math.min(sum, amount.minorUnits);
  const isReversed = told.some(({ kind }) => kind === "REVERSAL");
  if (isReversed) return { state: "REVERSED", refunded: { minorUnits, currency } };
  if (state === "PARTIALLY_REFUNDED" && minorUnits === 0) return { state, refunded: null };
  // Told of before the provider's list says so.
  const isNews = state === "COMPLETED" && minorUnits > 0;
  const next = minorUnits === amount.minorUnits ? "REFUNDED" : "PARTIALLY_REFUNDED";
  return { state: isNews ? next : state, refunded: { minorUnits, currency } };
}
