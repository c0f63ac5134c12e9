import { expect, test } from "vitest";
import { monthAfter, monthlyNumbers, monthsUpTo } from "./monthly-numbers.ts";

const of = (month: string, amount: number, currency = "USD") => ({ month, currency, amount });

test("months go back from now across the turn of the year", () => {
  expect(monthsUpTo(new Date("2026-02-28T23:59:59Z"), 4)).toEqual(["2026-02", "2026-01", "2025-12", "2025-11"]);
  expect(["2026-01", "2026-12"].map(monthAfter)).toEqual(["2026-02", "2027-01"]);
});

test("subscriptions active at a month's end began before it and had not ended, including those from before the requested months", () => {
  const changes = {
    activeBefore: [{ currency: "USD", amount: 4 }],
    began: [of("2026-01", 3)],
    ended: [of("2026-02", 2)],
    paid: [of("2026-01", 39_200)],
    refunded: [of("2026-02", 950)],
  };
  expect(monthlyNumbers(changes, ["2026-02", "2026-01"])).toEqual([
    { month: "2026-02", currency: "USD", began: 0, ended: 2, activeAtEnd: 5, paidMinor: 0, refundedMinor: 950 },
    { month: "2026-01", currency: "USD", began: 3, ended: 0, activeAtEnd: 7, paidMinor: 39_200, refundedMinor: 0 },
  ]);
});

test("each currency is counted separately", () => {
  const changes = {
    activeBefore: [],
    began: [of("2026-01", 1), of("2026-01", 2, "EUR")],
    ended: [],
    paid: [],
    refunded: [],
  };
  const numbers = monthlyNumbers(changes, ["2026-01"]);
  expect(numbers.map(({ currency, began }) => [currency, began])).toEqual([
    ["EUR", 2],
    ["USD", 1],
  ]);
  expect(monthlyNumbers({ activeBefore: [], began: [], ended: [], paid: [], refunded: [] }, ["2026-01"])).toEqual([]);
});
