import { array, assert, constantFrom, jsonValue, oneof, property, record, string } from "fast-check";
import { expect, test } from "vitest";
import { type Assertion, assertionSources, checkNames, comparisons } from "#contracts/test-registry/assertions.ts";
import { repetitions } from "../../tests/support/endurance.ts";
import { createMarkupReader } from "../xpath/document.ts";
import { judgeResponse } from "./judge-response.ts";
import { createAjvValidator } from "./schema/ajv-validator.ts";
import { itemWith, operationAnswering } from "./testing/items.ts";

const validator = createAjvValidator();
const markup = createMarkupReader();
const paths = ["$", "$.a", "$[0]", "$..*", "$[?@ > 1]", "$.a[?length(@) == 1]", "$['__proto__']"];

const assertion = record({
  source: constantFrom(...assertionSources),
  property: oneof(constantFrom(...paths), string()),
  comparison: constantFrom(...comparisons),
  target: jsonValue(),
});

function outcomesOf(body: string, assertions: Assertion[]) {
  const item = itemWith({ response: { body }, assertions, checks: [...checkNames] });
  return judgeResponse(item, operationAnswering({ type: "object" }), { schemas: validator, markup }).verifications;
}

test("for any response and any verifications, every evaluation ends with an outcome and a sentence", () => {
  assert(
    property(
      oneof(
        string(),
        jsonValue().map((value) => JSON.stringify(value)),
      ),
      array(assertion, { maxLength: 5 }),
      (body, assertions) => {
        for (const { outcome, passed, message } of outcomesOf(body, assertions)) {
          expect(["passed", "failed", "errored", "skipped"]).toContain(outcome);
          expect(passed).toBe(outcome === "passed");
          expect(message).toMatch(/\S/);
        }
      },
    ),
    { numRuns: repetitions(100, 3_000) },
  );
});

const opposites = [
  ["equals", "notEquals"],
  ["oneOf", "noneOf"],
  ["exists", "notExists"],
] as const;

test("of a comparison and its opposite exactly one passes", () => {
  assert(
    property(
      jsonValue(),
      jsonValue(),
      constantFrom(...paths.slice(0, 4)),
      constantFrom(...opposites),
      (value, wanted, path, pair) => {
        const target = pair[0] === "oneOf" ? [wanted] : wanted;
        const both = pair.map((comparison) => ({ source: "jsonPath" as const, property: path, comparison, target }));
        const [one, other] = outcomesOf(JSON.stringify(value), both);
        if (one?.outcome !== "errored") expect(one?.passed).toBe(!other?.passed);
      },
    ),
    { numRuns: repetitions(100, 3_000) },
  );
});

test("a value equals itself and is of exactly one type", () => {
  const types = ["null", "boolean", "number", "string", "array", "object"];
  assert(
    property(jsonValue(), (value) => {
      const common = { source: "jsonPath" as const, property: "$" };
      const [equal, ...typed] = outcomesOf(JSON.stringify(value), [
        { ...common, comparison: "equals", target: value },
        ...types.map((target) => ({ ...common, comparison: "hasType" as const, target })),
      ]);
      expect(equal?.outcome).toBe("passed");
      expect(typed.slice(0, types.length).filter((one) => one.passed)).toHaveLength(1);
    }),
    { numRuns: repetitions(100, 3_000) },
  );
});
