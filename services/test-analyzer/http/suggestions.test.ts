import { afterAll, beforeAll, expect, test } from "vitest";
import { testInput } from "#contracts/test-registry/tests.ts";
import { fixturesIn } from "../../api-registry/testing/fixtures.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { findTestErrors } from "../../test-registry/domain/test-rules.ts";
import { suggestAll } from "../testing/suggest-all.ts";
import { createTestAnalyzerWorld } from "../testing/world.ts";

const [engine] = testEngines();
let world: Awaited<ReturnType<typeof createTestAnalyzerWorld>>;
beforeAll(async () => {
  if (!engine) throw new Error("no engine");
  world = await createTestAnalyzerWorld(engine);
});
afterAll(() => world.close());

test.each(fixturesIn("valid").map((fixture) => [fixture.name, fixture] as const))(
  "every operation of %s has a test that can be saved once its gaps are filled",
  async (_, { document, fileName, files }) => {
    const { operations, suggestions } = await suggestAll(world, document, { fileName, files });
    expect(suggestions).toHaveLength(operations.length);
    for (const suggestion of suggestions) {
      const input = testInput.parse(suggestion.test);
      const errors = findTestErrors(input).map((error) => error.path);
      expect(errors.filter((path) => !suggestion.gaps.some((gap) => gap.path === path))).toEqual([]);
      expect(input.assertions).toHaveLength(1);
      expect(input.checks[0]).toBe("not_a_server_error");
    }
  },
  60_000,
);

test("a suggested test matches the document: parameters, body, headers and success", async () => {
  const schema = { type: "object", properties: { id: { type: "integer" } } };
  const parameter = (name: string, location: string, more: object) => ({
    name,
    in: location,
    schema: { type: "string" },
    ...more,
  });
  const { suggestions } = await suggestAll(
    world,
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

test("without named operations all operations of the API are suggested, page by page", async () => {
  const tenant = await world.createTenant();
  const result = { responses: { 200: { description: "Done" } } };
  const paths = Object.fromEntries(["/a", "/b", "/c"].map((path) => [path, { get: result }]));
  const apiId = await tenant.registerApi(
    JSON.stringify({ openapi: "3.0.3", info: { title: "Pages", version: "1" }, paths }),
  );
  const page = async (cursor?: string) =>
    requireValue(await tenant.client.suggestTests({ params: { apiId }, query: { limit: 2, cursor } }), "suggest");
  const first = await page();
  const last = await page(first.nextCursor as string);
  expect([first, last].map(({ items }) => items.map(({ test }) => test.path))).toEqual([["/a", "/b"], ["/c"]]);
  expect(last.nextCursor).toBeNull();
});

test("a test of a stream reads one event of it, since it may not end", async () => {
  const responses = (mediaType: string) => ({ 200: { description: "Fine", content: { [mediaType]: {} } } });
  const { suggestions } = await suggestAll(
    world,
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Pets", version: "1" },
      paths: {
        "/events": { get: { responses: responses("text/event-stream") } },
        "/pets": { get: { responses: responses("application/json") } },
      },
    }),
  );
  expect(suggestions.map(({ test: { path, request } }) => [path, request.readUntil])).toEqual([
    ["/events", { kind: "items", count: 1 }],
    ["/pets", undefined],
  ]);
});
