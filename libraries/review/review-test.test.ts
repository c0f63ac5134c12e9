import { expect, test } from "vitest";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import { testInput } from "#contracts/test-registry/tests.ts";
import type { OperationVersion } from "./operation-version.ts";
import { reviewTest } from "./review-test.ts";

const text = { type: "string" };
const source = {
  find: (reference: string) =>
    reference === "#/components/schemas/Author" ? { type: "object", properties: { name: text } } : undefined,
};

function describeVersion(change: Partial<DescribedOperation>): OperationVersion {
  const operation: DescribedOperation = {
    ...{ operationId: null, path: "/books", method: "post", summary: "", tag: "", tags: [], deprecated: false },
    ...{ responseStatuses: ["201"], description: "", servers: [], parameters: [], security: [], callbacks: [] },
    responses: [],
    ...change,
  };
  return { operation, source };
}
const answer = (schema: object, headers: string[] = [], status = "201"): Partial<DescribedOperation> => ({
  responses: [
    {
      status,
      description: "",
      headers: headers.map((name) => ({ name, required: false, description: "" })),
      content: [{ mediaType: "application/json", schema: schema as never, examples: [] }],
      links: [],
    },
  ],
});
const taking = (schema: object, mediaType = "application/json"): Partial<DescribedOperation> => ({
  requestBody: { required: true, description: "", content: [{ mediaType, schema: schema as never, examples: [] }] },
});
const query = (name: string, schema: object, required = false): DescribedOperation["parameters"][number] => ({
  ...{ name, in: "query", required, deprecated: false, description: "", style: "form", explode: true },
  ...{ allowReserved: false, examples: [], schema: schema as never },
});
const write = (rest: object) => testInput.parse({ name: "t", method: "post", path: "/books", request: {}, ...rest });
const object = (properties: object, rest = {}) => ({ type: "object", properties, ...rest });

function sentencesOf(rest: object, before: Partial<DescribedOperation>, after?: Partial<DescribedOperation>): string[] {
  const effects = reviewTest(write(rest), describeVersion(before), after && describeVersion(after));
  return effects.map(
    ({ part, position, sentence }) => `${part}${position === undefined ? "" : ` ${position}`}: ${sentence}`,
  );
}
const path = (property: string, comparison: Assertion["comparison"] = "isNotNull", target?: unknown) => ({
  ...{ source: "jsonPath", property, comparison },
  ...(target === undefined ? {} : { target }),
});

test("a test of an operation that is gone says so", () => {
  expect(sentencesOf({}, answer({}))).toEqual(["request: It calls an operation that was removed."]);
});

test("an assertion says that its path is gone, at its position, also behind references and in items", () => {
  const book = object({
    id: text,
    author: { $ref: "#/components/schemas/Author" },
    tags: { type: "array", items: object({ a: text }) },
  });
  const assertions = [path("$.id"), path("$.author.name"), path("$.tags[0].a"), path("$['tags'][*].a")];
  expect(sentencesOf({ assertions }, answer(book), answer(book))).toEqual([]);
  const after = answer(
    object({ id: text, author: object({ title: text }), tags: { type: "array", items: object({ b: text }) } }),
  );
  expect(sentencesOf({ assertions }, answer(book), after)).toEqual([
    "assertion 2: The response no longer describes $.author.name.",
    "assertion 3: The response no longer describes $.tags[0].a.",
    "assertion 4: The response no longer describes $['tags'][*].a.",
  ]);
});

test("an assertion on a path that was never described, or that holds without it, is not affected", () => {
  const assertions = [path("$.other"), path("$.id", "notExists"), path("$..id"), path("$.id", "notEquals", "x")];
  expect(sentencesOf({ assertions }, answer(object({ id: text })), answer(object({})))).toEqual([]);
});

test("a member that is no longer required may be missing", () => {
  const before = answer(object({ id: text }, { required: ["id"] }));
  expect(sentencesOf({ assertions: [path("$.id")] }, before, answer(object({ id: text })))).toEqual([
    "assertion 1: $.id may be missing from the response.",
  ]);
});

test("an expected value that the response no longer allows is named; a variable is not checked", () => {
  const before = answer(object({ state: { enum: ["open", "done"] } }));
  const after = answer(object({ state: { enum: ["open", "closed"] } }));
  const assertions = [
    path("$.state", "equals", "done"),
    path("$.state", "equals", "open"),
    path("$.state", "equals", "{{s}}"),
  ];
  expect(sentencesOf({ assertions }, before, after)).toEqual(['assertion 1: $.state can no longer be "done".']);
});

test("an expected status and header that are no longer documented are named", () => {
  const assertions = [
    { source: "statusCode", comparison: "equals", target: 201 },
    { source: "header", property: "Location", comparison: "isNotNull" },
  ];
  expect(sentencesOf({ assertions }, answer({}, ["location"]), answer({}, [], "200"))).toEqual([
    "assertion 1: The status 201 is no longer documented.",
    "assertion 2: The response no longer documents the header Location.",
  ]);
});

test("a capture says which variable loses its source", () => {
  const captures = [{ name: "bookId", source: "jsonPath", property: "$.id" }];
  expect(sentencesOf({ captures }, answer(object({ id: text })), answer(object({ key: text })))).toEqual([
    "capture 1: {{bookId}} may get no value: the response no longer describes $.id.",
  ]);
});

test("parameters that are gone, required now or of other values are named", () => {
  const request = {
    query: [
      { name: "limit", value: "500" },
      { name: "q", value: "a" },
      { name: "page", value: "{{n}}" },
    ],
  };
  const whole = (maximum: number) => ({ type: "integer", maximum });
  const before = { parameters: [query("limit", whole(500)), query("q", text), query("page", whole(9))] };
  const after = { parameters: [query("limit", whole(100)), query("page", whole(5)), query("lang", text, true)] };
  expect(sentencesOf({ request }, before, after)).toEqual([
    'request: The query parameter "limit" can no longer be "500".',
    'request: It sends the query parameter "q", which was removed.',
    'request: It lacks the query parameter "lang", which is required now.',
  ]);
});

test("a body is checked by both versions, and what was wrong before is not reported", () => {
  const request = { body: { kind: "json", text: '{"title":"A","count":"{{n}}","old":1,"wrong":5}' } };
  const count = { type: "integer" };
  const before = taking(object({ title: text, count, old: { type: "integer" }, wrong: text }));
  const closed = { required: ["title", "isbn"], additionalProperties: false };
  const after = taking(object({ title: { ...text, minLength: 2 }, count, wrong: text, isbn: text }, closed));
  expect(sentencesOf({ request }, before, after)).toEqual([
    'request: The request body lacks "isbn", which is required now.',
    'request: "title" of the request body is longer or shorter than documented now.',
    'request: "old" of the request body is refused now.',
  ]);
});

test("a media type and a credential that are no longer accepted are named", () => {
  const bindings = [{ schemeName: "key", credentialId: "0190a000-0000-7000-8000-000000000001" }];
  const request = { body: { kind: "json", text: "{}" }, authorization: { kind: "credentials", bindings } };
  const secured = (schemeName: string) => ({ security: [[{ schemeName, scopes: [] }]] });
  expect(
    sentencesOf({ request }, { ...taking({}), ...secured("key") }, { ...taking({}, "text/csv"), ...secured("login") }),
  ).toEqual([
    "request: The request body can no longer be application/json.",
    'request: It authorizes as "key", which is no longer accepted.',
  ]);
});

test("a base URL of the test's own that can't follow its operation is named, with what is sent", () => {
  const sentences = (baseUrl: string) => sentencesOf({ request: { baseUrl } }, {}, { path: "/v1/books" });
  expect(sentences("https://a.test/v1")).toEqual([]);
  expect(sentences("https://a.test/")).toEqual([
    "request: Its own base URL stays, so it is sent to https://a.test/v1/books and no longer to https://a.test/books.",
  ]);
});
