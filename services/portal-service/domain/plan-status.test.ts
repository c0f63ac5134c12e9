import { expect, test } from "vitest";
import { exceededBy, findNearLimits, isNear, planIdAt } from "./plan-status.ts";

const limits = {
  apis: 10,
  tests: 50,
  executionsPerMonth: 1_000,
  shortestIntervalSeconds: 3_600,
  members: 1,
  retentionDays: 7,
};
const used = { apis: 0, tests: 0, members: 1, executionsPerMonth: 0 };
const now = new Date("2026-04-15T10:00:00Z");
const later = new Date("2026-04-20T10:00:00Z");

const team = { serviceId: "team", state: "ACTIVE" as const, paidUntil: later, stateChangedAt: now };

test("an organization without a subscription is on the free plan, and the operator's on none", () => {
  const none = { subscriptions: [], freeId: "free" };
  expect(planIdAt({ ...none, operates: false }, now)).toEqual({ planId: "free", until: null });
  expect(planIdAt({ ...none, operates: true }, now)).toEqual({ planId: null, until: null });
});

test("the paid plan counts, for the operator too; after a cancellation until the paid period ends, then the free one", () => {
  const own = { subscriptions: [team], freeId: "free", operates: true };
  expect(planIdAt(own, now)).toEqual({ planId: "team", until: null });
  const cancelled = { subscriptions: [{ ...team, state: "CANCELLED" as const }], freeId: "free", operates: false };
  expect(planIdAt(cancelled, now)).toEqual({ planId: "team", until: later });
  expect(planIdAt(cancelled, later)).toEqual({ planId: "free", until: null });
});

test("usage above the plan's limits is reported as beyond, except past executions", () => {
  expect(exceededBy(limits, { ...used, apis: 10, executionsPerMonth: 5_000 })).toEqual([]);
  expect(exceededBy(limits, { ...used, apis: 12, members: 3 })).toEqual([
    { subject: "apis", used: 12, limit: 10 },
    { subject: "members", used: 3, limit: 1 },
  ]);
  expect(exceededBy(undefined, { ...used, apis: 12 })).toEqual([]);
});

test("a limit is near from 80 percent on, and a limit of one never is", () => {
  expect([7, 8, 9, 10, 11].filter((apis) => isNear(apis, 10))).toEqual([8, 9, 10, 11]);
  const near = findNearLimits(
    limits,
    { ...used, apis: 8, executionsPerMonth: 800 },
    { month: "2026-04", planId: "free" },
  );
  expect(near.map(({ subject, period }) => [subject, period])).toEqual([
    ["apis", "free"],
    ["executionsPerMonth", "2026-04"],
  ]);
});
