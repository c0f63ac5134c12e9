import { expect, test } from "vitest";
import { memberRows } from "../../testing/changed-members.ts";
import { schemaRows } from "../../testing/changed-schemas.ts";
import { compareTexts, getRules, getSentences } from "../../testing/compared.ts";
import { createDocument, smallDocument } from "../../testing/fixtures.ts";

const content = (schema: unknown) => ({ "application/json": { schema } });
const ok = { "200": { description: "ok" } };
const sending = (schema: unknown, schemas = {}) =>
  toDocument(
    { requestBody: { content: content({ type: "object", properties: { v: schema } }) }, responses: ok },
    schemas,
  );
const reading = (schema: unknown, schemas = {}) =>
  toDocument(
    { responses: { "200": { description: "ok", content: content({ type: "object", properties: { v: schema } }) } } },
    schemas,
  );
const toDocument = (post: object, schemas: object) =>
  smallDocument({ paths: { "/a": { post } }, components: { schemas } });

for (const [what, before, after, rule, request, response] of schemaRows) {
  test(`${what}: a request ${request}, a response ${response}`, async () => {
    const [sent] = (await compareTexts(sending(before), sending(after))).changed;
    expect(sent && getRules(sent)).toEqual([[`request.${rule}`, request === "breaks"]]);
    const [read] = (await compareTexts(reading(before), reading(after))).changed;
    expect(read && getRules(read)).toEqual([[`response.${rule}`, response === "breaks"]]);
  });
}

const text = { type: "string" };
const object = (properties: object, rest = {}) => ({ type: "object", properties, ...rest });

for (const [what, side, before, after, rules] of memberRows) {
  test(`a ${side} with ${what} has its rule`, async () => {
    const toDocument = side === "request" ? sending : reading;
    const { changed } = await compareTexts(toDocument(before), toDocument(after));
    expect(changed.map(getRules)).toEqual([rules]);
  });
}

const pet = object({ name: text }, { required: ["name"] });
const same: [what: string, before: unknown, after: unknown, schemas?: object][] = [
  [
    "allOf written inline",
    { allOf: [{ $ref: "#/components/schemas/Pet" }, object({ age: text })] },
    object({ name: text, age: text }, { required: ["name"] }),
    { Pet: pet },
  ],
  ["a reference written inline", { $ref: "#/components/schemas/Pet" }, pet, { Pet: pet }],
  ["one alternative alone", { oneOf: [pet] }, pet],
  ["alternatives in another order", { oneOf: [text, pet, { type: "null" }] }, { oneOf: [{ type: "null" }, pet, text] }],
  ["null as a type or as an alternative", { anyOf: [pet, { type: "null" }] }, { ...pet, type: ["object", "null"] }],
  ["a constant and a list of one", { const: "a" }, { type: "string", enum: ["a"] }],
  ["alternatives that are constants, and a list", { oneOf: [{ const: "a" }, { const: "b" }] }, { enum: ["b", "a"] }],
  [
    "alternatives that are types, and a list of types",
    { anyOf: [text, { type: "integer" }] },
    { type: ["integer", "string"] },
  ],
  [
    "a whole number above 0, and one of 1 at least",
    { type: "integer", exclusiveMinimum: 0 },
    { type: "integer", minimum: 1 },
  ],
  ["other members allowed, and nothing said of them", object({}, { additionalProperties: true }), object({})],
  ["types of listed values that are said, too", { enum: [1, 2] }, { type: "integer", enum: [2, 1] }],
  ["a least length of 0", text, { ...text, minLength: 0 }],
  [
    "items under prefixItems and the list under items",
    { type: "array", prefixItems: [text] },
    { type: "array", items: [text] },
  ],
  [
    "a dependency by either word",
    object({}, { dependencies: { a: ["b"] } }),
    object({}, { dependentRequired: { a: ["b"] } }),
  ],
];
for (const [what, before, after, schemas] of same) {
  test(`${what} are no change`, async () => {
    for (const side of [sending, reading]) {
      expect(await compareTexts(side(before, schemas), side(after, schemas))).toMatchObject({
        changed: [],
        unchangedCount: 1,
      });
    }
  });
}

test("alternatives are compared with those that are most like them", async () => {
  const kind = (name: string, rest: object) => object({ kind: { const: name }, ...rest }, { required: ["kind"] });
  const before = { oneOf: [kind("cat", { purrs: text }), kind("dog", { barks: text })] };
  const after = { oneOf: [kind("dog", { barks: { type: "integer" } }), kind("cat", { purrs: text })] };
  const { changed } = await compareTexts(reading(before), reading(after));
  expect(changed.map(getSentences)).toEqual([
    ['The type of "barks" of alternative 1 of "v" of the response 200 changed from string to integer.'],
  ]);
});

test("integers beyond 2^53 are compared by their digits", async () => {
  const withMaximum = (digits: string) =>
    createDocument({ type: "integer", maximum: 12345 }).replaceAll("12345", digits);
  const { changed } = await compareTexts(withMaximum("9007199254740993"), withMaximum("9007199254740992"));
  expect(getSentences(changed[0]!)).toEqual([
    '"maximum" of the request body changed from 9007199254740993 to 9007199254740992.',
    '"maximum" of the response 200 changed from 9007199254740993 to 9007199254740992.',
  ]);
  expect(await compareTexts(withMaximum("9007199254740993"), withMaximum("9007199254740993"))).toMatchObject({
    changed: [],
  });
});

test("a change deep in circular schemas is found once", async () => {
  const schemas = (type: string) => ({
    A: object({ b: { $ref: "#/components/schemas/B" } }),
    B: object({ a: { $ref: "#/components/schemas/A" }, value: { type } }),
  });
  const a = { $ref: "#/components/schemas/A" };
  expect(await compareTexts(reading(a, schemas("string")), reading(a, schemas("string")))).toMatchObject({
    changed: [],
    unchangedCount: 1,
  });
  const { changed } = await compareTexts(reading(a, schemas("string")), reading(a, schemas("boolean")));
  expect(changed.map(getSentences)).toEqual([
    ['The type of "value" of "b" of "v" of the response 200 changed from string to boolean.'],
  ]);
});

test("circles through alternatives end", async () => {
  const tree = (leaf: object) => ({
    Tree: { oneOf: [leaf, object({ children: { type: "array", items: { $ref: "#/components/schemas/Tree" } } })] },
  });
  const root = { $ref: "#/components/schemas/Tree" };
  const inline = { oneOf: [text, object({ children: { type: "array", items: root } })] };
  expect(await compareTexts(reading(root, tree(text)), reading(inline, tree(text)))).toMatchObject({ changed: [] });
  const { changed } = await compareTexts(reading(root, tree(text)), reading(root, tree({ type: "integer" })));
  expect(changed[0]!.breaking).toBe(true);
});
