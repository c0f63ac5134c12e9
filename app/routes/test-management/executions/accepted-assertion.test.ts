import { expect, test } from "vitest";
import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import { acceptedAssertion, isSameAssertion } from "./accepted-assertion";

function judged(changes: Partial<Verification>): Verification {
  return {
    ...{ kind: "assertion", source: "statusCode", comparison: "equals", target: 200, actual: 500 },
    ...{ outcome: "failed", passed: false, message: "" },
    ...changes,
  };
}

test("the actual value becomes the expected one, by value and type", () => {
  expect(acceptedAssertion(judged({}))).toEqual({ source: "statusCode", comparison: "equals", target: 500 });
  const price = judged({ source: "jsonPath", property: "$.price", comparison: "greaterThan", target: 0, actual: "0" });
  expect(acceptedAssertion(price)).toEqual({
    ...{ source: "jsonPath", property: "$.price", comparison: "equals", target: "0" },
  });
});

test("an absent value is expected to be absent", () => {
  const etag = judged({
    source: "header",
    property: "etag",
    comparison: "exists",
    target: undefined,
    actual: undefined,
  });
  expect(acceptedAssertion(etag)).toEqual({ source: "header", property: "etag", comparison: "notExists" });
});

test.each<[string, Partial<Verification>]>([
  ["passed", { outcome: "passed", passed: true }],
  ["is the document's promise", { kind: "check", source: "response_schema_conformance" }],
  ["is a date", { source: "header", property: "date", comparison: "after", target: "now", actual: "2026-11-27" }],
  ["is a time", { source: "responseTime", comparison: "lessThan" }],
  ["is a schema", { source: "body", comparison: "matchesSchema", actual: {} }],
  ["holds a secret", { source: "header", property: "x", actual: "Bearer [secret]" }],
  ["is shortened", { source: "body", actual: "abc…" }],
  ["is long", { source: "body", actual: "x".repeat(1_001) }],
  ["looks like a variable", { source: "body", actual: "{{name}}" }],
])("what %s is not accepted", (_, changes) => {
  expect(acceptedAssertion(judged(changes))).toBeUndefined();
});

test("an assertion that changed since, or that a variable filled in, is not the evaluated one", () => {
  const assertion = { source: "statusCode" as const, comparison: "equals" as const, target: 200 };
  expect(isSameAssertion(assertion, judged({}))).toBe(true);
  expect(isSameAssertion({ ...assertion, target: "{{status}}" }, judged({}))).toBe(false);
  expect(isSameAssertion({ ...assertion, target: 204 }, judged({}))).toBe(false);
  expect(isSameAssertion({ ...assertion, comparison: "notEquals" }, judged({}))).toBe(false);
});
