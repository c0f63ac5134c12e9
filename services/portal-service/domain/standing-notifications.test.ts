import { expect, test } from "vitest";
import { type Newcomer, standingNotifications } from "./standing-notifications.ts";

function waitingFor(newcomer: Partial<Newcomer> = {}) {
  return standingNotifications({ managesBilling: true, registersApis: true, plan: undefined, ...newcomer }).map(
    ({ summary, action }) => [summary, action],
  );
}

const welcome = ["Welcome to API Assurance", null];

test("who manages billing of an organization without plan is asked to choose one", () => {
  expect(waitingFor()).toEqual([["Choose a plan", "SELECT_SERVICE"], welcome]);
});

test("a paid plan that was chosen is to be subscribed to", () => {
  expect(waitingFor({ plan: { name: "Team", free: false } })).toEqual([
    ["Subscribe to Team", "SUBSCRIBE_TO_SERVICE"],
    welcome,
  ]);
});

test("a plan without payment asks for nothing", () => {
  expect(waitingFor({ plan: { name: "Free", free: true } })).toEqual([welcome]);
});

test("who does not manage billing is not asked about plans", () => {
  expect(waitingFor({ managesBilling: false })).toEqual([welcome]);
});

test("who can't register APIs is not asked to", () => {
  const [tour] = standingNotifications({ managesBilling: false, registersApis: false, plan: undefined });
  expect(tour?.description).not.toMatch(/register/i);
});
