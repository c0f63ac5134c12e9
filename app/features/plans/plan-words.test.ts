import { expect, test } from "vitest";
import { intervalWords, limitWords, offerWords, priceWords } from "./plan-words";

const price = (amount: string, currency = "USD") => priceWords({ amount, currency, interval: "month" });

test("a price has its cents only where there are some", () => {
  expect(price("49.00")).toBe("$49 a month");
  expect(price("49.50", "EUR")).toBe("€49.50 a month");
  expect(price("1999.00")).toBe("$1,999 a month");
});

test("a trial comes before the price", () => {
  const offered = (trialDays: number) =>
    offerWords({ price: { amount: "49.00", currency: "USD", interval: "month" }, trialDays });
  expect([14, 1, 0].map(offered)).toEqual([
    "14 days free, then $49 a month",
    "1 day free, then $49 a month",
    "$49 a month",
  ]);
});

test("a plan without payment is free", () => {
  expect(price("0.00")).toBe("Free");
});

test("limits are listed one per line, and a limit of one is singular", () => {
  const limits = {
    apis: 2,
    tests: 50,
    executionsPerMonth: 1_000,
    shortestIntervalSeconds: 3_600,
    members: 1,
    retentionDays: 7,
  };
  expect(limitWords(limits)).toEqual([
    "2 APIs",
    "50 tests",
    "1,000 executions a month",
    "Enough for 32 tests once a day",
    "Scheduled runs as often as every hour",
    "1 member",
    "Results kept for 7 days",
  ]);
});

test("an absent limit is stated, and a year is called a year", () => {
  const limits = {
    apis: null,
    tests: null,
    executionsPerMonth: null,
    shortestIntervalSeconds: 30,
    members: null,
    retentionDays: 365,
  };
  expect(limitWords(limits)).toEqual([
    "Unlimited APIs",
    "Unlimited tests",
    "Unlimited executions a month",
    "Scheduled runs as often as every 30 seconds",
    "Unlimited members",
    "Results kept for one year",
  ]);
});

test("an interval is given in the largest unit that divides it", () => {
  expect([60, 90, 7_200, 86_400].map(intervalWords)).toEqual([
    "every minute",
    "every 90 seconds",
    "every 2 hours",
    "every day",
  ]);
});
