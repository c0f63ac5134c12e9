import { expect, test } from "vitest";
import { freeLimits } from "../../kit/testing/plans.ts";
import { explainHeldBack } from "./held-back.ts";

const every = (everySeconds: number) => ({ everySeconds, timeZone: "Europe/Berlin", spreadSeconds: 0 });
const free = { version: 1, plan: { name: "Free", limits: freeLimits }, exceeded: [] };

test("nothing is held back without limits, or within the plan's limits", () => {
  expect(explainHeldBack(undefined, every(30))).toBeUndefined();
  expect(explainHeldBack({ ...free, plan: null }, every(30))).toBeUndefined();
  expect(explainHeldBack(free, every(3_600))).toBeUndefined();
});

test("a schedule more frequent than the plan allows is held back, with the allowed interval as the reason", () => {
  expect(explainHeldBack(free, every(300))).toBe(
    "The Free plan starts a schedule every hour at most, and this one would start every 5 minutes.",
  );
});

test("while a quota is exceeded every schedule is held back, with the quota as the reason", () => {
  const exceeded = [
    { subject: "apis" as const, used: 3, limit: 2 },
    { subject: "tests" as const, used: 1_200, limit: 50 },
  ];
  expect(explainHeldBack({ ...free, exceeded }, every(86_400))).toBe(
    "There is more than the Free plan allows: 3 APIs of 2, 1,200 tests of 50.",
  );
});
