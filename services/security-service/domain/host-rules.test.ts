import { expect, test } from "vitest";
import { isTraced, mergeRules } from "./host-rules.ts";

const wildcard = { name: "*.shop.test", state: "verified" as const, unsafe_methods: "refused" as const };
const host = { name: "api.shop.test", state: "unverified" as const, unsafe_methods: "confirmed" as const };

test("a host that no domain covers is unverified and unrestricted", () => {
  expect(mergeRules([])).toEqual({ isVerified: false, unsafeMethods: "allowed", ruledBy: null });
});

test("any covering domain verifies a host, and the strictest rule applies", () => {
  for (const covering of [
    [host, wildcard],
    [wildcard, host],
  ]) {
    expect(mergeRules(covering)).toEqual({ isVerified: true, unsafeMethods: "refused", ruledBy: "*.shop.test" });
  }
  expect(mergeRules([host])).toEqual({ isVerified: false, unsafeMethods: "confirmed", ruledBy: "api.shop.test" });
});

test("by default verified hosts alone get a trace context, then those that the organization chooses", () => {
  const spellings = ["api.shop.test:8443", "api.shop.test", "*.shop.test:8443", "*.shop.test"];
  const [verified, unverified] = [{ isVerified: true }, { isVerified: false }];
  expect([isTraced(spellings, verified, undefined), isTraced(spellings, unverified, undefined)]).toEqual([true, false]);
  const none = { verified_domains: false, hosts: [] };
  expect(isTraced(spellings, verified, none)).toBe(false);
  expect(isTraced(spellings, unverified, { ...none, hosts: ["*.shop.test"] })).toBe(true);
  expect(isTraced(spellings, unverified, { ...none, hosts: ["shop.test"] })).toBe(false);
});
