import { expect, test } from "vitest";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { itemWith } from "../testing/items.ts";
import { judge } from "../testing/judge.ts";

test.each<[Assertion, Parameters<typeof itemWith>[0], string]>([
  [
    { source: "statusCode", comparison: "equals", target: 200 },
    { response: { status: 404 } },
    "Expected status code 200, got 404.",
  ],
  [
    { source: "responseTime", comparison: "lessThan", target: 100 },
    {},
    "Expected response time below 100 ms, got 120 ms.",
  ],
  [
    { source: "header", property: "etag", comparison: "exists" },
    {},
    "Header etag: expected something, but it did not come.",
  ],
  [
    { source: "jsonPath", property: "$.items[0].price", comparison: "greaterThan", target: 0 },
    { response: { json: { items: [{ price: "12" }] } } },
    '$.items[0].price: expected a number greater than 0, found "12" (a string).',
  ],
  [
    { source: "jsonPath", property: "$['items'][-1].price", comparison: "equals", target: "12" },
    { response: { json: { items: [{ price: 12 }] } } },
    '$.items[0].price: expected "12", found 12 (a number).',
  ],
  [
    { source: "jsonPath", property: "$.a.b", comparison: "equals", target: 1 },
    {},
    "$.a.b: expected 1, but there is no such place in the body.",
  ],
  [
    { source: "jsonPath", property: "$.tags", comparison: "lengthEquals", target: 3 },
    { response: { json: { tags: ["a"] } } },
    "$.tags: expected a length of 3, found a length of 1.",
  ],
  [
    { source: "jsonPath", property: "$.id", comparison: "hasType", target: "integer" },
    { response: { json: { id: null } } },
    "$.id: expected a whole number, found null.",
  ],
  [
    { source: "jsonPath", property: "$.a", comparison: "equals", target: 1 },
    { response: { body: "" } },
    "$.a: expected 1, but the body is empty.",
  ],
  [
    { source: "jsonPath", property: "$.a", comparison: "equals", target: 1 },
    { response: { body: "<p>Not found</p>" } },
    "$.a: expected 1, but the body is not JSON: Unexpected token '<', \"<p>Not found</p>\" is not valid JSON.",
  ],
  [
    { source: "jsonPath", property: "$.a", comparison: "hasType", target: { toString: {} } },
    {},
    '$.a: expected {"toString":{}}, but there is no such place in the body.',
  ],
  [
    { source: "certificate", comparison: "greaterThan", target: 14 },
    {},
    "Expected certificate's days left above 14 days, but the response was received without TLS.",
  ],
])("%j is described by its expected and actual values", (assertion, changes, message) => {
  expect(judge(assertion, changes).message).toBe(message);
});
