import { expect, test } from "vitest";
import { notificationStates } from "#contracts/portal-service/notifications.ts";
import { mayBeSaidByUser, moveTo, type NotificationStatus, skippedFrom } from "./notification.ts";

const forGood = (state: NotificationStatus["state"]): NotificationStatus => ({ state, returnsAt: null });
const skippedForADay = skippedFrom(new Date("2026-03-01T10:00:00Z"));

function getSuccessors(state: NotificationStatus["state"]) {
  return notificationStates.filter((wanted) => wanted !== state && moveTo(forGood(state), forGood(wanted)));
}

test("a new notification may change to any other state", () => {
  expect(getSuccessors("NEW")).toEqual(["PENDING", "COMPLETED", "SKIPPED", "FAILED"]);
});

test("a pending notification ends in some way and is never new again", () => {
  expect(getSuccessors("PENDING")).toEqual(["COMPLETED", "SKIPPED", "FAILED"]);
});

test("an ended notification does not change", () => {
  expect(
    ["COMPLETED", "SKIPPED", "FAILED"].map((state) => getSuccessors(state as NotificationStatus["state"])),
  ).toEqual([[], [], []]);
});

test("repeating a state changes nothing", () => {
  for (const state of notificationStates) expect(moveTo(forGood(state), forGood(state))).toEqual(forGood(state));
});

test("a skipped notification returns after a day", () => {
  expect(skippedForADay).toEqual({ state: "SKIPPED", returnsAt: new Date("2026-03-02T10:00:00Z") });
});

test("permanent skipping outlasts skipping for a day, in either order", () => {
  expect(moveTo(forGood("SKIPPED"), skippedForADay)).toEqual(forGood("SKIPPED"));
  expect(moveTo(skippedForADay, forGood("SKIPPED"))).toEqual(forGood("SKIPPED"));
});

test("only services may set new or failed", () => {
  expect(notificationStates.filter(mayBeSaidByUser)).toEqual(["PENDING", "COMPLETED", "SKIPPED"]);
});
