import { expect, test } from "vitest";
import { findRefusal, isConfirmed, isRuledOut } from "./host-rules.ts";

const rules = {
  isVerified: false,
  unsafeMethods: "allowed" as const,
  ruledBy: "*.shop.test",
  authorizationConfigs: [],
};
const context = { verifiedDomainsOnly: false, isConfirmed: false };
const request = { method: "post", host: "api.shop.test" };
const codeOf = (...given: Parameters<typeof findRefusal>) => findRefusal(...given)?.code;

test("without a rule every request may be sent", () => {
  expect(findRefusal(request, rules, context)).toBeUndefined();
});

test("if only verified domains may be tested, nothing is sent to others, whatever its method", () => {
  for (const method of ["get", "delete"]) {
    expect(codeOf({ ...request, method }, rules, { ...context, verifiedDomainsOnly: true })).toBe("domain_unverified");
  }
  expect(
    findRefusal(request, { ...rules, isVerified: true }, { ...context, verifiedDomainsOnly: true }),
  ).toBeUndefined();
});

test("a domain that refuses unsafe methods accepts safe ones, and the cause says whose rule it is", () => {
  const refusing = { ...rules, unsafeMethods: "refused" as const };
  for (const method of ["get", "HEAD", "options"]) {
    expect(findRefusal({ ...request, method }, refusing, context)).toBeUndefined();
  }
  for (const isConfirmed of [false, true]) {
    expect(codeOf(request, refusing, { ...context, isConfirmed })).toBe("unsafe_method_refused");
  }
  expect(findRefusal(request, refusing, context)?.detail).toContain("the domain *.shop.test takes no POST requests");
});

test("a domain that requires confirmation of unsafe methods accepts them in manually started runs", () => {
  const asking = { ...rules, unsafeMethods: "confirmed" as const };
  expect(codeOf(request, asking, context)).toBe("unsafe_method_unconfirmed");
  expect(findRefusal(request, asking, { ...context, isConfirmed: true })).toBeUndefined();
  expect((["manual", "rerun"] as const).map(isConfirmed)).toEqual([true, true]);
  expect((["schedule", "ci", "api"] as const).map(isConfirmed)).toEqual([false, false, false]);
});

test("causes of rules are distinguished from others", () => {
  expect(isRuledOut(findRefusal(request, { ...rules, unsafeMethods: "refused" }, context)!)).toBe(true);
  expect(isRuledOut({ code: "no_base_url", detail: "" })).toBe(false);
});
