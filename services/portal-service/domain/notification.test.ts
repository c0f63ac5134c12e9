import { expect, test } from "vitest";
import { notificationStates } from "#contracts/portal-service/notifications.ts";
import { mayBeSaidByUser, moveTo, type Standing, skippedFrom } from "./notification.ts";

const forGood = (state: Standing["state"]): Standing => ({ state, returnsAt: null });
const skippedForADay = skippedFrom(new Date("2026-03-01T10:00:00Z"));

function successorsOf(state: Standing["state"]) {
  return notificationStates.filter((wanted) => wanted !== state && moveTo(forGood(state), forGood(wanted)));
}

test("a new one may become anything else", () => {
  expect(successorsOf("NEW")).toEqual(["PENDING", "COMPLETED", "SKIPPED", "FAILED"]);
});

test("a pending one ends somehow and is never new again", () => {
  expect(successorsOf("PENDING")).toEqual(["COMPLETED", "SKIPPED", "FAILED"]);
});

test("what has ended stays as it is", () => {
  expect(["COMPLETED", "SKIPPED", "FAILED"].map((state) => successorsOf(state as Standing["state"]))).toEqual([
    [],
    [],
    [],
  ]);
});

test("saying a state again changes nothing", () => {
  for (const state of notificationStates) expect(moveTo(forGood(state), forGood(state))).toEqual(forGood(state));
});

test("a skipped one returns after a day", () => {
  expect(skippedForADay).toEqual({ state: "SKIPPED", returnsAt: new Date("2026-03-02T10:00:00Z") });
});

test("skipping for good outlasts skipping for a day, whichever came first", () => {
  expect(moveTo(forGood("SKIPPED"), skippedForADay)).toEqual(forGood("SKIPPED"));
  expect(moveTo(skippedForADay, forGood("SKIPPED"))).toEqual(forGood("SKIPPED"));
});

test("only services say that something is new or has failed", () => {
  expect(notificationStates.filter(mayBeSaidByUser)).toEqual(["PENDING", "COMPLETED", "SKIPPED"]);
});
