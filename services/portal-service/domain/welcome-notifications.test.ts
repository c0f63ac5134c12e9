import { expect, test } from "vitest";
import { getWelcomeNotifications, limitNear, type Newcomer, runsSkipped } from "./welcome-notifications.ts";

function waitingFor(newcomer: Partial<Newcomer> = {}) {
  return getWelcomeNotifications({
    managesBilling: true,
    registersApis: true,
    hasApi: false,
    pickedPlan: undefined,
    ...newcomer,
  }).map(({ summary, action }) => [summary, action]);
}

const welcome = ["Welcome to API Assurance", null];

test("no plan is requested at the first sign-in: an organization without one is on the free plan", () => {
  expect(waitingFor()).toEqual([welcome]);
});

test("billing managers are asked to subscribe to the paid plan that was picked", () => {
  expect(waitingFor({ pickedPlan: "Team" })).toEqual([["Subscribe to Team", "SUBSCRIBE_TO_SERVICE"], welcome]);
  expect(waitingFor({ pickedPlan: "Team", managesBilling: false })).toEqual([welcome]);
});

test("a user who can't register APIs, or has one, is not asked to", () => {
  const newcomer = { managesBilling: false, registersApis: false, hasApi: false, pickedPlan: undefined };
  for (const changes of [{}, { registersApis: true, hasApi: true }]) {
    const [tour] = getWelcomeNotifications({ ...newcomer, ...changes });
    expect(tour?.description).not.toMatch(/register/i);
  }
});

test("a near limit links to the plans, and is a new notification in each period", () => {
  const near = { subject: "executionsPerMonth", used: 812, limit: 1_000 } as const;
  const april = limitNear({ ...near, period: "2026-04" }, "Free");
  expect(april).toMatchObject({ action: "SELECT_SERVICE", summary: "812 of 1,000 executions a month are used" });
  expect(april.description).toContain("The Free plan allows 1,000 executions a month.");
  expect(limitNear({ ...near, period: "2026-05" }, "Free").about).not.toBe(april.about);
  expect(runsSkipped("2026-04")).toMatchObject({ action: "SELECT_SERVICE", about: "2026-04" });
});
