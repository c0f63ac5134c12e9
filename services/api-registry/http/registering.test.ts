import { afterAll, beforeAll, expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { fixture, smallDocument } from "../testing/fixtures.ts";
import { type OpenRegistry, openRegistry, tableEgress } from "../testing/registry.ts";

const small = JSON.stringify(smallDocument());

for (const engine of testEngines()) {
  let registry: OpenRegistry;
  const egress = tableEgress({
    "https://files.example.com/api/openapi.yaml": {
      body: fixture("valid", "swagger-petstore-v30.yaml").document.replace(
        "https://petstore3.swagger.io/api/v3",
        "/api/v3",
      ),
    },
    "https://files.example.com/api/broken.yaml": { body: "<!doctype html><title>Docs</title>" },
    "https://files.example.com/api/none": { status: 404, body: "no" },
    "https://files.example.com/api/empty": { status: 204, body: "" },
    "https://files.example.com/split/openapi.yaml": {
      body: `openapi: 3.1.0
info: {title: Split, version: "1"}
servers: [{url: ../v1}]
paths:
  /pets: {$ref: "paths/pets.yaml"}
`,
    },
    "https://files.example.com/split/paths/pets.yaml": {
      body: `get:
  responses:
    "200":
      description: Pets
      content: {application/json: {schema: {$ref: "../schemas/pet.yaml#/Pet"}}}
`,
    },
    "https://files.example.com/split/schemas/pet.yaml": {
      body: `Pet: {type: object, properties: {name: {type: string}, mother: {$ref: "#/Pet"}}}`,
    },
  });

  beforeAll(async () => {
    registry = await openRegistry(engine, { egress });
  });
  afterAll(() => registry.close());

  async function register(url: string): Promise<string> {
    return await registry.register({ source: { url } });
  }

  test(`${engine.name}: a document is registered from its URL, through the egress client`, async () => {
    const apiId = await register("https://files.example.com/api/openapi.yaml");
    const response = await registry.client.getApi({ params: { apiId } });
    expect(response.ok && response.value.effectiveBaseUrl).toBe("https://files.example.com/api/v3");
    expect(response.ok && response.value.document.sourceUrl).toBe("https://files.example.com/api/openapi.yaml");
  });

  test(`${engine.name}: files next to a fetched document are fetched too`, async () => {
    const apiId = await register("https://files.example.com/split/openapi.yaml");
    const response = await registry.client.getOperation({ params: { apiId, method: "get", pathName: "/pets" } });
    if (!response.ok) throw new Error(JSON.stringify(response.problem));
    expect(response.value.operation.responses[0]!.content[0]!.schema).toEqual({ $ref: "schemas/pet.yaml#/Pet" });
    expect(response.value.components).toEqual({
      "schemas/pet.yaml#/Pet": {
        type: "object",
        properties: { name: { type: "string" }, mother: { $ref: "schemas/pet.yaml#/Pet" } },
      },
    });
    expect(response.value.operation.servers[0]!.resolvedUrl).toBe("https://files.example.com/v1");
  });

  for (const [what, url, words] of [
    ["a web page", "https://files.example.com/api/broken.yaml", "web page"],
    ["a missing page", "https://files.example.com/api/none", "404"],
    ["an empty answer", "https://files.example.com/api/empty", "no content"],
    ["an address that is not allowed", "https://internal.example.com/", "not allowed"],
  ] as const) {
    test(`${engine.name}: ${what} instead of a document is refused with the reason`, async () => {
      const response = await registry.client.registerApi({ body: { source: { url } } });
      expect(response).toMatchObject({ ok: false, status: 422 });
      expect(response.ok ? "" : JSON.stringify(response.problem.errors)).toContain(words);
      const inspected = await registry.client.inspectDocument({ body: { url } });
      expect(inspected).toMatchObject({ ok: true, value: { usable: false } });
    });
  }

  test(`${engine.name}: a multipart form contains the document, its files and the fields`, async () => {
    const { document, fileName, files } = fixture("valid", "multifile-learn-petstore-separate-v2");
    const form = new FormData();
    form.set("name", "From a form");
    form.set("tags", "a, b ,");
    form.append("tag", "Berlin, Mitte");
    form.set("url", "");
    form.set("document", new File([document], fileName));
    // A browser sends chosen files without their folders.
    for (const [name, text] of Object.entries(files)) form.append("files", new File([text], name.split("/").at(-1)!));
    const response = await registry.client.registerApi({ rawBody: form } as never);
    expect(response).toMatchObject({
      ok: true,
      value: { name: "From a form", tags: ["a", "b", "Berlin, Mitte"], operationCount: 4, problemCount: 0 },
    });
  });

  test(`${engine.name}: an unusable document is refused with line and column, and leaves no row`, async () => {
    const before = await registry.client.listApis();
    const response = await registry.client.registerApi({ body: { source: { document: "openapi: 3.1.0\ninfo: [\n" } } });
    expect(response).toMatchObject({ ok: false, status: 422, problem: { code: "invalid_input" } });
    expect(response.ok ? "" : response.problem.errors?.[0]?.message).toMatch(/^Line \d+, column \d+: /);
    const after = await registry.client.listApis();
    expect(after.ok && after.value.total).toBe(before.ok && before.value.total);
  });

  for (const [what, body, path] of [
    ["no source", {}, "url"],
    ["an address that is none", { source: { url: "not an address" } }, "source.url"],
    ["a file: address", { source: { url: "file:///etc/passwd" } }, "source.url"],
    ["a document that is no text", { source: { document: 7 } }, "source.document"],
    ["a lone surrogate", { source: { document: '{"a": "\ud800"}' } }, "source.document"],
    ["a name that is too long", { name: "x".repeat(201), source: { document: small } }, "name"],
    ["a base URL that is none", { baseUrl: "x", source: { document: small } }, "baseUrl"],
    ["files that are no texts", { source: { document: small, files: { a: 1 } } }, "source.files"],
  ] as const) {
    test(`${engine.name}: ${what} is reported at the field`, async () => {
      const response = await registry.client.registerApi({ body: body as never });
      expect(response).toMatchObject({ ok: false, status: 422, problem: { errors: [{ path }] } });
    });
  }
}
