import { expect, test } from "vitest";
import { testInput } from "#contracts/test-registry/tests.ts";
import { describeDifferences } from "./describe-differences.ts";

const one = testInput.parse({ name: "One", method: "get", path: "/pets", request: {}, checks: ["not_a_server_error"] });
const status = (target: number) => ({ source: "statusCode" as const, comparison: "equals" as const, target });

test("a proposal that says the same differs in nothing", () => {
  expect(describeDifferences(one, testInput.parse({ ...one }))).toEqual([]);
});

test("a changed part has the lines that go and those that come", () => {
  const before = { ...one, assertions: [status(200), status(201)] };
  const query = [{ name: "limit", value: "5", enabled: true }];
  const after = { ...before, assertions: [status(200), status(204)], request: { ...one.request, query } };
  expect(describeDifferences(before, after)).toEqual([
    { part: "Query", removed: [], added: ["limit: 5"] },
    { part: "Assertions", removed: ["Status code equals 201"], added: ["Status code equals 204"] },
  ]);
});

test("another order of the same lines is a difference", () => {
  const before = { ...one, assertions: [status(200), status(201)] };
  const after = { ...one, assertions: [status(201), status(200)] };
  expect(describeDifferences(before, after)).toMatchObject([{ part: "Assertions", added: { length: 2 } }]);
});

test("of a new test all is added", () => {
  const parts = describeDifferences(null, one);
  expect(parts.map(({ removed }) => removed)).toEqual(parts.map(() => []));
  expect(parts).toContainEqual({ part: "Operation", removed: [], added: ["GET /pets"] });
  expect(parts).toContainEqual({ part: "Checks", removed: [], added: ["No server error"] });
});
