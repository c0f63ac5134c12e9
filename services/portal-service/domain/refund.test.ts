import { expect, test } from "vitest";
import { type Refunded, refundOf } from "./refund.ts";

const usd = (minorUnits: number) => ({ minorUnits, currency: "USD" });
const amount = usd(4_900);
const refund = (minorUnits: number): Refunded => ({ kind: "REFUND", amount: usd(minorUnits) });

test("refunds of a payment are summed, up to the amount paid", () => {
  expect(refundOf({ state: "COMPLETED", amount }, [])).toEqual({ state: "COMPLETED", refunded: usd(0) });
  const partly = { state: "PARTIALLY_REFUNDED" as const, amount };
  expect(refundOf(partly, [refund(1_000), refund(500)])).toEqual({ ...{ state: partly.state }, refunded: usd(1_500) });
  expect(refundOf(partly, [refund(4_000), refund(4_000)]).refunded).toEqual(amount);
});

test("a refund without an amount is a full refund, or unknown", () => {
  expect(refundOf({ state: "REFUNDED", amount }, [])).toEqual({ state: "REFUNDED", refunded: amount });
  expect(refundOf({ state: "REFUNDED", amount }, [refund(100)]).refunded).toEqual(amount);
  expect(refundOf({ state: "PARTIALLY_REFUNDED", amount }, []).refunded).toBeNull();
});

test("a reported refund counts before the provider lists it, and a reversal is labelled as one", () => {
  expect(refundOf({ state: "COMPLETED", amount }, [refund(100)]).state).toBe("PARTIALLY_REFUNDED");
  expect(refundOf({ state: "COMPLETED", amount }, [refund(4_900)]).state).toBe("REFUNDED");
  const reversal: Refunded = { kind: "REVERSAL", amount };
  expect(refundOf({ state: "REFUNDED", amount }, [reversal])).toEqual({ state: "REVERSED", refunded: amount });
});
