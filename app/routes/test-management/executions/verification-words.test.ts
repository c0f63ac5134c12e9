import { expect, test } from "vitest";
import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import { outcomeCounts, shortJson, verificationTitle, worstFirst } from "./verification-words";

function verification(changes: Partial<Verification>): Verification {
  return {
    kind: "assertion",
    source: "statusCode",
    comparison: "equals",
    outcome: "passed",
    passed: true,
    message: "",
    ...changes,
  };
}

test("an assertion reads like a sentence", () => {
  expect(verificationTitle(verification({ target: 200 }))).toBe("Status code equals 200");
  expect(
    verificationTitle(verification({ source: "jsonPath", property: "$.price", comparison: "greaterThan", target: 0 })),
  ).toBe("JSONPath $.price is greater than 0");
});

test("several values are listed as in prose", () => {
  expect(verificationTitle(verification({ comparison: "oneOf", target: [200, 201] }))).toBe(
    "Status code is one of 200, 201",
  );
  expect(verificationTitle(verification({ comparison: "between", target: [200, 299] }))).toBe(
    "Status code is between 200 and 299",
  );
});

test("text and numbers look different", () => {
  expect(verificationTitle(verification({ target: "200" }))).toBe('Status code equals "200"');
});

test("a comparison without a target ends with its own words", () => {
  const exists = verification({ source: "header", property: "etag", comparison: "exists" });
  expect(verificationTitle(exists)).toBe("Header etag exists");
});

test("a schema is not written into the title", () => {
  expect(verificationTitle(verification({ source: "schema", comparison: "matchesSchema", target: {} }))).toBe(
    "Body against schema",
  );
});

test("a check is named in words", () => {
  expect(verificationTitle(verification({ kind: "check", source: "not_a_server_error" }))).toBe("No server error");
});

test("failed verifications come first and counts come in the same order", () => {
  const items = [
    verification({ outcome: "passed" }),
    verification({ outcome: "failed", passed: false, target: 1 }),
    verification({ outcome: "skipped" }),
    verification({ outcome: "passed" }),
  ];
  expect(worstFirst(items).map(({ outcome }) => outcome)).toEqual(["failed", "skipped", "passed", "passed"]);
  expect(outcomeCounts(items)).toBe("1 failed, 1 not applicable, 2 passed");
});

test("long JSON is cut, and an absent value is called nothing", () => {
  expect(shortJson("x".repeat(200), 10)).toBe(`"${"x".repeat(8)}…`);
  expect(shortJson(undefined)).toBe("nothing");
});
