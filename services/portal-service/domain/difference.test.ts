import { expect, test } from "vitest";
import { differencesBetween, type Known } from "./difference.ts";

const usd = (minorUnits: number) => ({ minorUnits, currency: "USD" });
const known: Known = {
  state: "ACTIVE",
  serviceId: "team",
  price: usd(4_900),
  nextBillingAt: new Date("2026-05-01T10:00:00Z"),
  paidUntil: new Date("2026-05-01T10:00:00Z"),
  failedPayments: 0,
  payments: [{ id: "P1", state: "COMPLETED", amount: usd(4_900) }],
};

test("a response equal to the stored state yields no difference, even with other Date objects", () => {
  expect(differencesBetween(known, structuredClone(known))).toEqual([]);
});

test("each changed fact is a difference, with its former value", () => {
  const after: Known = { ...known, state: "SUSPENDED", nextBillingAt: null, failedPayments: 3 };
  expect(differencesBetween(known, after)).toEqual([
    { subject: "state", id: null, before: "ACTIVE", after: "SUSPENDED" },
    { subject: "nextPayment", id: null, before: "2026-05-01T10:00:00.000Z", after: null },
    { subject: "failedPayments", id: null, before: "0", after: "3" },
  ]);
  expect(differencesBetween(known, { ...known, serviceId: "business", price: usd(19_900) })).toEqual([
    { subject: "plan", id: null, before: "team", after: "business" },
    { subject: "price", id: null, before: "49.00 USD", after: "199.00 USD" },
  ]);
});

test("a new payment and a refunded one are different differences", () => {
  const payments = [
    { id: "P2", state: "COMPLETED", amount: usd(4_900) },
    { id: "P1", state: "REFUNDED", amount: usd(4_900) },
  ];
  expect(differencesBetween(known, { ...known, payments })).toEqual([
    { subject: "payment", id: "P2", before: null, after: "COMPLETED 49.00 USD" },
    { subject: "payment", id: "P1", before: "COMPLETED 49.00 USD", after: "REFUNDED 49.00 USD" },
  ]);
});
