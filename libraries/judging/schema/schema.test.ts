import { expect, test } from "vitest";
import type { Json } from "../../json/json.ts";
import { parseJson } from "../../json/parse-json.ts";
import { operationAnswering } from "../testing/items.ts";
import { judge, meets, type Schema, type Version, validator } from "../testing/judged-schema.ts";

const pet = "#/components/schemas/Pet";

test.each<[Version, Schema, Json, boolean]>([
  ["3.0", { type: "string", nullable: true }, null, true],
  ["3.0", { type: "string" }, null, false],
  ["3.0", { nullable: true, allOf: [{ type: "object" }] }, null, true],
  ["3.0", { type: "string", nullable: true, enum: ["a"] }, null, true],
  ["2.0", { type: "string", "x-nullable": true }, null, true],
  ["3.1", { type: "string", nullable: true }, null, false],
  ["3.1", { type: ["string", "null"] }, null, true],
  ["3.0", { type: "number", minimum: 1, exclusiveMinimum: true }, 1, false],
  ["3.0", { type: "number", minimum: 1, exclusiveMinimum: false }, 1, true],
  ["2.0", { type: "number", maximum: 5, exclusiveMaximum: true }, 5, false],
  ["3.1", { type: "number", exclusiveMinimum: 1 }, 1, false],
  ["3.1", { const: "a" }, "b", false],
  ["3.0", { const: "a" }, "b", true],
  ["3.2", { if: { type: "number" }, else: { minLength: 2 } }, "a", false],
  ["3.1", { type: "array", prefixItems: [{ type: "string" }], items: false }, ["a", 1], false],
  ["2.0", { type: "file" }, "anything", true],
  ["3.0", { type: "any", required: true, minLength: "x", pattern: 5, enum: [] }, 5, true],
  ["3.0", { type: "number", multipleOf: 0.01 }, 19.99, true],
  ["3.0", { type: "number", multipleOf: 1e-300 }, 5, true],
  ["3.0", { type: "number", multipleOf: 0 }, 5, true],
  ["3.1", { unevaluatedProperties: false, allOf: [{ properties: { a: {} } }] }, { a: 1, b: 1 }, false],
])("%s: %j judges %j: %s", (version, schema, value, passes) => {
  expect(meets(version, schema, value)).toBe(passes);
});

test.each<[string, Json, boolean]>([
  ["int32", 2 ** 31 - 1, true],
  ["int32", 2 ** 31, false],
  ["int64", 2 ** 40, true],
  ["int64", 1.5, false],
  ["float", 1.5, true],
  ["double", 1e300, true],
  ["byte", "aGVsbG8=", true],
  ["byte", "not base64!", false],
  ["binary", "\u0000", true],
  ["date", "2026-02-28", true],
  ["date", "2026-02-30", false],
  ["date-time", "2026-01-31T09:30:00Z", true],
  ["date-time", "2026-01-31 09:30", false],
  ["email", "a@b.test", true],
  ["email", "a b", false],
  ["uuid", "0190a000-0000-7000-8000-000000000001", true],
  ["uuid", "7", false],
  ["uri", "https://a.test/b", true],
  ["uri", "nonsense", false],
  ["made-up-by-somebody", "anything", true],
])("the format %s of %j: %s", (format, value, passes) => {
  expect(meets("3.0", { format }, value)).toBe(passes);
});

test("keywords next to $ref count from 3.1 on", () => {
  const components = { [pet]: { type: "object" } };
  const schema = { $ref: pet, required: ["name"] };
  expect(meets("3.0", schema, {}, components)).toBe(true);
  expect(meets("3.1", schema, {}, components)).toBe(false);
});

test("circular references are followed to the depth of the value", () => {
  const components = {
    [pet]: { type: "object", properties: { parent: { $ref: pet }, name: { type: "string" } } },
  };
  expect(meets("3.0", { $ref: pet }, { parent: { parent: { name: "a" } } }, components)).toBe(true);
  expect(judge("3.0", { $ref: pet }, { parent: { parent: { name: 1 } } }, components).faults).toMatchObject([
    {
      pointer: "/parent/parent/name",
      schemaPointer: "#/components/schemas/Pet/properties/name/type",
      message: "$.parent.parent.name: expected a string, found 1 (a number).",
    },
  ]);
});

test("a reference may have any name and may point into a component", () => {
  const key = "#/components/schemas/a~1b%20{c}";
  const components = { [key]: { type: "object", properties: { id: { type: "integer" } } } };
  expect(meets("3.0", { $ref: key }, { id: "x" }, components)).toBe(false);
  expect(meets("3.0", { $ref: `${key}/properties/id` }, "x", components)).toBe(false);
  expect(meets("3.0", { $ref: `${key}/properties/id` }, 1, components)).toBe(true);
});

test("$dynamicRef finds the anchor of the components", () => {
  const components = {
    "#/components/schemas/Node": {
      $dynamicAnchor: "node",
      type: "object",
      properties: { children: { type: "array", items: { $dynamicRef: "#node" } } },
    },
  };
  const schema = { $ref: "#/components/schemas/Node" };
  expect(meets("3.1", schema, { children: [{ children: [] }] }, components)).toBe(true);
  expect(meets("3.1", schema, { children: [{ children: 5 }] }, components)).toBe(false);
});

test("a schema that can't be used is reported, not thrown", () => {
  expect(() => judge("3.0", { $ref: "#/components/schemas/Missing" }, 1)).toThrow(
    /The schema can't be used: can't resolve/,
  );
});

test("of several failed alternatives the closest one is reported", () => {
  const components = {
    "#/components/schemas/Cat": { type: "object", required: ["lives"], properties: { lives: { type: "integer" } } },
    "#/components/schemas/Dog": { type: "object", required: ["tail", "paws", "bark"] },
  };
  const schema = {
    type: "object",
    properties: {
      pet: { oneOf: [{ $ref: "#/components/schemas/Dog" }, { $ref: "#/components/schemas/Cat" }, { type: "string" }] },
    },
  };
  expect(judge("3.0", schema, { pet: { lives: "9" } }, components).faults.map((fault) => fault.message)).toEqual([
    "$.pet: expected to match one of 3 alternatives, but matches none.",
    '$.pet.lives: expected a whole number, found "9" (a string).',
  ]);
  const both = { oneOf: [{ type: "integer" }, { type: "number" }] };
  expect(judge("3.1", both, 5).faults[0]?.message).toBe(
    "$: expected to match one alternative only, but matches several (1 and 2).",
  );
});

test("O08: a pattern that RE2 lacks is reported, and everything else is still judged", () => {
  const schema = { type: "object", properties: { a: { pattern: "^(?=x)" }, b: { pattern: "^(a+)+$" } } };
  expect(judge("3.0", schema, { a: "y" }).unsupportedPattern).toMatch(
    /^Unsupported pattern: lookahead is not supported\. It reads \^\(\?=x\)/,
  );
  expect(judge("3.0", schema, { b: "a" })).toEqual({ faults: [] });
  expect(judge("3.0", schema, { a: "y", b: `${"a".repeat(50)}b` }).faults).toHaveLength(1);
  expect(meets("3.0", { pattern: "a".repeat(1_000_000) }, "a")).toBe(true);
});

test("at most twenty locations are reported", () => {
  const { faults } = judge(
    "3.1",
    { items: { type: "string" } },
    Array.from({ length: 1_000 }, () => 5),
  );
  expect(faults).toHaveLength(20);
});

test("a given schema is 2020-12, may use the document's components, and does not register its name", () => {
  const components = { [pet]: { type: "object", required: ["id"] } };
  const operation = operationAnswering({}, { specificationVersion: "3.0", components });
  const given = (schema: Schema, value: Json) =>
    validator.validate({ schema, pointer: "#", origin: "given" }, value, operation).faults.length === 0;
  expect(given({ type: ["array"], items: { $ref: pet } }, [{}])).toBe(false);
  expect(given({ $defs: { a: { type: "string" } }, $ref: "#/$defs/a" }, 1)).toBe(false);
  expect(given({ $id: "https://schemas.test/one", type: "string" }, "a")).toBe(true);
  expect(given({ $id: "https://schemas.test/one", type: "integer" }, 1)).toBe(true);
});

test.each<[Schema, Json, string]>([
  [{ required: ["a"] }, {}, '$: the required member "a" is missing.'],
  [{ enum: ["a", "b"] }, "c", '$: expected one of "a", "b", found "c" (a string).'],
  [{ minLength: 2 }, "a", "$: expected at least 2 characters, found 1 character."],
  [{ maxItems: 1 }, [1, 2], "$: expected at most 1 item, found 2 items."],
  [{ minimum: 5 }, 4, "$: expected a number of at least 5, found 4."],
  [{ additionalProperties: false }, { x: 1 }, '$: the member "x" is not documented, and no others are allowed.'],
  [{ uniqueItems: true }, [1, 2, 1], "$: expected items that differ, but items 0 and 2 are equal."],
  [{ format: "date-time" }, "x", '$: expected a date and time, e.g. 2026-01-31T09:30:00Z, found "x" (a string).'],
  [{ pattern: "^a" }, "b", '$: expected a text that matches ^a, found "b" (a string).'],
  [{ type: ["string", "null"] }, 1, "$: expected a string or null, found 1 (a number)."],
  [{ not: {} }, 1, "$: expected anything but what the schema excludes, found 1 (a number)."],
  [{ properties: { a: false } }, { a: 1 }, "$.a: nothing is allowed here."],
])("the error of %j for %j is one sentence", (schema, value, message) => {
  expect(judge("3.1", schema, value).faults[0]?.message).toBe(message);
});

test.each([
  [{ const: "9007199254740993" }, "9007199254740993", "9007199254740992"],
  [{ enum: "[1,1e400]" }, "1.0", "1.1e400"],
  [{ const: '{"a":[9007199254740993]}' }, '{"a":[9007199254740993.0]}', '{"a":[9007199254740992]}'],
  [{ minimum: "9007199254740993" }, "9007199254740993", "9007199254740992"],
  [{ maximum: "2936.233804484341" }, "2936.2338044843410", "2936.23380448434100001"],
  [{ exclusiveMinimum: "1" }, "1.00000000000000000001", "1.0"],
  [{ exclusiveMaximum: "1e400" }, "9e399", "10e399"],
  [{ multipleOf: "0.01" }, "90071992547409.93", "90071992547409.931"],
  [{ multipleOf: "3" }, "9007199254740993e0", "9007199254740992"],
  [{ multipleOf: "1e-999" }, "5e999999999", "1e-1000"],
  [{ type: '"integer"' }, "1.0e0", "12345678901234567.5"],
  [{ type: '"integer"' }, "1e999999999", "1e-999999999"],
  [{ type: '"number"' }, "1e999999999", '"1"'],
  [{ uniqueItems: "true" }, "[9007199254740992,9007199254740993,1e999999999]", "[1,1.0]"],
  [{ uniqueItems: "true" }, '[{"a":1},{"a":1e400}]', '[{"a":1e400,"b":2},{"b":2.0,"a":10e399}]'],
])("numbers are validated as decimals by %j, wherever they stand", (keyword, valid, invalid) => {
  const [[name, limit] = []] = Object.entries(keyword);
  const schema = `{"${name}":${limit}}`;
  const faultsOf = (written: string, value: string) => {
    const placed = { schema: parseJson(written) as Schema, pointer: "#", origin: "given" as const };
    return validator.validate(placed, parseJson(value), undefined).faults;
  };
  for (const [outer, around] of [
    [schema, "@"],
    [`{"items":${schema}}`, "[@]"],
    [`{"additionalProperties":{"allOf":[${schema}]}}`, '{"a/~b":@}'],
    [`{"$defs":{"one":${schema}},"items":{"$ref":"#/$defs/one"}}`, "[@]"],
  ] as const) {
    expect(faultsOf(outer, around.replace("@", valid))).toEqual([]);
    expect(faultsOf(outer, around.replace("@", invalid))).toHaveLength(1);
  }
});

test("a violation shows numbers as they were written, in the schema and in the response", () => {
  const faultOf = (schema: string, value: string) =>
    validator.validate(
      { schema: parseJson(schema) as Schema, pointer: "#", origin: "given" },
      parseJson(value),
      undefined,
    ).faults[0]?.message;
  expect(faultOf('{"items":{"minimum":1.50}}', "[1.0]")).toBe("$[0]: expected a number of at least 1.50, found 1.0.");
  expect(faultOf('{"const":9007199254740993}', "9007199254740992")).toBe(
    "$: expected 9007199254740993, found 9007199254740992 (a number).",
  );
  expect(faultOf('{"properties":{"a":{"enum":[1e400]}}}', '{"a":1e401}')).toBe(
    "$.a: expected one of 1e400, found 1e401 (a number).",
  );
});

test("operations with the same components each report faults at their own places", () => {
  const components = { "#/components/schemas/Pet": { type: "object", properties: { age: { type: "integer" } } } };
  const find = (schema: Schema, pointer: string) => {
    const operation = operationAnswering(schema, { specificationVersion: "3.1", components });
    const { faults } = validator.validate({ schema, pointer, origin: "document" }, [{ age: "old" }], operation);
    return faults.map(({ schemaPointer }) => schemaPointer);
  };
  const list = { type: "array", items: { $ref: "#/components/schemas/Pet" } };
  const short = { type: "array", maxItems: 0 };
  for (const path of ["a", "b"]) {
    expect(find(list, `#/paths/${path}`)).toEqual(["#/components/schemas/Pet/properties/age/type"]);
    expect(find(short, `#/paths/${path}`)).toEqual([`#/paths/${path}/maxItems`]);
  }
});

test("the same reference means what each operation's own components say", () => {
  const ofPet = (type: string) => ({ [pet]: { type } });
  for (const [type, passes] of [
    ["string", true],
    ["integer", false],
    ["string", true],
  ] as const)
    expect(meets("3.1", { $ref: pet }, "Rex", ofPet(type))).toBe(passes);
});
