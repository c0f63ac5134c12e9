import { afterAll, beforeAll, expect, test } from "vitest";
import { testInput } from "#contracts/test-registry/tests.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { suggestAll } from "../testing/suggest-all.ts";
import { createTestAnalyzerWorld } from "../testing/world.ts";

const [engine] = testEngines();
let world: Awaited<ReturnType<typeof createTestAnalyzerWorld>>;
beforeAll(async () => {
  if (!engine) throw new Error("no engine");
  world = await createTestAnalyzerWorld(engine);
});
afterAll(() => world.close());

test("a second suggestion sends all fields; the first gives the number of omitted ones", async () => {
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
    const [made] = requireValue(await tenant.client.suggestTests({ params: { apiId }, body }), "suggest").items;
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

test("O11: a gap is named when no value can be generated", async () => {
  const { suggestions } = await suggestAll(
    world,
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

test("required values that are missing in the document are variables, never invented", async () => {
  const parameter = (name: string, location: string, schema: object) => ({
    name,
    in: location,
    required: true,
    schema,
  });
  const operation = (path: string, parameters: object[]) => ({
    [path]: { get: { parameters, responses: { 200: { description: "OK" } } } },
  });
  const { suggestions } = await suggestAll(
    world,
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
  const [book, author, location] = suggestions;
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
  expect(location!.values).toEqual([{ name: "place", parameter: "place", in: "path" }]);
  expect(suggestions.flatMap(({ gaps }) => gaps)).toEqual([]);
});

test("a body has its required parts; optional form fields are included but disabled", async () => {
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
    world,
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
  expect(json).toEqual([{ amount: "1", owner: { name: "string" } }, { amount: "7", note: "all of it" }, {}]);
  const off = (rows: { name: string; enabled: boolean }[]) =>
    rows.filter(({ enabled }) => !enabled).map(({ name }) => name);
  const [form, parts] = bodies.slice(3);
  expect(form?.kind === "form" && off(form.fields)).toEqual(["note"]);
  expect(parts?.kind === "multipart" && off(parts.parts)).toEqual(["note"]);
});
