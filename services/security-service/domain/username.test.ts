import { expect, test } from "vitest";
import { usernameKey } from "./username.ts";

test("case, width, composition and surrounding spaces do not make another account", () => {
  expect(usernameKey(" ADMIN ")).toBe("admin");
  expect(usernameKey("ａｄｍｉｎ")).toBe("admin");
  expect(usernameKey("Zoe\u0308")).toBe(usernameKey("zoë"));
});

test("an empty, endless or unprintable name belongs to nobody", () => {
  expect(usernameKey("  ")).toBeUndefined();
  expect(usernameKey("a".repeat(321))).toBeUndefined();
  expect(usernameKey("ad\u0000min")).toBeUndefined();
});
