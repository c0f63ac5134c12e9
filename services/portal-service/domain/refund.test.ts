import { expect, test } from "vitest";
import { type Refunded, toRefund } from "./refund.ts";

const usd = (minorUnits: number) => ({ minorUnits, currency: "USD" });
const amount = usd(4_900);
const refund = (minorUnits: number): Refunded => ({ kind: "REFUND", amount: usd(minorUnits) });

test("refunds of a payment are summed, up to the amount paid", () => {
  expect(toRefund({ state: "COMPLETED", amount }, [])).toEqual({ state: "COMPLETED", refunded: usd(0) });
  const partly = { state: "PARTIALLY_REFUNDED" as const, amount };
  expect(toRefund(partly, [refund(1_000), refund(500)])).toEqual({ ...{ state: partly.state }, refunded: usd(1_500) });
  expect(toRefund(partly, [refund(4_000), refund(4_000)]).refunded).toEqual(amount);
});

test("a refund without an amount is a full refund, or unknown", () => {
  expect(toRefund({ state: "REFUNDED", amount }, [])).toEqual({ state: "REFUNDED", refunded: amount });
  expect(toRefund({ state: "REFUNDED", amount }, [refund(100)]).refunded).toEqual(amount);
  expect(toRefund({ state: "PARTIALLY_REFUNDED", amount }, []).refunded).toBeNull();
});

test("a reported refund counts before the provider lists it, and a reversal is labelled as one", () => {
  expect(toRefund({ state: "COMPLETED", amount }, [refund(100)]).state).toBe("PARTIALLY_REFUNDED");
  expect(toRefund({ state: "COMPLETED", amount }, [refund(4_900)]).state).toBe("REFUNDED");
  const reversal: Refunded = { kind: "REVERSAL", amount };
  expect(toRefund({ state: "REFUNDED", amount }, [reversal])).toEqual({ state: "REVERSED", refunded: amount });
});
