import { expect, test } from "vitest";
import { type ComparedDocument, compareDocuments } from "#libraries/openapi/comparison/compare-documents.ts";
import { parseDescribedOperation } from "../store/described-operation.ts";
import { smallDocument } from "../testing/fixtures.ts";
import { readDocument } from "../testing/reading.ts";

const compare = (before: ComparedDocument, after: ComparedDocument) =>
  compareDocuments(before, after, parseDescribedOperation);

async function comparable(operation: object, schemas: object = {}, more: object = {}): Promise<ComparedDocument> {
  const document = smallDocument({ paths: { "/a": { post: operation } }, components: { schemas }, ...more });
  const { operations, components, dependencySets, metadata } = await readDocument({
    document: JSON.stringify(document),
  });
  return {
    operations: operations.map(({ method, path, described, dependencySet }) => ({
      method,
      path,
      described,
      ordinals: dependencySets[dependencySet]!.ordinals,
    })),
    components: new Map(components.map((component) => [component.ordinal, component])),
    servers: metadata.servers,
  };
}

const json = (schema: object) => ({ content: { "application/json": { schema } } });
const answering = (schema: object, more: object = {}) => ({
  responses: { "200": { description: "ok", ...json(schema) } },
  ...more,
});
const taking = (schema: object, more: object = {}) => ({
  requestBody: { ...json(schema), ...more },
  responses: { "200": { description: "ok" } },
});
const parameter = (change: object) => ({
  parameters: [{ name: "q", in: "query", schema: { type: "string" }, ...change }],
  responses: { "200": { description: "ok" } },
});
const properties = (names: string[], required: string[] = []) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required,
});

const changes: [what: string, before: object, after: object, breaking: boolean, reason: string][] = [
  [
    "a new required parameter",
    answering({}),
    { ...answering({}), ...parameter({ required: true }) },
    true,
    'The query parameter "q" is new and required.',
  ],
  [
    "a parameter that becomes required",
    parameter({}),
    parameter({ required: true }),
    true,
    'The query parameter "q" is required now.',
  ],
  [
    "a parameter that is written differently",
    parameter({}),
    parameter({ style: "pipeDelimited" }),
    true,
    "is written differently",
  ],
  [
    "a parameter that takes fewer values",
    parameter({ schema: { enum: ["a", "b"] } }),
    parameter({ schema: { enum: ["a"] } }),
    true,
    'can no longer be "b"',
  ],
  [
    "a parameter that takes more values",
    parameter({ schema: { enum: ["a"] } }),
    parameter({ schema: { enum: ["a", "b"] } }),
    false,
    'can now be "b" too',
  ],
  [
    "a new required member of the request",
    taking(properties(["a"])),
    taking(properties(["a", "b"], ["b"])),
    true,
    '"b" of the request body is new and required.',
  ],
  [
    "a new optional member of the request",
    taking(properties(["a"])),
    taking(properties(["a", "b"])),
    false,
    '"b" of the request body is new.',
  ],
  [
    "a request body that becomes required",
    taking({}),
    taking({}, { required: true }),
    true,
    "The request body is required now.",
  ],
  [
    "a request that accepts any number instead of whole ones",
    taking({ type: "integer" }),
    taking({ type: "number" }),
    false,
    "changed from integer to number",
  ],
  [
    "an answer with any number instead of whole ones",
    answering({ type: "integer" }),
    answering({ type: "number" }),
    true,
    "changed from integer to number",
  ],
  [
    "a member of the answer that is gone",
    answering(properties(["a", "b"])),
    answering(properties(["a"])),
    true,
    '"b" of the response 200 is gone.',
  ],
  [
    "a member of the answer that may be missing",
    answering(properties(["a"], ["a"])),
    answering(properties(["a"])),
    true,
    "is no longer required",
  ],
  [
    "a new member of the answer",
    answering(properties(["a"])),
    answering(properties(["a", "b"])),
    false,
    '"b" of the response 200 is new.',
  ],
  [
    "an answer that may be null",
    answering({ type: "string" }),
    answering({ type: ["string", "null"] }),
    true,
    "to null or string",
  ],
  [
    "a tighter limit for the request",
    taking({ type: "string", maxLength: 9 }),
    taking({ type: "string", maxLength: 5 }),
    true,
    '"maxLength" of the request body changed from 9 to 5.',
  ],
  [
    "a response that is no longer documented",
    { responses: { "200": { description: "" }, "404": { description: "" } } },
    { responses: { "200": { description: "" } } },
    true,
    "The response 404 is no longer documented.",
  ],
  [
    "authorization that is needed now",
    answering({}),
    answering({}, { security: [{ key: [] }] }),
    true,
    "It needs authorization now: key.",
  ],
  ["deprecation", answering({}), answering({}, { deprecated: true }), false, "It is deprecated now."],
  ["another text", answering({}, { summary: "A" }), answering({}, { summary: "B" }), false, "Only texts"],
];

for (const [what, before, after, breaking, reason] of changes) {
  test(`${what} ${breaking ? "breaks callers" : "breaks nothing"}`, async () => {
    const { changed, added, removed } = compare(await comparable(before), await comparable(after));
    expect([added, removed]).toEqual([[], []]);
    expect(changed).toHaveLength(1);
    expect(changed[0]).toMatchObject({ method: "post", path: "/a", breaking });
    expect(changed[0]!.reasons.join("\n")).toContain(reason);
  });
}

test("a change deep in circular schemas is found once", async () => {
  const schemas = (type: string) => ({
    A: { type: "object", properties: { b: { $ref: "#/components/schemas/B" } } },
    B: { type: "object", properties: { a: { $ref: "#/components/schemas/A" }, value: { type } } },
  });
  const operation = answering({ $ref: "#/components/schemas/A" });
  const before = await comparable(operation, schemas("string"));
  expect(compare(before, await comparable(operation, schemas("string")))).toMatchObject({
    changed: [],
    unchangedCount: 1,
  });
  const { changed } = compare(before, await comparable(operation, schemas("boolean")));
  expect(changed[0]!.reasons).toEqual([
    'The type of "value" of "b" of the response 200 changed from string to boolean.',
  ]);
});

test("a change of an operation's servers says from where to where, and that its tests follow", async () => {
  const usual = { servers: [{ url: "https://api.example.com/v1" }] };
  const own = answering({}, { servers: [{ url: "https://upload.example.com" }] });
  const reasonsOf = async (before: object, after: object, more = usual) => {
    const comparison = compare(await comparable(before, {}, usual), await comparable(after, {}, more));
    expect(comparison.changed.map(({ breaking }) => breaking)).toEqual([false]);
    return comparison.changed[0]!.reasons.join(" ");
  };
  const follow = "Its tests without a base URL of their own go there from now on.";
  expect(await reasonsOf(answering({}), own)).toBe(
    `It has servers of its own now: https://upload.example.com, not https://api.example.com/v1 as before. ${follow}`,
  );
  expect(await reasonsOf(own, answering({}, { servers: [{ url: "/relative" }] }))).toBe(
    `Its own servers changed from https://upload.example.com to /relative. ${follow}`,
  );
  expect(await reasonsOf(own, answering({}))).toBe(
    `It has no servers of its own any more: it is at the API's base URL (the document names https://api.example.com/v1), not https://upload.example.com as before. ${follow}`,
  );
  expect(await reasonsOf(answering({}), answering({}), { servers: [{ url: "https://api.example.com/v2" }] })).toBe(
    "The document's servers changed from https://api.example.com/v1 to https://api.example.com/v2.",
  );
});
