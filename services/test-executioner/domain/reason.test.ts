import { expect, test } from "vitest";
import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import { getReason } from "./reason.ts";

const failed = (message: string, errors: string[] = []): Verification => ({
  ...{ kind: "check", source: "response_schema_conformance", outcome: "failed", passed: false, message },
  ...(errors.length > 0
    ? { schemaErrors: errors.map((error) => ({ pointer: "", schemaPointer: "#", message: error })) }
    : {}),
});
const status = failed("Expected status 200, got 500.");
const amount = '$.amount: expected a number, found "12.50" (a string).';
const schema = failed(`The body is not as its schema describes. ${amount}`, [amount, "$.id: expected a UUID."]);

test("the first failed verification is named with its location, and how many more failed", () => {
  expect(getReason("failed", undefined, [status])).toBe("Expected status 200, got 500.");
  expect(getReason("failed", undefined, [schema, status])).toBe(
    '$.amount: expected a number, found "12.50" (a string), +2 more.',
  );
});

test("a problem that an assertion and a check both find is counted once", () => {
  expect(getReason("failed", undefined, [schema, schema])).toMatch(/, \+1 more\.$/);
});

test("the cause that prevented judging is the reason; a pass has none", () => {
  const cause = { code: "timeout", detail: "No response within 30 s." };
  expect(getReason("errored", cause, [status])).toBe("No response within 30 s.");
  expect(getReason("flaky", undefined, [])).toBeNull();
});

test("a long reason is truncated before the count, and contains no character that a column can't", () => {
  const long = getReason("failed", undefined, [failed(`a\0${"x".repeat(600)}.`), status]);
  expect(long).toHaveLength(500);
  expect(long).toMatch(/^ax+…, \+1 more\.$/);
});
