import { expect, test } from "vitest";
import type { UsageSubject } from "#contracts/portal-service/usage.ts";
import { findTooMuch } from "./what-fits";

const free = {
  apis: 2,
  tests: 50,
  executionsPerMonth: 1_000,
  shortestIntervalSeconds: 3_600,
  members: 1,
  retentionDays: 7,
};
const used = (counts: Partial<Record<UsageSubject, number>>) =>
  (["apis", "tests", "executionsPerMonth", "members"] as const).map((subject) => ({
    subject,
    used: counts[subject] ?? 0,
  }));

test("use that exceeds a plan is listed with both numbers, and an exact fit is not", () => {
  const found = findTooMuch(free, used({ apis: 10, tests: 50, executionsPerMonth: 2_310, members: 3 }), []);
  expect(found.map(({ label, has, allowed }) => [label, has, allowed])).toEqual([
    ["APIs", "10", "2"],
    ["Executions this month", "2,310", "1,000"],
    ["Members", "3", "1"],
  ]);
});

test("schedules that start too often are counted by their frequency", () => {
  const intervals = [
    { seconds: 60, schedules: 1 },
    { seconds: 300, schedules: 2 },
    { seconds: 3_600, schedules: 7 },
  ];
  expect(findTooMuch(free, used({}), intervals)).toMatchObject([
    { has: "1 schedule every minute, 2 schedules every 5 minutes", allowed: "every hour at most" },
  ]);
});

test("everything fits where nothing is limited", () => {
  const unlimited = { ...free, apis: null, tests: null, executionsPerMonth: null, members: null };
  expect(findTooMuch(unlimited, used({ apis: 9_999, members: 500 }), [])).toEqual([]);
});
