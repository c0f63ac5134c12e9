import { expect, test } from "vitest";
import { emailKey } from "./email.ts";

test("case and surrounding spaces do not make another address", () => {
  expect(emailKey(" Ada@Example.COM ")).toBe("ada@example.com");
});

test("an account without an address has the empty key", () => {
  expect(emailKey("")).toBe("");
});
