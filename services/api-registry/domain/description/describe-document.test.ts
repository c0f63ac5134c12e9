import { expect, test } from "vitest";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { readDocument } from "../../testing/reading.ts";

interface Described {
  operations: Record<string, DescribedOperation>;
  components: Record<string, unknown>;
  messages: string[];
}

async function describeText(document: unknown, files: Record<string, string> = {}): Promise<Described> {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  const imported = await readDocument({ document: text, fileName: "openapi.yaml", files });
  const operations = imported.operations.map((row) => [`${row.method} ${row.path}`, JSON.parse(row.described)]);
  return {
    operations: Object.fromEntries(operations) as Record<string, DescribedOperation>,
    components: Object.fromEntries(imported.components.map(({ reference, body }) => [reference, JSON.parse(body)])),
    messages: imported.problems.map(({ message }) => message),
  };
}

const info = { title: "A", version: "1" };
const ok = { "200": { description: "ok" } };

test("a 2.0 operation is described in the terms of 3.x", async () => {
  const { operations, messages } = await describeText({
    swagger: "2.0",
    info,
    host: "api.example.com",
    basePath: "/v1/",
    schemes: ["http", "https"],
    consumes: ["application/json"],
    produces: ["application/json", "application/xml"],
    paths: {
      "/pets/{id}": {
        parameters: [{ name: "id", in: "path", required: true, type: "integer", format: "int64" }],
        post: {
          schemes: ["https"],
          parameters: [
            { name: "ids", in: "query", type: "array", items: { type: "string" }, collectionFormat: "multi" },
            { name: "tags", in: "query", type: "array", items: { type: "string" }, collectionFormat: "pipes" },
            { name: "body", in: "body", required: true, description: "A pet", schema: { $ref: "#/definitions/Pet" } },
          ],
          responses: {
            "200": {
              description: "ok",
              schema: { type: "file" },
              headers: { "X-Rate": { type: "integer", description: "Left" } },
            },
          },
        },
        put: {
          consumes: ["multipart/form-data"],
          parameters: [
            { name: "photo", in: "formData", type: "file", required: true },
            { name: "labels", in: "formData", type: "array", items: { type: "string" }, collectionFormat: "csv" },
          ],
          responses: ok,
        },
      },
    },
    definitions: {
      Pet: {
        type: "object",
        discriminator: "kind",
        required: ["kind"],
        properties: { kind: { type: "string", "x-nullable": true } },
      },
    },
  });
  expect(messages).toEqual([]);
  const post = operations["post /pets/{id}"]!;
  expect(post.servers.map(({ resolvedUrl }) => resolvedUrl)).toEqual(["https://api.example.com/v1"]);
  expect(
    post.parameters.map(({ name, in: location, style, explode, required }) => [
      name,
      location,
      style,
      explode,
      required,
    ]),
  ).toEqual([
    ["id", "path", "simple", false, true],
    ["ids", "query", "form", true, false],
    ["tags", "query", "pipeDelimited", false, false],
  ]);
  expect(post.parameters[0]!.schema).toEqual({ type: "integer", format: "int64" });
  expect(post.requestBody).toMatchObject({
    required: true,
    description: "A pet",
    content: [{ mediaType: "application/json", schema: { $ref: "#/definitions/Pet" }, sample: { kind: "Pet" } }],
  });
  expect(post.responses[0]).toMatchObject({
    content: [
      { mediaType: "application/json", schema: { type: "string", format: "binary" } },
      { mediaType: "application/xml" },
    ],
    headers: [{ name: "X-Rate", description: "Left", schema: { type: "integer" } }],
  });
  expect(operations["put /pets/{id}"]!.requestBody).toMatchObject({
    required: true,
    content: [
      {
        mediaType: "multipart/form-data",
        schema: {
          type: "object",
          required: ["photo"],
          properties: { photo: { type: "string", format: "binary" }, labels: { type: "array" } },
        },
        encoding: { labels: { style: "form", explode: false } },
      },
    ],
  });
});

test("2.0's definitions are translated in the components", async () => {
  const { components } = await describeText({
    swagger: "2.0",
    info,
    paths: { "/a": { get: { responses: { "200": { description: "ok", schema: { $ref: "#/definitions/Pet" } } } } } },
    definitions: {
      Pet: {
        type: "object",
        discriminator: "kind",
        required: ["kind"],
        properties: { kind: { type: "string", "x-nullable": true } },
      },
    },
  });
  expect(components["#/definitions/Pet"]).toMatchObject({
    discriminator: { propertyName: "kind" },
    properties: { kind: { type: "string", nullable: true } },
  });
});

test("an operation's own parameters, servers and security replace those above it", async () => {
  const { operations } = await describeText({
    openapi: "3.0.3",
    info,
    servers: [
      {
        url: "https://{region}.example.com/{version}",
        variables: { region: { default: "eu" }, version: { default: "v1" } },
      },
    ],
    security: [{ key: [] }],
    paths: {
      "/a": {
        servers: [{ url: "https://path.example.com/" }],
        parameters: [
          { name: "x", in: "query", schema: { type: "string" } },
          { name: "y", in: "header", schema: { type: "string" } },
        ],
        get: {
          parameters: [{ name: "x", in: "query", required: true, schema: { type: "integer" } }],
          security: [],
          responses: ok,
        },
        put: { servers: [{ url: "/relative" }], security: [{}, { key: [] }], responses: ok },
      },
      "/b": { get: { responses: ok } },
    },
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
  });
  const get = operations["get /a"]!;
  expect(get.parameters.map(({ name, required, schema }) => [name, required, schema])).toEqual([
    ["x", true, { type: "integer" }],
    ["y", false, { type: "string" }],
  ]);
  expect(get.security).toEqual([]);
  expect(get.servers[0]!.resolvedUrl).toBe("https://path.example.com");
  expect(operations["put /a"]!.servers).toEqual([{ url: "/relative", variables: [] }]);
  expect(operations["put /a"]!.security).toEqual([[], [{ schemeName: "key", scopes: [] }]]);
  expect(operations["get /b"]!.servers[0]!.resolvedUrl).toBe("https://eu.example.com/v1");
  expect(operations["get /b"]!.security).toEqual([[{ schemeName: "key", scopes: [] }]]);
});

test("siblings of a reference count from 3.1 on, and only its description before", async () => {
  const document = (openapi: string) => ({
    openapi,
    info,
    paths: {
      "/a": {
        get: {
          responses: {
            "200": {
              description: "ok",
              content: {
                "application/json": { schema: { $ref: "#/components/schemas/A", description: "Mine", readOnly: true } },
              },
            },
          },
        },
      },
    },
    components: { schemas: { A: { type: "string" } } },
  });
  const getSchema = async (openapi: string) =>
    (await describeText(document(openapi))).operations["get /a"]!.responses[0]!.content[0]!.schema;
  expect(await getSchema("3.0.0")).toEqual({ $ref: "#/components/schemas/A", description: "Mine" });
  expect(await getSchema("3.1.0")).toEqual({ $ref: "#/components/schemas/A", description: "Mine", readOnly: true });
});

test("references to any location, to anchors and to names of schemas become components", async () => {
  const { operations, components, messages } = await describeText({
    openapi: "3.1.0",
    info,
    paths: {
      "/a": {
        get: {
          responses: {
            "200": {
              description: "ok",
              content: { "application/json": { schema: { type: "object", title: "Inline" } } },
            },
          },
        },
      },
      "/b": {
        get: {
          responses: {
            "200": {
              description: "1",
              content: {
                "application/json": {
                  schema: { $ref: "#/paths/~1a/get/responses/200/content/application~1json/schema" },
                },
              },
            },
            "201": { description: "2", content: { "application/json": { schema: { $ref: "#named" } } } },
            "202": {
              description: "3",
              content: { "application/json": { schema: { $ref: "https://example.com/pet" } } },
            },
            "203": {
              description: "4",
              content: { "application/json": { schema: { $ref: "#/components/schemas/With%20Space" } } },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        A: { $anchor: "named", type: "string" },
        B: { $id: "https://example.com/pet", $schema: "https://json-schema.org/draft/2020-12/schema", type: "integer" },
        "With Space": { type: "boolean" },
      },
    },
  });
  expect(messages).toEqual([expect.stringContaining('"With Space" can\'t be used as a name')]);
  const references = operations["get /b"]!.responses.map(
    ({ content }) => (content[0]!.schema as { $ref: string }).$ref,
  );
  expect(references).toEqual([
    "#/paths/~1a/get/responses/200/content/application~1json/schema",
    "#/components/schemas/A",
    "#/components/schemas/B",
    "#/components/schemas/With Space",
  ]);
  expect(references.map((reference) => components[reference])).toEqual([
    { type: "object", title: "Inline" },
    { type: "string" },
    { type: "integer" },
    { type: "boolean" },
  ]);
});

test("parameters, bodies, responses, headers, examples, links and path items are resolved where they are used", async () => {
  const { operations, messages } = await describeText({
    openapi: "3.1.0",
    info,
    paths: { "/a": { $ref: "#/components/pathItems/A" } },
    components: {
      pathItems: {
        A: {
          post: {
            operationId: "postA",
            parameters: [{ $ref: "#/components/parameters/P" }],
            requestBody: { $ref: "#/components/requestBodies/B" },
            responses: { default: { $ref: "#/components/responses/R" }, "201": { $ref: "#/components/responses/R" } },
          },
        },
      },
      parameters: {
        P: { name: "p", in: "query", content: { "application/json": { schema: { type: "integer" }, example: 7 } } },
      },
      requestBodies: {
        B: {
          description: "Body",
          content: { "application/json": { examples: { one: { $ref: "#/components/examples/E" } }, schema: {} } },
        },
      },
      examples: { E: { summary: "One", value: { a: 1 } } },
      responses: {
        R: {
          description: "Result",
          headers: { "X-A": { $ref: "#/components/headers/H" }, "Content-Type": { schema: {} } },
          links: { next: { $ref: "#/components/links/L" } },
        },
      },
      headers: { H: { description: "Header", required: true, schema: { type: "string" } } },
      links: { L: { operationId: "postA", parameters: { p: "$response.body#/p" } } },
    },
  });
  expect(messages).toEqual([]);
  const operation = operations["post /a"]!;
  expect(operation.parameters).toMatchObject([
    { name: "p", contentMediaType: "application/json", sample: 7, schema: { type: "integer" } },
  ]);
  expect(operation.requestBody).toMatchObject({
    required: false,
    description: "Body",
    content: [
      { mediaType: "application/json", examples: [{ name: "one", summary: "One", value: { a: 1 } }], sample: { a: 1 } },
    ],
  });
  expect(operation.responseStatuses).toEqual(["201", "default"]);
  expect(operation.responses[0]).toMatchObject({
    description: "Result",
    headers: [{ name: "X-A", required: true }],
    links: [{ name: "next", operationId: "postA", parameters: { p: "$response.body#/p" } }],
  });
});

test("callbacks and webhooks are described", async () => {
  const imported = await readDocument({
    document: JSON.stringify({
      openapi: "3.1.0",
      info,
      paths: {
        "/subscribe": {
          post: {
            callbacks: {
              event: {
                "{$request.body#/url}": {
                  post: {
                    summary: "Event",
                    requestBody: { content: { "application/json": { schema: { type: "string" } } } },
                    responses: ok,
                  },
                },
              },
            },
            responses: ok,
          },
        },
      },
      webhooks: { created: { post: { summary: "Created", responses: ok } } },
    }),
  });
  expect(imported.operations.map(({ kind, method, path }) => [kind, method, path])).toEqual([
    ["operation", "post", "/subscribe"],
    ["webhook", "post", "created"],
  ]);
  const operation = JSON.parse(imported.operations[0]!.described) as DescribedOperation;
  expect(operation.callbacks).toMatchObject([
    {
      name: "event",
      expression: "{$request.body#/url}",
      method: "post",
      summary: "Event",
      requestBody: { content: [{ mediaType: "application/json", sample: "string" }] },
      responses: [{ status: "200", description: "ok" }],
    },
  ]);
  expect(imported.inspection).toMatchObject({ operationCount: 1, webhookCount: 1 });
});

test("3.2's own methods, query strings and streams are described", async () => {
  const { operations, messages } = await describeText({
    openapi: "3.2.0",
    info,
    paths: {
      "/a": {
        query: {
          parameters: [
            {
              name: "q",
              in: "querystring",
              content: { "application/x-www-form-urlencoded": { schema: { type: "object" } } },
            },
          ],
          responses: {
            "200": { summary: "Stream", content: { "application/jsonl": { itemSchema: { type: "integer" } } } },
          },
        },
        additionalOperations: { COPY: { responses: ok } },
      },
    },
  });
  expect(messages).toEqual([]);
  expect(Object.keys(operations)).toEqual(["query /a", "COPY /a"]);
  expect(operations["query /a"]!.parameters[0]).toMatchObject({
    in: "querystring",
    contentMediaType: "application/x-www-form-urlencoded",
  });
  expect(operations["query /a"]!.responses[0]).toMatchObject({
    description: "Stream",
    content: [{ schema: { type: "array", items: { type: "integer" } }, sample: [1] }],
  });
});

test("a discriminator's schemas are dependencies of an operation, however they are named", async () => {
  const schemas = {
    Pet: {
      type: "object",
      discriminator: { propertyName: "kind", mapping: { cat: "Cat", dog: "#/components/schemas/Dog" } },
      properties: { kind: { type: "string" } },
    },
    Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }] },
    Dog: { allOf: [{ $ref: "#/components/schemas/Pet" }] },
  };
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } };
  const imported = await readDocument({
    document: JSON.stringify({
      openapi: "3.0.0",
      info,
      paths: { "/a": { get: { responses: { "200": { description: "ok", content } } } } },
      components: { schemas },
    }),
  });
  const reached = imported.dependencySets[imported.operations[0]!.dependencySet]!.ordinals.map(
    (ordinal) => imported.components[ordinal]!,
  );
  expect(reached.map(({ reference }) => reference).sort()).toEqual([
    "#/components/schemas/Cat",
    "#/components/schemas/Dog",
    "#/components/schemas/Pet",
  ]);
  const pet = JSON.parse(reached.find(({ reference }) => reference.endsWith("Pet"))!.body) as {
    discriminator: unknown;
  };
  expect(pet.discriminator).toEqual({
    propertyName: "kind",
    mapping: { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" },
  });
});

test("files reference each other by paths relative to themselves", async () => {
  const { operations, components, messages } = await describeText(
    `openapi: 3.0.3
info: {title: A, version: "1"}
paths:
  /a: {$ref: "paths/a.yaml"}
`,
    {
      "paths/a.yaml": `get:
  parameters: [{$ref: "../parameters.json#/limit"}]
  responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "../schemas/pet.yaml"}}}}}
`,
      "parameters.json":
        '{"limit": {"name": "limit", "in": "query", "schema": {"$ref": "schemas/pet.yaml#/properties/age"}}}',
      "schemas/pet.yaml": "{type: object, properties: {age: {type: integer}, friend: {$ref: pet.yaml}}}",
    },
  );
  expect(messages).toEqual([]);
  expect(operations["get /a"]!.parameters[0]!.schema).toEqual({ $ref: "schemas/pet.yaml#/properties/age" });
  expect(operations["get /a"]!.responses[0]!.content[0]!.schema).toEqual({ $ref: "schemas/pet.yaml" });
  expect(components).toEqual({
    "schemas/pet.yaml#/properties/age": { type: "integer" },
    "schemas/pet.yaml": {
      type: "object",
      properties: { age: { type: "integer" }, friend: { $ref: "schemas/pet.yaml" } },
    },
  });
});

test("a missing file is reported at the reference", async () => {
  const { messages } = await describeText(
    'openapi: 3.0.3\ninfo: {title: A, version: "1"}\npaths:\n  /a: {$ref: "a.yaml"}\n',
  );
  expect(messages).toEqual([expect.stringContaining('"a.yaml" is not among those given')]);
});

test("YAML merge keys and aliases are expanded", async () => {
  const { operations, messages } = await describeText(`openapi: 3.0.3
info: {title: A, version: "1"}
x-common: &common
  responses: {"200": {description: ok}}
paths:
  /a:
    get:
      <<: *common
      summary: A
    put: *common
`);
  expect(messages).toEqual([]);
  expect(operations["get /a"]).toMatchObject({ summary: "A", responseStatuses: ["200"] });
  expect(operations["put /a"]).toMatchObject({ summary: "", responseStatuses: ["200"] });
});
