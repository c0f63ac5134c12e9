import { expect, test } from "vitest";
import { getMethodEffect, isSafe } from "./safe-methods.ts";

test("methods that change nothing are safe, in upper and lower case", () => {
  expect(["get", "HEAD", "Options", "trace"].every(isSafe)).toBe(true);
  expect(["post", "PUT", "patch", "DELETE", "purge"].some(isSafe)).toBe(false);
});

test("DELETE deletes, and every other unsafe method changes data", () => {
  expect(["get", "post", "Delete", "purge"].map(getMethodEffect)).toEqual(["safe", "changes", "deletes", "changes"]);
});
