import { expect, test } from "vitest";
import { formatMinutes, formatRate, levelWords, resultsLeft } from "./level-words";

test("durations are written as people say them", () => {
  expect([0.2, 43.2, 216, 1_440, 4_320].map(formatMinutes)).toEqual(["12 s", "43 min", "3.6 h", "24 h", "3 days"]);
});

test("rates have as many digits as matter", () => {
  expect([null, 0, 0.4249, 6, 14.44].map(formatRate)).toEqual(["–", "0", "0.42", "6", "14.4"]);
});

test("the remaining bad results are a whole number", () => {
  const budget = (allowed: number, bad: number) => ({ allowed, left: 1 - bad / allowed, minutes: 0, minutesLeft: 0 });
  expect([budget(5, 2), budget(5.9, 3), budget(0.5, 0), budget(5, 9)].map(resultsLeft)).toEqual([3, 2, 0, 0]);
});

test("an overdrawn budget is reported before its burn rate", () => {
  const measured = { good: 1, bad: 1, share: 0.5, burn: [], isFast: true, exhaustedInMinutes: null };
  const budget = { allowed: 1, left: 0, minutes: 1, minutesLeft: 0 };
  expect(levelWords({ measured: { ...measured, budget } })).toEqual({ tone: "danger", left: "Budget used up" });
  expect(levelWords({ measured: { ...measured, budget: { ...budget, left: 0.4 } } }).tone).toBe("warning");
});
