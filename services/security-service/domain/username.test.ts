import { expect, test } from "vitest";
import { usernameKey } from "./username.ts";

test("usernames that differ in case, width, composition and surrounding spaces are one account", () => {
  expect(usernameKey(" ADMIN ")).toBe("admin");
  expect(usernameKey("ａｄｍｉｎ")).toBe("admin");
  expect(usernameKey("Zoe\u0308")).toBe(usernameKey("zoë"));
});

test("an empty, overlong or unprintable name belongs to no account", () => {
  expect(usernameKey("  ")).toBeUndefined();
  expect(usernameKey("a".repeat(321))).toBeUndefined();
  expect(usernameKey("ad\u0000min")).toBeUndefined();
});
