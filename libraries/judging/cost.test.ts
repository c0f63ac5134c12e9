import { expect, test } from "vitest";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import { isCostly } from "./cost.ts";
import { itemWith, operationAnswering } from "./testing/items.ts";

const small = { json: { items: [{ id: 7, name: "Rex" }] } };
const large = { body: JSON.stringify("x".repeat(1_048_000)) };

const ofItem = (assertion: Assertion, response: Parameters<typeof itemWith>[0] = { response: small }, count = 1) =>
  isCostly(itemWith({ ...response, assertions: Array.from({ length: count }, () => assertion) }), undefined);

test.each<[string, Assertion]>([
  ["a status", { source: "statusCode", comparison: "equals", target: 200 }],
  ["a header", { source: "header", property: "content-type", comparison: "contains", target: "json" }],
  ["a location", { source: "jsonPath", property: "$.items[0].id", comparison: "equals", target: 7 }],
  ["every item", { source: "jsonPath", property: "$.items[*].id", comparison: "contains", target: 7 }],
  ["a filter", { source: "jsonPath", property: "$.items[?@.id == 7].name", comparison: "equals", target: "Rex" }],
  ["a short pattern", { source: "jsonPath", property: "$.items[0].name", comparison: "matches", target: "^R[a-z]+$" }],
  ["a text in the body", { source: "body", comparison: "contains", target: "Rex" }],
])("%s of a small body is judged immediately", (_, assertion) => {
  expect(ofItem(assertion)).toBe(false);
});

test.each<[string, Assertion]>([
  ["descendants", { source: "jsonPath", property: "$..id", comparison: "exists" }],
  ["a function", { source: "jsonPath", property: "$.items[?match(@.name, 'R.*')]", comparison: "exists" }],
  [
    "the document in a filter",
    { source: "jsonPath", property: "$.items[?@.id == $.items[0].id]", comparison: "exists" },
  ],
  ["a filter in a filter", { source: "jsonPath", property: "$.items[?@[?@ == 7]]", comparison: "exists" }],
  ["many selectors", { source: "jsonPath", property: "$[*,*][*,*][*,*]", comparison: "exists" }],
  ["repetitions", { source: "body", comparison: "matches", target: "(a{100}){10}" }],
  ["a long pattern", { source: "body", comparison: "matches", target: "a?".repeat(60) }],
  ["a schema", { source: "schema", comparison: "matchesSchema", target: {} }],
])("H11: %s is judged in the thread, even for a small body", (_, assertion) => {
  expect(ofItem(assertion)).toBe(true);
});

test.each<[string, Assertion]>([
  ["a location", { source: "jsonPath", property: "$.items[0].id", comparison: "equals", target: 7 }],
  ["a text", { source: "body", comparison: "contains", target: "Rex" }],
  ["a pattern", { source: "body", comparison: "matches", target: "a*b" }],
])("H11: %s of a large body is judged in the thread", (_, assertion) => {
  expect(ofItem(assertion, { response: large })).toBe(true);
});

test("a large body that no item reads does not need the thread", () => {
  expect(ofItem({ source: "statusCode", comparison: "equals", target: 200 }, { response: large }, 200)).toBe(false);
  expect(ofItem({ source: "body", comparison: "exists" }, { response: large })).toBe(false);
});

test("an evaluation that is cheap once is judged in the thread when repeated too often, and sooner with secrets", () => {
  const assertion: Assertion = { source: "body", comparison: "contains", target: "x" };
  const response = { body: "y".repeat(4_000) };
  expect(ofItem(assertion, { response }, 20)).toBe(false);
  expect(ofItem(assertion, { response }, 100)).toBe(true);
  const item = { ...itemWith({ response, assertions: Array.from({ length: 20 }, () => assertion) }) };
  expect(isCostly({ ...item, secrets: [{ secret: "correct horse" }] }, undefined)).toBe(true);
});

test("a pattern that captures from a large body is judged in the thread", () => {
  const captures = [{ name: "token", source: "body" as const, property: "token=(\\w+)" }];
  expect(isCostly(itemWith({ response: small, captures }), undefined)).toBe(false);
  expect(isCostly(itemWith({ response: large, captures }), undefined)).toBe(true);
});

test("targets count: comparing with a large target takes as long as reading a large body", () => {
  const target = Array.from({ length: 40_000 }, (_, index) => `target ${index}`);
  expect(ofItem({ source: "header", property: "content-type", comparison: "oneOf", target })).toBe(true);
});

test("an operation's schemas are judged in the thread, its status is not", () => {
  const operation = operationAnswering({ type: "object" });
  const asking = (name: "response_schema_conformance" | "status_code_conformance") =>
    isCostly(itemWith({ response: small, checks: [name] }), operation);
  expect(asking("response_schema_conformance")).toBe(true);
  expect(asking("status_code_conformance")).toBe(false);
});
