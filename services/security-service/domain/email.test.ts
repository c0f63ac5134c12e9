import { expect, test } from "vitest";
import { distinctAddresses, emailKey } from "./email.ts";

test("case and surrounding spaces do not make another address", () => {
  expect(emailKey(" Ada@Example.COM ")).toBe("ada@example.com");
});

test("an account without an address has the empty key", () => {
  expect(emailKey("")).toBe("");
});

test("an address written twice counts once, as it was written first", () => {
  const addresses = distinctAddresses(["Ada@x.test", "b@x.test", "ada@x.test", "B@x.test", "c@x.test"]);
  expect([...addresses.values()]).toEqual(["Ada@x.test", "b@x.test", "c@x.test"]);
});
