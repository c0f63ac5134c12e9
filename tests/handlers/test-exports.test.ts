import { afterAll, beforeAll, expect, test } from "vitest";
import { type ExportFormat, exportFormats } from "#contracts/test-registry/test-exports.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

let portal: HandledPortal;
let visitor: Visitor;
let apiId: string;
let createId: string;
let testCircleId: string;

const schema = { type: "object", required: ["id"], properties: { id: { type: "string" }, note: { nullable: true } } };
const content = { "application/json": { schema: { $ref: "#/components/schemas/Book" } } };
const bookId = { name: "bookId", in: "path", required: true, schema: { type: "string" } };
const document = {
  ...{ openapi: "3.0.3", info: { title: "Books", version: "1" }, servers: [{ url: "https://books.example.com/v1" }] },
  security: [{ key: [] }],
  components: {
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Api-Key" } },
    schemas: { Book: schema },
  },
  paths: {
    "/books": { post: { operationId: "createBook", responses: { 201: { description: "made", content } } } },
    "/books/{bookId}": {
      parameters: [bookId],
      get: { operationId: "getBook", responses: { 200: { description: "ok", content } } },
      delete: { operationId: "deleteBook", responses: { 204: { description: "gone" } } },
    },
  },
};

beforeAll(async () => {
  portal = await openHandledPortal();
  visitor = await portal.signIn();
  const { apiRegistry, securityService, testRegistry } = portal.backend;
  const source = { document: JSON.stringify(document) };
  apiId = requireValue(await apiRegistry.registerApi({ body: { source } }), "API").id;
  const variables = { currency: "EUR", adminPassword: "kept-in-the-portal" };
  const staging = { name: "staging", baseUrl: "https://staging.example.com", variables };
  requireValue(await apiRegistry.replaceEnvironments({ params: { apiId }, body: { items: [staging] } }), "environment");
  const key = { name: "Books key", domain: "*.example.com", type: "apiKey", secret: "kept-in-the-vault" } as const;
  const settings = { in: "header", parameterName: "X-Api-Key" } as const;
  requireValue(await securityService.createCredential({ body: { ...key, settings } }), "credential");
  const make = async (name: string, method: string, path: string, given: object) => {
    const body = { name, method, path, request: {}, ...given } as never;
    return requireValue(await testRegistry.createTest({ params: { apiId }, body }), name).id;
  };
  const pair = (name: string, value: string) => ({ name, value });
  const equals = (target: number) => [{ source: "statusCode", comparison: "equals", target }];
  const path = { request: { pathParameters: [pair("bookId", "{{bookId}}")] } };
  createId = await make("Creates a book", "post", "/books", {
    request: {
      headers: [pair("X-Trace-Token", "typed-into-the-test")],
      body: { kind: "json", text: '{ "pages": {{pages}}, "currency": "{{currency}}" }' },
    },
    data: [
      { case: "thin", pages: "12" },
      { case: "thick", pages: "1200" },
    ],
    assertions: equals(201),
    checks: ["response_schema_conformance"],
    captures: [{ name: "bookId", source: "jsonPath", property: "$.id" }],
  });
  const readId = await make("Reads the book", "get", "/books/{bookId}", { ...path, assertions: equals(200) });
  const removeId = await make("Deletes the book", "delete", "/books/{bookId}", { ...path, assertions: equals(204) });
  const members = [
    { testId: createId, phase: "setUp" },
    { testId: readId },
    { testId: removeId, phase: "tearDown" },
  ] as const;
  const circle = {
    ...{ name: "Life of books", members: [...members], environments: { [apiId]: "staging" } },
    variables: [{ name: "apiSecret", value: "kept-in-the-circle", secret: true }],
  };
  testCircleId = requireValue(await testRegistry.createCircle({ body: circle }), "circle").id;
});
afterAll(async () => await portal.stop());

async function exportCircle(format: ExportFormat) {
  const { testRegistry } = portal.backend;
  return requireValue(await testRegistry.exportCircle({ params: { testCircleId }, query: { format } }), "export");
}

test.each(exportFormats)("a circle as %s has the environment's base URL and no secret", async (format) => {
  const { files, losses } = await exportCircle(format);
  const text = files.map((file) => file.text).join("\n");
  expect(text).not.toMatch(/kept-in-the|typed-into-the-test/);
  if (format !== "arazzo") expect(text).toContain("https://staging.example.com");
  if (format !== "arazzo") expect(text).toContain("1200");
  expect(losses).toContainEqual({
    ...{ of: "Life of books", what: "value of Books_key" },
    reason: "It is a secret, and never exported: set the variable in the tool.",
  });
});

test("the circle's order, its rows, captures and checks are in the collection", async () => {
  const { files } = await exportCircle("postman");
  const collection = JSON.parse(files[0]!.text);
  expect(
    collection.item.map(({ name, item }: { name: string; item: { name: string }[] }) => [name, item.length]),
  ).toEqual([
    ["Set-up", 2],
    ["Tests", 1],
    ["Tear-down", 1],
  ]);
  const [thin] = collection.item[0].item;
  expect(thin.name).toBe("Creates a book [thin]");
  expect(thin.request.body.raw).toBe('{ "pages": 12, "currency": "{{currency}}" }');
  expect(thin.request.auth.apikey).toContainEqual({ key: "value", value: "{{Books_key}}", type: "string" });
  const script = thin.event[0].script.exec.join("\n");
  expect(script).toContain("pm.response.to.have.status(201);");
  expect(script).toContain('"$ref": "#/components/schemas/Book"');
  expect(script).toContain('pm.collectionVariables.set("bookId", pm.response.json().id);');
  expect(collection.variable).toContainEqual({ key: "currency", value: "EUR", type: "string" });
  expect(collection.variable).toContainEqual({ key: "adminPassword", value: "", type: "string" });
});

test("the page lists what is lost before the download, for a circle, a test, ticked and all tests", async () => {
  const page = `/test-management/${apiId}/export`;
  const shown = await visitor.open(`${page}?testCircleId=${testCircleId}&format=hurl`);
  expect(shown.text).toContain("Export Life of books");
  expect(shown.text).toContain("What is not carried over");
  expect(shown.rows("value of Books_key")[0]).toContain("It is a secret, and never exported");
  expect(shown.text).toContain("body matches schema");
  expect(shown.text).toContain("Download 2 files as ZIP");
  const archive = await visitor.open(`${page}/download?testCircleId=${testCircleId}&format=hurl`);
  expect(archive.headers.get("content-disposition")).toBe('attachment; filename="life-of-books.hurl.zip"');
  expect(archive.html).toMatch(/^PK/);
  const one = await visitor.open(`${page}/download?testId=${createId}&format=k6`);
  expect(one.headers.get("content-disposition")).toBe('attachment; filename="creates-a-book.k6.js"');
  expect(one.html).toContain("https://books.example.com/v1");
  expect((await visitor.open(`${page}?selected=${createId}&format=curl`)).text).toContain("Download books.sh");
  expect((await visitor.open(page)).text).toContain("Download books.postman_collection.json");
  const circle = await visitor.open(`/test-management/${apiId}/test-circles/${testCircleId}`);
  expect(circle.text).toContain("Export");
});

test("tests selected in the list are exported under an address of theirs alone, and with none the list asks for some", async () => {
  const list = await visitor.open(`/test-management/${apiId}/tests`);
  const shown = await list.submit("Export selected…", { selected: [createId] });
  expect(shown.address).toBe(`/test-management/${apiId}/export?selected=${createId}`);
  const asked = await list.submit("Export selected…");
  expect([asked.address, asked.text.includes("Select tests first.")]).toEqual([list.address, true]);
});

test("an unknown circle, format or environment is refused", async () => {
  const { testRegistry } = portal.backend;
  const unknown = await testRegistry.exportCircle({ params: { testCircleId: createId }, query: { format: "har" } });
  expect(unknown.ok ? 200 : unknown.status).toBe(404);
  const nowhere = { format: "har", environment: "nowhere" } as const;
  const refused = await testRegistry.exportTest({ params: { testId: createId }, query: nowhere });
  expect(refused).toMatchObject({ ok: false, problem: { code: "invalid_input", errors: [{ path: "environment" }] } });
});
