import { expect, test } from "vitest";
import { listRules } from "#libraries/openapi/comparison/rules.ts";
import { memberRows } from "../../testing/changed-members.ts";
import { type OperationRow, operationRows } from "../../testing/changed-operations.ts";
import { schemaRows } from "../../testing/changed-schemas.ts";
import { compareTexts, getRules, getSentences } from "../../testing/compared.ts";
import { fixture, smallDocument } from "../../testing/fixtures.ts";

const compareRow = ([, before, after]: OperationRow) => compareTexts(before, after);

for (const row of operationRows) {
  const [what, , , rule, breaking] = row;
  test(`${what} ${breaking ? "may break clients" : "breaks nothing"}`, async () => {
    const { added, changed, removed } = await compareRow(row);
    const all = [...added, ...changed, ...removed];
    expect(all.map(getRules)).toEqual([[[rule, breaking]]]);
    expect(all[0]!.breaking).toBe(breaking);
  });
}

test("every rule has a test with its right answer", () => {
  const ofSchemas = schemaRows.flatMap(([, , , rule]) => [`request.${rule}`, `response.${rule}`]);
  const ofMembers = memberRows.flatMap(([, , , , rules]) => rules.map(([rule]) => rule));
  const tested = new Set([...operationRows.map(([, , , rule]) => rule), ...ofSchemas, ...ofMembers]);
  expect(listRules().filter((rule) => !tested.has(rule))).toEqual([]);
});

const ok = { responses: { "200": { description: "ok" } } };
const library = (servers: string[], paths: string[], rest = {}) =>
  smallDocument({
    servers: servers.map((url) => ({ url })),
    paths: Object.fromEntries(
      paths.map((path) => [
        path,
        {
          get: {
            ...ok,
            parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
              name,
              in: "path",
              required: true,
              schema: { type: "string" },
            })),
          },
        },
      ]),
    ),
    components: {},
    ...rest,
  });

test("a base path that moves from servers to paths moves every operation, and removes none", async () => {
  const before = library(["https://api.example.com/v1"], ["/books", "/books/{id}"]);
  const after = library(["https://api.example.com"], ["/v1/books", "/v1/books/{bookId}"]);
  const { added, changed, removed } = await compareTexts(before, after);
  expect([added, removed]).toEqual([[], []]);
  expect(changed.map(({ path, pathBefore, breaking }) => [pathBefore, path, breaking])).toEqual([
    ["/books", "/v1/books", false],
    ["/books/{id}", "/v1/books/{bookId}", false],
  ]);
  expect(changed.map(getSentences)).toEqual([
    ["A part of its address moved between servers and path: /books is /v1/books now."],
    [
      "A part of its address moved between servers and path: /books/{id} is /v1/books/{bookId} now.",
      'The path parameter "id" is called "bookId" now, which no caller sends.',
    ],
  ]);
  const back = await compareTexts(after, before);
  expect([back.added, back.removed, back.changed.filter(({ breaking }) => breaking)]).toEqual([[], [], []]);
});

test("the same document in 2.0 and 3.0 with its base path in its paths moves, and breaks nothing", async () => {
  const parameter = { name: "id", in: "path", required: true };
  const swagger = {
    swagger: "2.0",
    info: { title: "Books", version: "1" },
    host: "api.example.com",
    basePath: "/v1",
    schemes: ["https"],
    produces: ["application/json"],
    paths: {
      "/books/{id}": {
        get: {
          parameters: [
            { ...parameter, type: "string" },
            { name: "q", in: "query", type: "string" },
          ],
          responses: { "200": { description: "ok", schema: { $ref: "#/definitions/Book" } } },
        },
      },
    },
    definitions: { Book: { type: "object", properties: { title: { type: "string", "x-nullable": true } } } },
  };
  const newer = {
    openapi: "3.0.3",
    info: { title: "Books", version: "1" },
    servers: [{ url: "https://api.example.com/" }],
    paths: {
      "/v1/books/{id}": {
        get: {
          parameters: [
            { ...parameter, schema: { type: "string" } },
            { name: "q", in: "query", schema: { type: "string" } },
          ],
          responses: {
            "200": {
              description: "ok",
              content: { "application/json": { schema: { $ref: "#/components/schemas/Book" } } },
            },
          },
        },
      },
    },
    components: {
      schemas: { Book: { type: "object", properties: { title: { type: "string", nullable: true } } } },
    },
  };
  const { added, changed, removed } = await compareTexts(swagger, newer);
  expect([added, removed]).toEqual([[], []]);
  expect(changed.map(getRules)).toEqual([[["operation.moved", false]]]);
});

test("another version in the servers leaves operations where they are, and may break", async () => {
  const { added, changed, removed } = await compareTexts(
    library(["https://api.example.com/v1"], ["/books"]),
    library(["https://api.example.com/v2"], ["/books"]),
  );
  expect([added, removed]).toEqual([[], []]);
  expect(changed.map(getSentences)).toEqual([
    ["The document's servers changed from https://api.example.com/v1 to https://api.example.com/v2."],
  ]);
  expect(changed[0]!.breaking).toBe(true);
});

test("a change of an operation's servers says from where to where, and that its tests follow", async () => {
  const usual = { servers: [{ url: "https://api.example.com/v1" }] };
  const own = { ...ok, servers: [{ url: "https://upload.example.com" }] };
  const toDocument = (post: object) => smallDocument({ ...usual, paths: { "/a": { post } } });
  const compare = async (before: object, after: object) => {
    const { changed } = await compareTexts(toDocument(before), toDocument(after));
    return getSentences(changed[0]!).join(" ");
  };
  const follow = "Its tests without a base URL of their own go there from now on.";
  expect(await compare(ok, own)).toBe(
    `It has servers of its own now: https://upload.example.com, not https://api.example.com/v1 as before. ${follow}`,
  );
  expect(await compare(own, { ...ok, servers: [{ url: "/relative" }] })).toBe(
    `Its own servers changed from https://upload.example.com to /relative. ${follow}`,
  );
  expect(await compare(own, ok)).toBe(
    `It no longer has its own servers: it is at the API's base URL (in the document https://api.example.com/v1), not https://upload.example.com as before. ${follow}`,
  );
});

test("the breaking changes are listed first, and 30 at most", async () => {
  const properties = (names: string[]) => ({
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  });
  const names = Array.from({ length: 40 }, (_, index) => `old${index}`);
  const toDocument = (schema: object) =>
    smallDocument({
      paths: {
        "/a": { get: { responses: { "200": { description: "", content: { "application/json": { schema } } } } } },
      },
    });
  const { changed } = await compareTexts(toDocument(properties(names)), toDocument(properties(["new"])));
  expect(changed[0]!.changes).toHaveLength(30);
  expect(changed[0]!.changes.every(({ breaking }) => breaking)).toBe(true);
  expect(changed[0]!.moreCount).toBe(11);
});

test("sentences stay short, however long the names and values of a document are", async () => {
  const named = (value: string) =>
    smallDocument({
      paths: {
        "/a": { get: { parameters: [{ name: "q", in: "query", schema: { type: "string", default: value } }], ...ok } },
      },
    });
  const { changed } = await compareTexts(named("a".repeat(100_000)), named("b".repeat(100_000)));
  expect(getSentences(changed[0]!).every(({ length }) => length < 700)).toBe(true);
});

test("real documents compared with themselves have no change", async () => {
  for (const name of ["museum-v31", "readmeio-v30-discriminators", "scalar-galaxy-v31", "firecracker-v2"]) {
    const { document } = fixture("valid", name);
    expect(await compareTexts(document, document)).toMatchObject({ added: [], changed: [], removed: [] });
  }
});

test("sentences are bounded over all operations: past 5,000, each has its first one and counts the others", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `member${index}`);
  const sharing = (type: string) => {
    const properties = Object.fromEntries(names.map((name) => [name, { type }]));
    const content = { "application/json": { schema: { $ref: "#/components/schemas/Shared" } } };
    const get = { responses: { "200": { description: "ok", content } } };
    const paths = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`/a${index}`, { get }]));
    return { ...smallDocument(), paths, components: { schemas: { Shared: { type: "object", properties } } } };
  };
  const { changed } = await compareTexts(sharing("string"), sharing("integer"));
  expect(changed.length).toBe(400);
  const total = changed.reduce((sum, { changes }) => sum + changes.length, 0);
  expect(total).toBeLessThan(5_030 + 400);
  expect([changed[0]!.changes.length, changed[0]!.moreCount]).toEqual([30, 10]);
  expect([changed[399]!.breaking, changed[399]!.changes.length, changed[399]!.moreCount]).toEqual([true, 1, 39]);
});
