import { expect, test } from "vitest";
import { scopes } from "#contracts/kit/endpoint.ts";
import { scopesOf } from "./roles.ts";

test("a viewer can only read", () => {
  expect(scopesOf(["VIEWER"])).toEqual(["apis:read", "tests:read"]);
});

test("an editor writes and runs but manages nothing", () => {
  expect(scopesOf(["EDITOR"])).toEqual(["apis:read", "apis:write", "tests:read", "tests:run", "tests:write"]);
});

test("an administrator manages the organization but not the installation", () => {
  expect(scopesOf(["ADMIN"])).not.toContain("system:manage");
  expect(scopesOf(["ADMIN"])).toHaveLength(scopes.length - 1);
});

test("the two roles of the first administrator give every scope once", () => {
  expect(scopesOf(["SYSTEM_ADMIN", "ADMIN"])).toEqual([...scopes].sort());
});

test("unknown roles and names of inherited object properties give nothing", () => {
  expect(scopesOf(["OWNER", "constructor", "__proto__", "toString"])).toEqual([]);
});
