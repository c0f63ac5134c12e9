import { expect, test } from "vitest";
import { listChanges } from "./changes.ts";

const outcome = (responseMilliseconds: number | null, changes: object = {}) => ({
  ...{ verdict: "passed" as const, statusCode: 200, responseMilliseconds },
  ...changes,
});

test("a time has changed when it is at least twice or half as long, and noticeably so", () => {
  const isSaid = (before: number | null, after: number | null) =>
    listChanges(outcome(before), outcome(after), null).includes("time");
  expect(isSaid(100, 200)).toBe(true);
  expect(isSaid(400, 200)).toBe(true);
  expect(isSaid(1_000, 1_900)).toBe(false);
  expect(isSaid(10, 90)).toBe(false);
  expect(isSaid(null, 500)).toBe(false);
});

test("changes of verdict, status and body are reported; a body that differs only where it always does is not", () => {
  const body = { differences: [], differenceCount: 0, masked: ["/at"], hidden: [] };
  expect(listChanges(outcome(1), outcome(1), body)).toEqual([]);
  const failed = outcome(1, { verdict: "failed" as const, statusCode: 500 });
  expect(listChanges(outcome(1), failed, { ...body, differenceCount: 2 })).toEqual(["verdict", "statusCode", "body"]);
});
