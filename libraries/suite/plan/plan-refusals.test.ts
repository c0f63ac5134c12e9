import { expect, test } from "vitest";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import type { OperationKey } from "#contracts/api-registry/resources.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { buildGraph } from "../graph/build-graph.ts";
import { list, object, operation, ref, text } from "../testing/operations.ts";
import type { OtherCredential } from "./known.ts";
import { planSuite } from "./plan-suite.ts";

const integer = { type: "integer" };
const bookInput = {
  ...object({ title: { type: "string", minLength: 1 }, pages: { type: "integer", minimum: 1 } }, ["title"]),
  additionalProperties: false,
};
const components = {
  "#/components/schemas/Book": object({ id: integer, title: text, pages: integer }, ["id", "title"]),
  "#/components/schemas/BookInput": bookInput,
};
const limit = { name: "limit", in: "query" as const, required: false, schema: { type: "integer", maximum: 100 } };
const bookId = { name: "bookId", in: "path" as const, required: true, schema: integer };
const security = [[{ schemeName: "key", scopes: [] }]];

const listBooks = operation("GET /books", { responses: { 200: list(ref("Book")) }, parameters: [limit] });
const createBook = operation("POST /books", { body: ref("BookInput"), responses: { 201: ref("Book"), 400: null } });
const readBook = { ...operation("GET /books/{bookId}", { responses: { 200: ref("Book") } }), parameters: [] };
const withId = (one: DescribedOperation) => ({
  ...one,
  parameters: [{ ...limit, ...bookId, style: "simple" as const, explode: false, examples: [] } as never],
});
const changeBook = operation("PATCH /books/{bookId}", { body: ref("BookInput"), responses: { 200: ref("Book") } });
const removeBook = operation("DELETE /books/{bookId}", { responses: { 204: null } });
const books = [listBooks, createBook, withId(readBook), withId(changeBook), withId(removeBook)];

function plan(
  operations: DescribedOperation[],
  undocumented: OperationKey[] = [],
  otherCredentials: OtherCredential[] = [],
) {
  const { resources, consumers } = buildGraph(operations, components);
  const surroundings = { apiId: "api", specificationVersion: "3.1" as const, components, securitySchemes: [] };
  const described = operations.map((one) => ({ ...surroundings, operation: one }));
  const { circles, tests } = planSuite({
    ...{ wanted: operations, operations: described, resources, consumers, undocumented, otherCredentials },
  });
  const find = (key: string) => tests.find((one) => one.key === key)!.test;
  const invalid = circles.filter(({ kind }) => kind === "refusals");
  return { circles, invalid, find, tests };
}

const cases = ({ data = [] }: { data?: Record<string, string>[] | undefined }) => data.map((row) => row.case);

test("a resource gets a circle of invalid requests beside its life, on what the run makes and removes", () => {
  const { invalid, find } = plan(books);
  const [circle, ...others] = invalid;
  expect(others).toEqual([]);
  expect(circle).toMatchObject({
    key: "refusals life /books/{}",
    name: "Invalid requests: books",
    isSafe: true,
    leaves: [],
  });
  expect(
    circle!.steps.map(({ phase, does, test: key, effect }) => `${phase} ${does}: ${key} ${effect ?? ""}`.trim()),
  ).toEqual([
    "setUp create: create post /books makes",
    "main refuse: refuse get /books",
    "main refuse: refuse post /books makes",
    "main refuse: refuse get /books/{bookId}",
    "main refuse: refuse patch /books/{bookId}",
    "tearDown remove: remove accepted delete /books/{bookId}",
    "tearDown remove: remove delete /books/{bookId}",
  ]);
  expect(cases(find("refuse get /books"))).toEqual([
    "limit is a string, a whole number is documented",
    "limit is 101, at most 100",
    "limit is 1.5, a whole number is documented",
  ]);
  expect(cases(find("refuse get /books/{bookId}"))).toEqual(["bookId is a string, a whole number is documented"]);
});

test("one test has a row for each rule, the most valuable first, and differs from a valid request in that alone", () => {
  const { find } = plan(books);
  const { data = [], ...refusing } = find("refuse post /books");
  expect(refusing).toMatchObject({
    name: "POST /books refuses invalid requests",
    request: { body: { kind: "json", text: "{{body}}" } },
    assertions: [],
    checks: ["negative_data_rejection", "status_code_conformance"],
  });
  expect(data).toEqual([
    { case: "title is missing", body: "{}" },
    { case: "the body is empty", body: "" },
    { case: "the body is a string, an object is documented", body: '"abc"' },
    { case: "title is a number, a string is documented", body: '{"title":5}' },
    { case: "the body is no JSON", body: '{"' },
    { case: "pages is a string, a whole number is documented", body: '{"title":"Book {{$uuid}}","pages":"abc"}' },
    { case: "title is empty", body: '{"title":""}' },
    { case: "pages is 0, at least 1", body: '{"title":"Book {{$uuid}}","pages":0}' },
    { case: "a member that is not documented", body: '{"title":"Book {{$uuid}}","notDocumented":"a"}' },
    { case: "title is null", body: '{"title":null}' },
    { case: "pages is 1.5, a whole number is documented", body: '{"title":"Book {{$uuid}}","pages":1.5}' },
  ]);
});

test("what is created although it is invalid is captured by its row and removed", () => {
  const { find } = plan(books);
  const refusing = find("refuse post /books");
  expect(refusing.captures).toEqual([
    { name: "acceptedBookId#", source: "jsonPath", property: "$.id", optional: true },
  ]);
  const removal = find("remove accepted delete /books/{bookId}");
  expect(removal.request.pathParameters).toEqual([{ name: "bookId", value: "{{acceptedBookId}}", enabled: true }]);
  expect(removal.data).toHaveLength(refusing.data!.length);
  expect(removal.data![1]).toEqual({ case: "the body is empty", acceptedBookId: "{{acceptedBookId2}}" });
});

test("requests without credentials come last, that for a removal as the very last", () => {
  const secured = books.map((one) => ({ ...one, security }));
  const { invalid, find } = plan(secured);
  const main = invalid[0]!.steps.filter(({ phase }) => phase === "main").map((step) => step.test);
  expect(main.slice(-5)).toEqual([
    "open get /books",
    "open post /books",
    "open get /books/{bookId}",
    "open patch /books/{bookId}",
    "open delete /books/{bookId}",
  ]);
  expect(find("open post /books")).toMatchObject({
    name: "POST /books refuses a request without credentials",
    request: { authorization: { kind: "none" } },
    captures: [{ name: "openBookId", optional: true }],
    checks: ["negative_data_rejection"],
  });
  expect(find("remove accepted delete /books/{bookId}").data!.at(-1)).toEqual({
    case: "no credentials",
    acceptedBookId: "{{openBookId}}",
  });
});

test("what a run can't remove is not created, and what it did not create is not changed", () => {
  const { invalid, find } = plan(books.filter(({ method }) => method !== "delete"));
  const sent = invalid.flatMap(({ steps }) => steps.map((step) => find(step.test)));
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.filter(({ method }) => !isSafe(method))).toEqual([]);
});

test("a GET that changes something by its name is not sent, and a call that needs nothing is", () => {
  const query = [limit];
  const { invalid } = plan([
    operation("GET /logout", { parameters: query }),
    operation("GET /statistics", { parameters: query }),
    operation("POST /reset", { body: ref("BookInput") }),
  ]);
  expect(invalid.flatMap(({ steps }) => steps.map((step) => step.test))).toEqual(["refuse get /statistics"]);
  expect(invalid[0]!.key).toMatch(/^refusals calls /);
});

test("a method that the document does not have is tried on what the run made", () => {
  const put = { method: "put", path: "/books/{bookId}" };
  const { invalid, find } = plan(books, [put]);
  const key = "method put get /books/{bookId}";
  expect(invalid[0]!.steps.map((step) => step.test)).toContain(key);
  expect(find(key)).toMatchObject({
    ...{ ...put, name: "PUT /books/{bookId} is refused: the document has no such method" },
    request: { pathParameters: [{ name: "bookId", value: "{{bookId}}" }], body: { kind: "none" } },
    checks: ["negative_data_rejection"],
  });
  const kept = books.filter(({ method }) => method !== "delete");
  expect(plan(kept, [put]).tests.map((one) => one.key)).not.toContain(key);
});

test("what only its body names is not changed by an invalid request", () => {
  const byBody = object({ id: integer, title: text }, ["id", "title"]);
  const replace = operation("PUT /books", { body: byBody, responses: { 200: ref("Book") } });
  const { tests } = plan([...books.filter(({ method }) => method !== "patch"), replace]);
  expect(tests.map((one) => one.key).filter((key) => /^(refuse|open) put/.test(key))).toEqual([]);
});

test("where a second credential is stored, what the run made is neither read nor changed by it, the removal last", () => {
  const secured = books.map((one) => ({ ...one, security }));
  const second = { schemeName: "key", credentialId: "0b0e6f3c-53cd-4a5c-8a3b-7f5a0f4d8f11", name: "Second key" };
  const { invalid, find } = plan(secured, [], [second]);
  const main = invalid[0]!.steps.filter(({ phase }) => phase === "main").map((step) => step.test);
  expect(main.slice(-3)).toEqual([
    "other get /books/{bookId}",
    "other patch /books/{bookId}",
    "other delete /books/{bookId}",
  ]);
  expect(find("other get /books/{bookId}")).toMatchObject({
    name: "GET /books/{bookId} refuses Second key, another account's",
    request: {
      pathParameters: [{ name: "bookId", value: "{{bookId}}" }],
      authorization: { kind: "credentials", bindings: [{ schemeName: "key", credentialId: second.credentialId }] },
    },
    assertions: [{ source: "statusCode", comparison: "oneOf", target: [401, 403, 404, 410] }],
  });
  const other = { ...second, schemeName: "another scheme" };
  expect(plan(secured, [], [other]).tests.filter(({ key }) => key.startsWith("other"))).toEqual([]);
});
