import { expect, test } from "vitest";
import { distinctAddresses, emailKey } from "./email.ts";

test("addresses that differ only in case and surrounding spaces are equal", () => {
  expect(emailKey(" Ada@Example.COM ")).toBe("ada@example.com");
});

test("an account without an address has the empty key", () => {
  expect(emailKey("")).toBe("");
});

test("an address given twice is listed once, in its first spelling", () => {
  const addresses = distinctAddresses(["Ada@x.test", "b@x.test", "ada@x.test", "B@x.test", "c@x.test"]);
  expect([...addresses.values()]).toEqual(["Ada@x.test", "b@x.test", "c@x.test"]);
});
