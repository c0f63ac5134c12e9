import { expect, test } from "vitest";
import { makeSample } from "./sampler.ts";

const source = { find: () => undefined };
const make = (schema: object, options = {}) => makeSample(schema, "request", source, options);
const text = { type: "string" };
const object = (properties: object, required: string[] = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
});

test.each([
  ["a look-ahead", "^(?=.*\\d)[a-z\\d]+$"],
  ["a back-reference", "^(.)\\1$"],
  ["a repeat above 1,000", "^[a-z]{2000}$"],
])("one required member with %s gets a placeholder, the others are made", (_, pattern) => {
  const made = make(object({ name: text, couponCode: { ...text, pattern } }));
  expect(made?.value).toEqual({ name: "string", couponCode: "YOUR_COUPON_CODE" });
  expect(made?.invented.filter(({ isMissing }) => isMissing).map(({ path }) => path)).toEqual([["couponCode"]]);
});

test("an optional member that can't be made is left out, with what contains it", () => {
  const secret = { ...text, pattern: "^(?=a)" };
  expect(make(object({ name: text, secret }, ["name"]))?.value).toEqual({ name: "string" });
  expect(make(object({ name: text, keys: object({ secret }) }, ["name"]))?.value).toEqual({ name: "string" });
});

test.each<[string, object, unknown]>([
  ["contains and minContains", { type: "array", contains: { const: 5 }, minContains: 2 }, [5, 5]],
  ["an enumeration without what is excluded", { enum: ["a", "b"], not: { const: "a" } }, "b"],
  ["an email that is short enough", { type: "string", format: "email", maxLength: 10 }, "a@b.co"],
  ["an email that is long enough", { type: "string", format: "email", minLength: 26 }, `${"a".repeat(14)}@example.com`],
  ["a date of the documented pattern", { type: "string", format: "date", pattern: "^\\d{4}-" }, "2026-01-15"],
  ["a text that is not the usual one", { type: "string", not: { const: "string" } }, "string1"],
  [
    "what a member needs",
    { ...object({ a: text, b: text }, ["a"]), dependentRequired: { a: ["b"] } },
    { a: "string", b: "string" },
  ],
  [
    "a required member by its pattern",
    {
      type: "object",
      required: ["x-a"],
      patternProperties: { "^x-": { type: "integer" } },
      additionalProperties: false,
    },
    { "x-a": 1 },
  ],
  [
    "names that are allowed",
    { type: "object", minProperties: 1, propertyNames: { enum: ["de", "en"] } },
    { de: "string" },
  ],
  [
    "what follows from a condition",
    {
      ...object({ kind: { const: "a" } }),
      if: object({ kind: { const: "a" } }),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: object({ size: { type: "integer" } }),
    },
    { kind: "a", size: 1 },
  ],
  [
    "one alternative only",
    { oneOf: [{ type: "integer" }, { type: "number", multipleOf: 0.5 }, { type: "boolean" }] },
    0.5,
  ],
  [
    "a multiple between exclusive bounds",
    { type: "number", multipleOf: 0.1, exclusiveMinimum: 0.2, maximum: 0.35 },
    0.3,
  ],
  [
    "items that differ",
    { type: "array", minItems: 3, uniqueItems: true, items: object({ n: { type: "integer" } }) },
    [{ n: 1 }, { n: 2 }, { n: 3 }],
  ],
  ["no default that breaks its own rules", { type: "string", default: "", minLength: 1 }, "string"],
  [
    "no example with a member of another type",
    { ...object({ n: { type: "integer" } }), example: { n: "one" } },
    { n: 1 },
  ],
])("a sample has %s", (_, schema, value) => {
  expect(make(schema)?.value).toEqual(value);
});

test("a base inside of what extends it is no cycle", () => {
  const base = object({ id: { type: "integer" } });
  const known = { find: (reference: string) => (reference === "#/Base" ? base : undefined) };
  const $ref = "#/Base";
  const schema = { allOf: [{ $ref }, { properties: { parent: { $ref } }, required: ["parent"] }] };
  expect(makeSample(schema, "request", known)?.value).toEqual({ id: 1, parent: { id: 1 } });
});

test("a schema that contains itself ends at the first optional member, and has no sample where all are required", () => {
  const $ref = "#/Node";
  const of = (schema: object) => makeSample({ $ref }, "request", { find: () => schema })?.value;
  expect(of(object({ name: text, next: { $ref } }, ["name"]))).toEqual({ name: "string" });
  expect(of(object({ name: text, next: { allOf: [{ $ref }] } }, ["name"]))).toEqual({ name: "string" });
  expect(of(object({ name: text, next: { $ref } }))).toBeUndefined();
});
