import { expect, test } from "vitest";
import { scopes } from "#contracts/kit/endpoint.ts";
import { getScopes } from "./roles.ts";

test("a viewer can only read", () => {
  expect(getScopes(["VIEWER"])).toEqual(["apis:read", "tests:read"]);
});

test("an editor writes and runs but manages nothing", () => {
  expect(getScopes(["EDITOR"])).toEqual([
    "apis:read",
    "apis:write",
    "tests:propose",
    "tests:read",
    "tests:run",
    "tests:write",
  ]);
});

test("an administrator manages the organization but not the installation", () => {
  expect(getScopes(["ADMIN"])).not.toContain("system:manage");
  expect(getScopes(["ADMIN"])).toHaveLength(scopes.length - 1);
});

test("the two roles of the first administrator give every scope once", () => {
  expect(getScopes(["SYSTEM_ADMIN", "ADMIN"])).toEqual([...scopes].sort());
});

test("unknown roles and names of inherited object properties give nothing", () => {
  expect(getScopes(["OWNER", "constructor", "__proto__", "toString"])).toEqual([]);
});
