import { afterAll, beforeAll, expect, test } from "vitest";
import { fixturesIn } from "../../api-registry/testing/fixtures.ts";
import { requireAnswer } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { testInput } from "../../test-registry/contract/tests.ts";
import { findTestFaults } from "../../test-registry/domain/test-rules.ts";
import { createTestAnalyzerWorld } from "../testing/world.ts";

const [engine] = testEngines();
let world: Awaited<ReturnType<typeof createTestAnalyzerWorld>>;
beforeAll(async () => {
  if (!engine) throw new Error("no engine");
  world = await createTestAnalyzerWorld(engine);
});
afterAll(() => world.close());

async function suggestAll(document: string, files: { fileName?: string; files?: Record<string, string> } = {}) {
  const tenant = await world.createTenant();
  const apiId = await tenant.registerApi(document, files);
  const operations = await tenant.listOperations(apiId);
  const suggestions = [];
  for (let from = 0; from < operations.length; from += 50) {
    const body = { operations: operations.slice(from, from + 50).map(({ method, path }) => ({ method, path })) };
    const answer = await tenant.client.suggestTests({ params: { apiId }, body });
    suggestions.push(...requireAnswer(answer, "suggest").items);
  }
  return { operations, suggestions };
}

test.each(fixturesIn("valid").map((fixture) => [fixture.name, fixture] as const))(
  "every operation of %s has a test that can be saved once its gaps are filled",
  async (_, { document, fileName, files }) => {
    const { operations, suggestions } = await suggestAll(document, { fileName, files });
    expect(suggestions).toHaveLength(operations.length);
    for (const suggestion of suggestions) {
      const input = testInput.parse(suggestion.test);
      const faults = findTestFaults(input).map((fault) => fault.path);
      expect(faults.filter((path) => !suggestion.gaps.some((gap) => gap.path === path))).toEqual([]);
      expect(input.assertions).toHaveLength(1);
      expect(input.checks[0]).toBe("not_a_server_error");
    }
  },
  60_000,
);

test("a suggested test is what the document describes: parameters, body, headers and success", async () => {
  const schema = { type: "object", properties: { id: { type: "integer" } } };
  const parameter = (name: string, place: string, more: object) => ({
    name,
    in: place,
    schema: { type: "string" },
    ...more,
  });
  const { suggestions } = await suggestAll(
    JSON.stringify({
      openapi: "3.0.3",
      info: { title: "Pets", version: "1" },
      security: [{ key: [] }],
      paths: {
        "/shops/{shopId}/pets": {
          post: {
            summary: "  Adds a pet  ",
            parameters: [
              parameter("shopId", "path", { required: true, example: "b/1" }),
              parameter("X-Trace", "header", { required: true, example: "abc" }),
              parameter("Accept", "header", { required: true }),
              parameter("dryRun", "query", { example: "yes" }),
              parameter("verbose", "query", {}),
              {
                name: "tags",
                in: "query",
                required: true,
                schema: { type: "array", items: { type: "string" } },
                example: ["a", "b"],
              },
              {
                name: "filter",
                in: "query",
                required: true,
                style: "deepObject",
                explode: true,
                schema: { type: "object" },
                example: { color: "red", size: 5 },
              },
              { name: "ids", in: "query", required: true, explode: false, schema: { type: "array" }, example: [1, 2] },
              parameter("session", "cookie", { required: true, example: "s1" }),
            ],
            requestBody: {
              required: true,
              content: { "text/plain": {}, "application/json": { schema, example: { name: "Rex" } } },
            },
            responses: {
              "201": { description: "Added", content: { "application/json": { schema } } },
              "202": { description: "Later" },
              "400": { description: "Wrong" },
            },
          },
        },
      },
      components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
    }),
  );
  const [suggestion] = suggestions;
  const row = (name: string, value: string, enabled = true) => ({ name, value, enabled });
  expect(suggestion?.gaps).toEqual([]);
  expect(suggestion?.test).toMatchObject({
    name: "Adds a pet",
    method: "post",
    path: "/shops/{shopId}/pets",
    request: {
      pathParameters: [row("shopId", "b/1")],
      headers: [row("Accept", "application/json"), row("X-Trace", "abc")],
      cookies: [row("session", "s1")],
      body: { kind: "json", text: '{\n  "name": "Rex"\n}' },
      authorization: { kind: "inherit" },
    },
    assertions: [{ source: "statusCode", comparison: "oneOf", target: [201, 202] }],
    checks: [
      ...["not_a_server_error", "status_code_conformance", "content_type_conformance"],
      "response_schema_conformance",
    ],
  });
  const query = suggestion?.test.request.query ?? [];
  expect(query.filter(({ enabled }) => enabled)).toEqual([
    row("dryRun", "yes"),
    row("tags", "a"),
    row("tags", "b"),
    row("filter", '{"color":"red","size":5}'),
    row("ids", "1,2"),
  ]);
  expect(query.filter(({ enabled }) => !enabled).map(({ name }) => name)).toEqual(["verbose"]);
});

test("what a GET's answer holds is told, by its example or schema; other methods answer with nothing to take", async () => {
  const schema = {
    type: "object",
    properties: {
      books: {
        type: "array",
        items: { type: "object", properties: { id: { type: "integer" }, title: { type: "string" } } },
      },
    },
  };
  const responses = { 200: { description: "ok", content: { "application/json": { schema } } } };
  const { suggestions } = await suggestAll(
    JSON.stringify({
      ...{ openapi: "3.0.3", info: { title: "Lists", version: "1" } },
      paths: { "/books": { get: { responses }, post: { responses } } },
    }),
  );
  expect(suggestions.map(({ test, gives }) => [test.method, gives])).toEqual([
    ["get", ["id", "title"]],
    ["post", []],
  ]);
});

test("a second suggestion sends all fields; the first says how many it leaves out", async () => {
  const text = { type: "string" };
  const schema = {
    type: "object",
    required: ["name"],
    properties: { name: text, nick: text, age: { type: "integer" } },
  };
  const optional = (name: string, more: object) => ({ name, in: "query", schema: { ...text, ...more } });
  const document = JSON.stringify({
    ...{ openapi: "3.0.3", info: { title: "Fields", version: "1" } },
    paths: {
      "/pets": {
        post: {
          parameters: [optional("sort", { enum: ["up", "down"] }), optional("owner", {})],
          requestBody: { required: true, content: { "application/json": { schema } } },
          responses: { 201: { description: "Added" } },
        },
      },
    },
  });
  const tenant = await world.createTenant();
  const apiId = await tenant.registerApi(document);
  const suggest = async (fields: "required" | "all") => {
    const body = { operations: [{ method: "post", path: "/pets" }], fields };
    const [made] = requireAnswer(await tenant.client.suggestTests({ params: { apiId }, body }), "suggest").items;
    const { query, body: sent } = made!.test.request;
    const members = sent.kind === "json" ? Object.keys(JSON.parse(sent.text)) : [];
    return { leftOut: made!.leftOut, members, query: query.filter(({ enabled }) => enabled).map(({ value }) => value) };
  };
  expect(await suggest("required")).toEqual({ leftOut: 4, members: ["name"], query: [] });
  expect(await suggest("all")).toEqual({
    leftOut: 0,
    members: ["name", "nick", "age"],
    query: ["up", "{{owner}}"],
  });
});

test("O11: where no value can be made the gap is named", async () => {
  const { suggestions } = await suggestAll(
    JSON.stringify({
      openapi: "3.0.3",
      info: { title: "Bombs", version: "1" },
      paths: {
        "/long/{text}": {
          post: {
            parameters: [
              { name: "text", in: "path", required: true, schema: { type: "string", minLength: 1_000_000_000 } },
              {
                name: "many",
                in: "query",
                required: true,
                schema: { type: "array", minItems: 1_000_000_000, items: {} },
              },
            ],
            requestBody: {
              required: true,
              content: { "application/json": { schema: { $ref: "#/components/schemas/Node" } } },
            },
            responses: { "200": { description: "OK" } },
          },
        },
      },
      components: {
        schemas: {
          Node: {
            type: "object",
            required: ["next", "fine"],
            properties: {
              next: { $ref: "#/components/schemas/Node" },
              fine: { type: "number", multipleOf: 1e-300 },
            },
          },
        },
      },
    }),
  );
  expect(suggestions[0]?.gaps.map((gap) => gap.path)).toEqual(["request.query[0].value", "request.body.text"]);
  expect(suggestions[0]?.values).toEqual([{ name: "text", parameter: "text", in: "path" }]);
  expect(JSON.stringify(suggestions).length).toBeLessThan(1_048_576);
  testInput.parse(suggestions[0]?.test);
});

test("required values that the document does not give are variables, never made up", async () => {
  const parameter = (name: string, place: string, schema: object) => ({ name, in: place, required: true, schema });
  const operation = (path: string, parameters: object[]) => ({
    [path]: { get: { parameters, responses: { 200: { description: "OK" } } } },
  });
  const { suggestions } = await suggestAll(
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Invented", version: "1" },
      paths: {
        ...operation("/books/{id}", [
          parameter("id", "path", { type: "integer" }),
          parameter("X-Tenant", "header", { type: "string" }),
          parameter("state", "query", { enum: ["open", "closed"] }),
          parameter("deep", "query", { type: "boolean" }),
          { name: "page", in: "query", schema: { type: "integer" } },
        ]),
        ...operation("/authors/{id}/books/{bookId}", [
          parameter("id", "path", { type: "string", default: "me" }),
          parameter("bookId", "path", { type: "string", format: "uuid" }),
        ]),
        ...operation("/undescribed/{place}", []),
      },
    }),
  );
  const [book, author, place] = suggestions;
  expect(book!.values).toEqual([
    { name: "bookId", parameter: "id", in: "path" },
    { name: "X-Tenant", parameter: "X-Tenant", in: "header" },
  ]);
  expect(book!.test.request).toMatchObject({
    pathParameters: [{ name: "id", value: "{{bookId}}", enabled: true }],
    headers: [{ name: "X-Tenant", value: "{{X-Tenant}}", enabled: true }],
    query: [
      { name: "state", value: "open", enabled: true },
      { name: "deep", value: "true", enabled: true },
      { name: "page", enabled: false },
    ],
  });
  expect(book!.reason).toContain("The document gives no value of {{bookId}}, {{X-Tenant}}.");
  expect(author!.values).toEqual([{ name: "bookId", parameter: "bookId", in: "path" }]);
  expect(author!.test.request.pathParameters.map(({ value }) => value)).toEqual(["me", "{{bookId}}"]);
  expect(place!.values).toEqual([{ name: "place", parameter: "place", in: "path" }]);
  expect(suggestions.flatMap(({ gaps }) => gaps)).toEqual([]);
});

test("a body has what is required; what may be left out of a form stands ready, switched off", async () => {
  const schema = {
    type: "object",
    required: ["amount", "owner"],
    properties: {
      amount: { type: "string", format: "int64" },
      note: { type: "string" },
      owner: { type: "object", required: ["name"], properties: { name: { type: "string" }, age: { type: "integer" } } },
    },
  };
  const optional = { type: "object", properties: { note: { type: "string" } } };
  const post = (mediaType: string, content: object) => ({
    post: {
      requestBody: { required: true, content: { [mediaType]: content } },
      responses: { 200: { description: "OK" } },
    },
  });
  const { suggestions } = await suggestAll(
    JSON.stringify({
      openapi: "3.0.3",
      info: { title: "Bodies", version: "1" },
      paths: {
        "/json": post("application/json", { schema }),
        "/example": post("application/json", { schema, example: { amount: "7", note: "all of it" } }),
        "/optional": post("application/json", { schema: optional }),
        "/form": post("application/x-www-form-urlencoded", { schema }),
        "/parts": post("multipart/form-data", { schema }),
      },
    }),
  );
  const bodies = suggestions.map(({ test }) => test.request.body);
  const json = bodies.slice(0, 3).map((body) => JSON.parse((body as { text: string }).text));
  expect(json).toEqual([
    { amount: "1", owner: { name: "string" } },
    { amount: "7", note: "all of it" },
    { note: "string" },
  ]);
  const off = (rows: { name: string; enabled: boolean }[]) =>
    rows.filter(({ enabled }) => !enabled).map(({ name }) => name);
  const [form, parts] = bodies.slice(3);
  expect(form?.kind === "form" && off(form.fields)).toEqual(["note"]);
  expect(parts?.kind === "multipart" && off(parts.parts)).toEqual(["note"]);
});

test("where no operations are named, all of the API are suggested, page by page", async () => {
  const tenant = await world.createTenant();
  const answer = { responses: { 200: { description: "Done" } } };
  const paths = Object.fromEntries(["/a", "/b", "/c"].map((path) => [path, { get: answer }]));
  const apiId = await tenant.registerApi(
    JSON.stringify({ openapi: "3.0.3", info: { title: "Pages", version: "1" }, paths }),
  );
  const page = async (cursor?: string) =>
    requireAnswer(await tenant.client.suggestTests({ params: { apiId }, query: { limit: 2, cursor } }), "suggest");
  const first = await page();
  const last = await page(first.nextCursor as string);
  expect([first, last].map(({ items }) => items.map(({ test }) => test.path))).toEqual([["/a", "/b"], ["/c"]]);
  expect(last.nextCursor).toBeNull();
});
