import { expect, test } from "vitest";
import { usageWords } from "./usage-words";

test.each([
  [720, 720, 1_000, "720 runs in the next 30 days: 720 executions a month, 72% of the 1,000 in your plan."],
  [1, 8, 20_000, "1 run in the next 30 days: 8 executions a month, less than 1% of the 20,000 in your plan."],
  [2, 1_000, 1_000, "2 runs in the next 30 days: 1,000 executions a month, 100% of the 1,000 in your plan."],
  [0, 0, 1_000, "0 runs in the next 30 days: 0 executions a month, 0% of the 1,000 in your plan."],
  [
    ...[720, 1_440, 1_000],
    "720 runs in the next 30 days: 1,440 executions a month, more than the 1,000 of your plan. Once they are used, runs are skipped.",
  ],
  [30, 240, undefined, "30 runs in the next 30 days: 240 executions a month."],
] as const)("%s runs with %s executions of %s", (...row) => {
  const [runsPerMonth, executionsPerMonth, limit, words] = row as readonly [number, number, number | undefined, string];
  expect(usageWords({ runsPerMonth, usage: { executionsPerMonth, limit } })).toBe(words);
});

test("runs of a circle that can't be inspected are counted without executions", () => {
  expect(usageWords({ runsPerMonth: 30, usage: undefined })).toBe("30 runs in the next 30 days.");
});
