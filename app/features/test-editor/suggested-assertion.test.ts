import fc from "fast-check";
import { query } from "json-p3";
import { expect, test } from "vitest";
import type { AssertionSource, Comparison } from "#contracts/test-registry/assertions.ts";
import { readJsonValue } from "~/ui/json-view/json-node";
import { jsonPathOf } from "./json-path-of.ts";
import { assertionInWords, assertionOf, assertionOfNode } from "./suggested-assertion.ts";
import { readTarget, type TargetType } from "./target.ts";

type JsonValue = string | number | JsonValue[] | { [name: string]: JsonValue };

test("identifiers follow a dot, other names are quoted, items are in brackets", () => {
  expect(jsonPathOf(["items", 0, "id"])).toBe("$.items[0].id");
  expect(jsonPathOf(["a b", "it's", 'say "x"', "back\\slash"])).toBe(
    "$['a b']['it\\'s']['say \"x\"']['back\\\\slash']",
  );
});

test("the path of a member leads to it, whatever its name", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.nat(5))), (steps) => {
      const nested = steps.reduceRight<JsonValue>((inner, step) => {
        return typeof step === "number"
          ? Object.assign(Array<JsonValue>(step + 1).fill(0), { [step]: inner })
          : { [step]: inner };
      }, "found");
      expect(query(jsonPathOf(steps), nested).values()).toEqual(["found"]);
    }),
  );
});

test("an assertion made from a value expects exactly that value, typed", () => {
  for (const value of [7, -0.5, true, "7", "", "open", '{"a":1}', "line\nbreak"]) {
    const row = assertionOfNode(readJsonValue(value)!, ["x"]);
    const place = { source: row.source as AssertionSource, comparison: row.comparison as Comparison };
    expect(readTarget({ text: row.target, type: row.targetType as TargetType }, place)).toEqual({ value });
  }
});

test("a list is asserted by its length, an object by its type, null as null", () => {
  expect(assertionOfNode(readJsonValue([1, 2])!, [])).toMatchObject({ comparison: "lengthEquals", target: "2" });
  expect(assertionOfNode(readJsonValue({})!, [])).toMatchObject({ comparison: "hasType", target: "object" });
  expect(assertionOfNode(readJsonValue(null)!, ["a"])).toMatchObject({ comparison: "isNull", target: "" });
});

test("an assertion reads as a sentence", () => {
  expect(assertionInWords(assertionOf("header", "equals", "text/plain", "content-type"))).toBe(
    "Header content-type equals text/plain",
  );
});
