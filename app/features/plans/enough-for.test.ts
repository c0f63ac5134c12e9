import { expect, test } from "vitest";
import { findEnough, findShortfall } from "./enough-for";
import { enoughWords, shortfallWords } from "./plan-words";

const limitsOf = (tests: number | null, executionsPerMonth: number | null, shortestIntervalSeconds: number) => ({
  ...{ tests, executionsPerMonth, shortestIntervalSeconds },
  ...{ apis: null, members: null, retentionDays: 30 },
});

test.each([
  // All tests, as often as the executions are enough for.
  [50, 36_480, 3_600, "Enough for 50 tests every hour"],
  [50, 36_479, 3_600, "Enough for 50 tests every 6 hours"],
  [100, 875_520, 60, "Enough for 100 tests every 5 minutes"],
  [100, 875_519, 60, "Enough for 100 tests every 15 minutes"],
  [25, 1_000, 3_600, "Enough for 25 tests once a day"],
  [1_000, 50_000, 60, "Enough for 1,000 tests once a day"],
  [1, 1_000_000, 30, "Enough for 1 test every 30 seconds"],
  [7, 100_000, 90, "Enough for 7 tests every 5 minutes"],
  // Never more often than the plan allows.
  [1, 1_000_000, 7_200, "Enough for 1 test every 2 hours"],
  [5, 1_000_000, 172_800, "Enough for 5 tests every 2 days"],
  [5, 1_000_000, 604_800, "Enough for 5 tests once a week"],
  // Not enough for all of them once a day.
  [50, 1_000, 3_600, "Enough for 32 tests once a day"],
  [100_000, 500_000, 60, "Enough for 16,000 tests once a day"],
  [3, 20, 60, "Enough for 3 tests once a week"],
  [50, 20, 60, "Enough for 4 tests once a week"],
  [50, 1, 60, "Enough for 1 test once a month"],
  [1, 1, 60, "Enough for 1 test once a month"],
  [50, 4, 604_800, "Enough for 4 tests once a month"],
  // Tests without a limit.
  [null, 500_000, 30, "Enough for 57 tests every 5 minutes"],
  [null, 10_000_000, 30, "Enough for 1,100 tests every 5 minutes"],
  [null, 50_000, 60, "Enough for 17 tests every 15 minutes"],
  [null, 500_000, 3_600, "Enough for 680 tests every hour"],
  [null, 3, 60, "Enough for 3 tests once a month"],
  // Executions without a limit.
  [50, null, 60, undefined],
  [null, null, 60, undefined],
] as const)("%s tests, %s executions a month, %s seconds: %s", (...[tests, executions, seconds, words]) => {
  expect(enoughWords(limitsOf(tests, executions, seconds))).toBe(words);
});

test("what a plan is said to be enough for never takes more executions, nor tests, nor a shorter interval", () => {
  for (const tests of [null, 1, 7, 99, 1_234, 1_000_000])
    for (const executions of [1, 4, 5, 30, 31, 999, 43_776, 1_234_567, 1_000_000_000])
      for (const seconds of [30, 45, 60, 3_600, 86_400, 90_000, 604_800]) {
        const limits = limitsOf(tests, executions, seconds);
        const enough = findEnough(limits)!;
        expect(enough.tests).toBeGreaterThan(0);
        expect(enough.tests).toBeLessThanOrEqual(tests ?? Number.POSITIVE_INFINITY);
        expect(enough.seconds).toBeGreaterThanOrEqual(seconds);
        expect(
          findShortfall({ ...limits, tests: enough.tests, shortestIntervalSeconds: enough.seconds }),
        ).toBeUndefined();
      }
});

test.each([
  [
    ...[50, 1_000, 3_600],
    "All 50 tests every hour would need 36,480 executions a month: 35,480 more than the plan gives. Enough for 32 tests once a day.",
  ],
  [
    ...[1, 1, 604_800],
    "One test once a week would need 5 executions a month: 4 more than the plan gives. Enough for 1 test once a month.",
  ],
  [50, 36_480, 3_600, undefined],
  [null, 1, 30, undefined],
  [50, null, 30, undefined],
] as const)("an operator is warned of %s tests, %s executions a month, %s seconds: %s", (...row) => {
  const [tests, executions, seconds, words] = row as readonly [
    number | null,
    number | null,
    number,
    string | undefined,
  ];
  expect(shortfallWords(limitsOf(tests, executions, seconds))).toBe(words);
});
