import fc from "fast-check";
import { expect, test } from "vitest";
import type { OperationWithComponents, SchemaObject } from "#contracts/api-registry/operations.ts";
import { describeSchema } from "./describe-schema.ts";
import { findSchemaAt } from "./find-schema-at.ts";
import type { SchemaNode } from "./schema-node.ts";

const view = (schema: SchemaObject, components: Record<string, SchemaObject> = {}, limits = {}) =>
  describeSchema(schema, { components, location: "/operation/requestBody/content/0/schema", ...limits });
const labels = (node: SchemaNode | undefined) =>
  node?.groups.flatMap(({ entries }) => entries.map(({ label }) => label));
const part = (node: SchemaNode | undefined, label: string) =>
  node?.groups.flatMap(({ entries }) => entries).find((entry) => entry.label === label)?.node;
const size = (node: SchemaNode): number =>
  1 + node.groups.reduce((sum, { entries }) => sum + entries.reduce((inner, entry) => inner + size(entry.node), 0), 0);

test("a component within itself is folded and names its location", () => {
  const node = view(
    { $ref: "#/components/schemas/Tree" },
    {
      "#/components/schemas/Tree": {
        type: "object",
        properties: { children: { type: "array", items: { $ref: "#/components/schemas/Tree" } } },
      },
    },
  );
  const again = part(part(node, "children"), "items");
  expect(part(node, "children")?.type).toBe("array of Tree");
  expect(again).toMatchObject({
    componentName: "Tree",
    folded: "recursion",
    location: "/components/#~1components~1schemas~1Tree",
    groups: [],
  });
});

test("circular references without a schema between them end", () => {
  const node = view({ $ref: "#/a" }, { "#/a": { $ref: "#/b" }, "#/b": { $ref: "#/a" } });
  expect(node.groups).toEqual([]);
});

test("allOf members that only add properties are shown as one object", () => {
  const node = view(
    {
      allOf: [
        { $ref: "#/components/schemas/Pet" },
        { type: "object", required: ["bark"], properties: { bark: { type: "boolean" }, name: { maxLength: 5 } } },
      ],
    },
    {
      "#/components/schemas/Pet": { type: "object", required: ["name"], properties: { name: { type: "string" } } },
    },
  );
  expect(labels(node)).toEqual(["name", "bark"]);
  expect(node.groups[0]?.entries.map(({ required }) => required)).toEqual([true, true]);
  expect(part(node, "name")?.rules).toEqual(["at most 5 characters"]);
});

test("allOf members with other keywords remain separate parts", () => {
  const node = view({ allOf: [{ type: "string", minLength: 2 }, { pattern: "^a" }] });
  expect(node.groups).toMatchObject([{ title: "All of", entries: [{ label: "1" }, { label: "2" }] }]);
});

test("an allOf that contains its own type does not merge for ever", () => {
  const components = { "#/A": { allOf: [{ $ref: "#/A" }, { properties: { a: true } }] } };
  expect(size(view({ $ref: "#/A" }, components))).toBeLessThan(10);
});

test("variants are named by the discriminator", () => {
  const node = view(
    {
      oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }, { title: "Other" }, {}],
      discriminator: { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat", dog: "Dog" } },
    },
    { "#/components/schemas/Cat": { type: "object" }, "#/components/schemas/Dog": { type: "object" } },
  );
  expect(node.groups[0]).toMatchObject({ title: "One of" });
  expect(labels(node)).toEqual(["cat", "dog", "Other", "4"]);
  expect(node.rules).toEqual(["kind tells which"]);
  expect(node.type).toBe("one of 4");
});

test("components that inherit from one with a discriminator are its variants", () => {
  const node = view(
    { $ref: "#/Pet" },
    {
      "#/Pet": { type: "object", discriminator: { propertyName: "kind", mapping: { cat: "#/Cat", gone: "#/Gone" } } },
      "#/Cat": { allOf: [{ $ref: "#/Pet" }, { properties: { claws: true } }] },
    },
  );
  expect(node.groups).toMatchObject([{ title: "One of", entries: [{ label: "cat", node: { componentName: "Cat" } }] }]);
});

test.each<[SchemaObject, string]>([
  [{ type: ["string", "null"] }, "string or null"],
  [{ type: "string", nullable: true }, "string or null"],
  [{ type: "array", items: { type: "array", items: { type: "integer" } } }, "array of array of integer"],
  [{ properties: {} }, "object"],
  [{ enum: ["a", 1, null] }, "string or number or null"],
  [{ const: false }, "boolean"],
  [{ type: "array", prefixItems: [{}, {}] }, "tuple of 2"],
  [true, "any value"],
  [false, "nothing"],
  [{}, "any value"],
])("the type of %j is shown as %s", (schema, words) => {
  expect(view(schema).type).toBe(words);
});

test.each<[SchemaObject, string[]]>([
  [{ minimum: 1, maximum: 9 }, ["1 to 9"]],
  [{ minimum: 1, exclusiveMinimum: true }, ["more than 1"]],
  [{ exclusiveMinimum: 0, multipleOf: 0.5 }, ["more than 0", "a multiple of 0.5"]],
  [{ minLength: 1 }, ["at least 1 character"]],
  [{ minLength: 3, maxLength: 3 }, ["exactly 3 characters"]],
  [{ minItems: 0, maxItems: 1000, uniqueItems: true }, ["at most 1,000 items", "no item twice"]],
  [{ maxProperties: 2, additionalProperties: false }, ["at most 2 properties", "no other properties"]],
  [{ pattern: "^a+$" }, ["matches ^a+$"]],
  [{ contentEncoding: "base64", contentMediaType: "image/png" }, ["encoded as base64", "holds image/png"]],
  [{ dependentRequired: { card: ["address", "name"] } }, ["card needs address, name"]],
])("the rules of %j are shown as %j", (schema, rules) => {
  expect(view(schema).rules).toEqual(rules);
});

test('enum, const, default and examples are shown as JSON, so that 12 and "12" differ', () => {
  expect(view({ enum: [12, "12"], default: "12", example: { a: 1 } })).toMatchObject({
    values: ["12", '"12"'],
    defaultValue: '"12"',
    examples: ['{"a":1}'],
  });
  expect(view({ const: null }).values).toEqual(["null"]);
});

test("numbers that a double rounds are shown as the document writes them", () => {
  const rounded = { maximum: 9007199254740992, enum: [9007199254740992], default: 1 };
  const texts = { maximum: "9007199254740993", enum: "[9007199254740993]", default: "1.0" };
  expect(view({ ...rounded, "x-exact-numbers": texts })).toMatchObject({
    rules: ["at most 9007199254740993"],
    values: ["9007199254740993"],
    defaultValue: "1.0",
  });
});

test("a long enumeration is truncated with the number of omitted values", () => {
  const node = view({ enum: Array.from({ length: 1_000_000 }, (_, index) => index) });
  expect(node.values).toHaveLength(40);
  expect(node.hiddenValueCount).toBe(999_960);
});

test("keywords next to a reference replace those of the component", () => {
  const node = view(
    { $ref: "#/P", description: "The owner's pet", deprecated: true },
    { "#/P": { type: "object", description: "A pet", properties: { a: true } } },
  );
  expect(node).toMatchObject({ descriptionHtml: "<p>The owner's pet</p>", marks: ["deprecated"], componentName: "P" });
});

test("a rule next to a reference is kept with it", () => {
  const node = view({ $ref: "#/P", maxProperties: 1 }, { "#/P": { properties: { a: true } } });
  expect(node.rules).toEqual(["at most 1 property"]);
  expect(labels(node)).toEqual(["a"]);
});

test("parts beyond the limits are folded, the deepest first, and can be loaded later", () => {
  const level = (depth: number): SchemaObject => ({
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 5 }, (_, index) => [`p${index}`, depth === 0 ? { type: "string" } : level(depth - 1)]),
    ),
  });
  const schema = level(4);
  const node = view(schema, {}, { maximumNodes: 60 });
  expect(size(node)).toBeLessThanOrEqual(61);
  expect(node.groups[0]?.entries.every((entry) => entry.node.groups.length > 0)).toBe(true);
  const folded = part(part(part(node, "p4"), "p4"), "p4") ?? part(part(node, "p4"), "p4");
  expect(folded).toMatchObject({ folded: "size" });
  const result = { operation: { requestBody: { content: [{ schema }] } }, components: {} };
  expect(findSchemaAt(result as unknown as OperationWithComponents, folded!.location)?.schema).toHaveProperty(
    "properties",
  );
});

test("an object of a hundred thousand properties is truncated with the number of omitted ones", () => {
  const properties = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`p${index}`, true]));
  const node = view({ type: "object", properties });
  expect(labels(node)).toHaveLength(149);
  expect(node.hiddenEntryCount).toBe(99_851);
});

test("a pointer outside the operation and its components finds nothing", () => {
  const result = { operation: {}, components: { "#/A": true }, apiId: "x" } as unknown as OperationWithComponents;
  expect(findSchemaAt(result, "/components/#~1A")).toEqual({ schema: true, name: "A" });
  for (const location of ["/apiId", "/components/__proto__", "/components/constructor/prototype", "", "/operation"])
    expect(findSchemaAt(result, location), location).toBeUndefined();
});

test("properties named like those of the object prototype are properties", () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}}}');
  expect(labels(view(schema))).toEqual(["__proto__", "constructor"]);
});

/** Twenty levels that each reference the next one twice: 2 KB that expand to a million schemas. */
const doubling = (link: (next: SchemaObject) => SchemaObject): Record<string, SchemaObject> =>
  Object.fromEntries(
    Array.from({ length: 21 }, (_, level) => [
      `#/${level}`,
      level < 20 ? link({ $ref: `#/${level + 1}` }) : { type: "object", properties: { last: { type: "string" } } },
    ]),
  );

test("a schema inherited in a million ways is shown once", () => {
  const node = view(
    { $ref: "#/0" },
    doubling((next) => ({ allOf: [next, next], type: "object" })),
  );
  expect(labels(node)).toEqual(["last"]);
});

const links: [word: string, link: (next: SchemaObject) => SchemaObject][] = [
  ["allOf of more than properties", (next) => ({ allOf: [next, { ...(next as object), minProperties: 1 }] })],
  ["anyOf", (next) => ({ anyOf: [next, next] })],
  ["oneOf", (next) => ({ oneOf: [next, next] })],
  ["properties", (next) => ({ type: "object", properties: { a: next, b: next } })],
  ["conditions", (next) => ({ if: next, else: next })],
];
for (const [word, link] of links) {
  test(`schemas that double by ${word} are shown up to the limit`, () => {
    expect(size(view({ $ref: "#/0" }, doubling(link)))).toBeLessThanOrEqual(150);
  });
}

test("any JSON value in a schema can be shown", () => {
  const keyword = fc.constantFrom(
    ..."type properties items allOf oneOf anyOf not enum const required format minimum pattern discriminator additionalProperties prefixItems description example examples $ref if dependentRequired".split(
      " ",
    ),
  );
  const schema = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue(),
      fc.constantFrom("object", "array", "#/A", "#/B"),
      fc.dictionary(keyword, tie("value")),
      fc.array(tie("value"), { maxLength: 3 }),
    ),
  })).value;
  fc.assert(
    fc.property(fc.dictionary(keyword, schema), schema, (root, other) => {
      const components = { "#/A": root, "#/B": other as SchemaObject };
      expect(size(view(root, components))).toBeLessThan(10_000);
    }),
    { numRuns: 500 },
  );
});
