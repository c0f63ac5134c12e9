import { expect, test } from "vitest";
import { effectOf, isSafe } from "./safe-methods.ts";

test("methods that change nothing are safe, however they are written", () => {
  expect(["get", "HEAD", "Options", "trace"].every(isSafe)).toBe(true);
  expect(["post", "PUT", "patch", "DELETE", "purge"].some(isSafe)).toBe(false);
});

test("what is not safe deletes by DELETE and else changes data", () => {
  expect(["get", "post", "Delete", "purge"].map(effectOf)).toEqual(["safe", "changes", "deletes", "changes"]);
});
