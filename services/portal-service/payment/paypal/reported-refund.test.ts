import { expect, test } from "vitest";
import { readReportedRefund } from "./reported-refund.ts";

const now = new Date("2026-11-22T18:00:00Z");
const event = (change: object = {}, type = "PAYMENT.SALE.REFUNDED") => ({
  event_type: type,
  resource: { id: "R1", sale_id: "S1", amount: { total: "9.50", currency: "USD" }, ...change },
});

test("a refund names its payment and amount, a reversal has its payment in a link", () => {
  expect(readReportedRefund(event(), now)).toEqual({
    ...{ id: "R1", paymentId: "S1", kind: "REFUND", at: now },
    amount: { minorUnits: 950, currency: "USD" },
  });
  const links = [{ rel: "sale", href: "https://api.paypal.com/v1/payments/sale/9T0" }];
  const reversed = event(
    { sale_id: undefined, amount: { total: "-9.50", currency: "USD" }, links },
    "PAYMENT.SALE.REVERSED",
  );
  expect(readReportedRefund(reversed, now)).toMatchObject({
    ...{ paymentId: "9T0", kind: "REVERSAL" },
    amount: { minorUnits: 950 },
  });
});

test("an event without a refund or an amount yields nothing", () => {
  for (const one of [
    event({}, "PAYMENT.SALE.COMPLETED"),
    event({ amount: { total: "0.00", currency: "USD" } }),
    event({ amount: { total: "1.005", currency: "USD" } }),
    {},
    null,
  ])
    expect(readReportedRefund(one, now)).toBeUndefined();
});
