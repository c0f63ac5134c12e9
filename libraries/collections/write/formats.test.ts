import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import draft6 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import addFormats from "ajv-formats";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { createBookLife, startBookServer } from "../testing/book-life.ts";
import { type ExportFormat, formatNames, writeCollection } from "./formats.ts";

const life = createBookLife("http://127.0.0.1:8080");

function readFixture(name: string): string {
  return readFileSync(new URL(`../../../tests/fixtures/collections/${name}`, import.meta.url), "utf8");
}

function writeOne(format: ExportFormat): string {
  return writeCollection(format, life).files[0]!.text;
}

function findFile(format: ExportFormat, ending: string): string | undefined {
  return writeCollection(format, life).files.find(({ path }) => path.endsWith(ending))?.text;
}

test.each(formatNames)("a %s export has no value of a secret variable", (format) => {
  const { files } = writeCollection(format, life);
  expect(files.length).toBeGreaterThan(0);
  for (const { text } of files) expect(text).not.toContain("never-written");
  expect(files.map(({ text }) => text).join()).toContain("shop_token");
});

test("a Postman collection fits the published schema", () => {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(readFixture("postman-2.1.0.json")));
  const collection = JSON.parse(writeOne("postman"));
  validate(collection);
  expect(validate.errors).toBeNull();
  expect(collection.item.map(({ name }: { name: string }) => name)).toEqual(["Set-up", "Tests", "Tear-down"]);
  expect(validate({ ...collection, item: [{ name: "a request is missing" }] })).toBe(false);
});

test("an Arazzo document fits the published schema of 1.1", () => {
  const schema = parse(readFixture("arazzo-1.1.yaml"));
  const validate = addFormats.default(new Ajv2020({ strict: false })).compile(schema);
  const document = parse(writeOne("arazzo"));
  validate(document);
  expect(validate.errors).toBeNull();
  const [workflow] = document.workflows;
  expect(workflow.steps[0].outputs).toEqual({ bookId: "$response.body#/id" });
  expect(workflow.steps[1].parameters[0].value).toBe("$steps.creates-a-book.outputs.bookId");
  expect(workflow.steps[1].onFailure).toEqual([{ name: "tear-down", type: "goto", stepId: "deletes-the-book" }]);
});

test("an archive fits the schema of HAR 1.2, known variables filled in", () => {
  const schemas: Record<string, object> = createRequire(import.meta.url)("har-schema");
  const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
  ajv.addMetaSchema(draft6);
  const validate = ajv.addSchema(Object.values(schemas)).getSchema("har.json#")!;
  const archive = JSON.parse(writeOne("har"));
  validate(archive);
  expect(validate.errors).toBeNull();
  expect(archive.log.entries[2].request.url).toBe(
    "http://127.0.0.1:8080/books?title=It's%20%22100%20%25%22%20%26%20more",
  );
});

test("a k6 script is a module that Node can parse", () => {
  const path = join(mkdtempSync(join(tmpdir(), "k6-")), "script.mjs");
  writeFileSync(path, writeOne("k6"));
  execFileSync(process.execPath, ["--check", path]);
});

test("commands for curl send what the requests say", async () => {
  const server = await startBookServer();
  onTestFinished(() => server.close());
  const { text } = writeCollection("curl", createBookLife(server.url)).files[0]!;
  await promisify(execFile)("sh", ["-c", text], {
    env: { ...process.env, shop_token: "a'b", bookId: "book-1", etag: "v1" },
  });
  expect(server.seen.map(({ line }) => line)).toEqual([
    "POST /books",
    "GET /books/book-1?fields=id,title&q=a%26b%20%3D%20c",
    "GET /books?title=It's%20%22100%20%25%22%20%26%20more",
    "DELETE /books/book-1",
  ]);
  expect(server.seen.map(({ authorization }) => authorization)).toEqual(new Array(4).fill("Bearer a'b"));
  expect(JSON.parse(server.seen[0]!.body)).toEqual({
    title: "Dune #1; it's `fine`",
    pages: 604,
    isbn: expect.stringMatching(/^[\da-f-]{36}$/i),
  });
});

test("handlers of a .http file are scripts", () => {
  const handlers = [...writeOne("http").matchAll(/^> \{%\n(.*?)^%\}$/gms)].map(([, code]) => code!);
  expect(handlers).toHaveLength(4);
  for (const code of handlers) expect(() => new Function(code)).not.toThrow();
});

test("a Hurl entry has its sections in the order of the grammar", () => {
  expect(findFile("hurl", ".hurl")).toContain(`# Deletes the book
DELETE {{baseUrl}}/books/{{bookId}}
If-Match: {{etag}}
Authorization: Bearer {{shop_token}}
[Options]
retry: 4
retry-interval: 500ms
HTTP 204
`);
  expect(
    findFile("hurl", ".hurl"),
  ).toContain(`{ "title": "Dune #1; it's \`fine\`", "pages": 604, "isbn": "{{newUuid}}" }\`\`\`
HTTP 201
[Captures]
bookId: jsonpath "$.id"
etag: header "ETag" regex /"(.+)"/
[Asserts]
header "Content-Type" contains "json"
`);
  expect(findFile("hurl", ".hurl")).toContain('\njsonpath "$.items[?(@.pages > 1)].id" exists\n');
  expect(findFile("hurl", ".env")).toBe(`title=It's "100 %" & more\nbaseUrl=http://127.0.0.1:8080\n`);
});

test("Bruno gets a folder for each phase, and keeps a secret out of its environment", () => {
  expect(writeCollection("bruno", life).files.map(({ path }) => path)).toContain(
    "life-of-a-book/tear-down/04-deletes-the-book.bru",
  );
  expect(findFile("bruno", "environments/staging.bru")).toBe(`vars {
  title: It's "100 %" & more
  baseUrl: http://127.0.0.1:8080
}

vars:secret [
  shop_token
]
`);
  const create = findFile("bruno", "01-creates-a-book.bru");
  expect(create).toContain("vars:post-response {\n  bookId: res.body.id\n}\n");
  expect(create).toContain("assert {\n  res.status: eq 201\n  res.body.id: isString\n}\n");
});

test("what a format can't say is listed with a reason", () => {
  const lost = (format: ExportFormat) => writeCollection(format, life).losses.map(({ of, what }) => `${of}: ${what}`);
  expect(lost("postman")).toEqual([
    "Finds books by title: assertion: $.items[?@.pages > 1].id exists",
    "Deletes the book: wait",
  ]);
  expect(lost("hurl")).toEqual([
    "Life of a book: tear-down",
    "Creates a book: assertion: body matches schema",
    "Finds books by title: assertion: status code one of [200,204]",
  ]);
  expect(lost("k6")).not.toContain("Deletes the book: wait");
  for (const format of formatNames)
    for (const { reason } of writeCollection(format, life).losses) expect(reason).toMatch(/\w\.$/);
});
