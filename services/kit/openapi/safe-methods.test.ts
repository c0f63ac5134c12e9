import { expect, test } from "vitest";
import { isSafe } from "./safe-methods.ts";

test("methods that change nothing are safe, however they are written", () => {
  expect(["get", "HEAD", "Options", "trace"].every(isSafe)).toBe(true);
  expect(["post", "PUT", "patch", "DELETE", "purge"].some(isSafe)).toBe(false);
});
