import { expect, test } from "vitest";
import { readDocument } from "../testing/reading.ts";

const ok = { 200: { description: "ok" } };
const info = { title: "A", version: "1" };
const pathParameter = (name: string) => ({ name, in: "path", required: true, schema: { type: "string" } });
const queryParameter = (name: string) => ({ name, in: "query", schema: { type: "string" } });
const v3 = (paths: object, rest: object = {}, version = "3.0.3") => ({ openapi: version, info, paths, ...rest });
const v2 = (paths: object, rest: object = {}) => ({ swagger: "2.0", info, paths, ...rest });
const get = (operation: object = {}) => ({ get: { responses: ok, ...operation } });
const schemas = (Pet: object) => v3({ "/a": get() }, { components: { schemas: { Pet } } });
const pet = { type: "object", required: ["kind"], properties: { kind: { type: "string" } } };

/** A document with a problem, its advice, and the document as advised. */
const cases: [advice: string, before: object, after: object][] = [
  [
    '"type" is no field of a discriminator in OpenAPI 3.0. Remove it',
    schemas({ ...pet, discriminator: { propertyName: "kind", type: "string" } }),
    schemas({ ...pet, discriminator: { propertyName: "kind" } }),
  ],
  [
    'or start its name with "x-"',
    schemas({ ...pet, discriminator: { propertyName: "kind", type: "string" } }),
    schemas({ ...pet, discriminator: { propertyName: "kind", "x-type": "string" } }),
  ],
  [
    'write "/search", and describe "query" as parameters with in: "query"',
    v3({ "/search?query={query}": get() }),
    v3({ "/search": get({ parameters: [queryParameter("query")] }) }),
  ],
  [
    'it is in the query, so describe it with in: "query"',
    v3({ "/search?query={query}": get({ parameters: [pathParameter("query")] }) }),
    v3({ "/search": get({ parameters: [queryParameter("query")] }) }),
  ],
  [
    '"/a/{y}" and "/a/{x}" match the same addresses; describe them as one path',
    v3({
      "/a/{x}": get({ parameters: [pathParameter("x")] }),
      "/a/{y}": { put: { parameters: [pathParameter("y")], responses: ok } },
    }),
    v3({ "/a/{x}": { parameters: [pathParameter("x")], ...get(), put: { responses: ok } } }),
  ],
  [
    'add one with in: "path" and this name',
    v3({ "/a/{x}": get() }),
    v3({ "/a/{x}": get({ parameters: [pathParameter("x")] }) }),
  ],
  [
    "write {x} into the path, or remove the parameter",
    v3({ "/a": get({ parameters: [pathParameter("x")] }) }),
    v3({ "/a/{x}": get({ parameters: [pathParameter("x")] }) }),
  ],
  [
    "write {x} into the path, or remove the parameter",
    v3({ "/a": get({ parameters: [pathParameter("x")] }) }),
    v3({ "/a": get({ parameters: [] }) }),
  ],
  [
    "is no path parameter: write {id}",
    v3({ "/a/:id": get({ parameters: [pathParameter("id")] }) }),
    v3({ "/a/{id}": get({ parameters: [pathParameter("id")] }) }),
  ],
  [
    'it belongs into "schema"',
    v3({ "/a": get({ parameters: [{ name: "q", in: "query", type: "string" }] }) }),
    v3({ "/a": get({ parameters: [queryParameter("q")] }) }),
  ],
  [
    'it belongs into "content", below a media type',
    v3({ "/a": get({ responses: { 200: { description: "ok", schema: { type: "string" } } } }) }),
    v3({
      "/a": get({
        responses: { 200: { description: "ok", content: { "application/json": { schema: { type: "string" } } } } },
      }),
    }),
  ],
  [
    '"servers" says it',
    v3({ "/a": get() }, { host: "a.test" }),
    v3({ "/a": get() }, { servers: [{ url: "https://a.test" }] }),
  ],
  ['"components.schemas" holds them', v3({ "/a": get() }, { definitions: { Pet: pet } }), schemas(pet)],
  [
    'in 2.0 it is a parameter with in: "body"',
    v2({ "/a": { post: { requestBody: { content: {} }, responses: ok } } }),
    v2({ "/a": { post: { parameters: [{ name: "body", in: "body", schema: pet }], responses: ok } } }),
  ],
  [
    'in 2.0 it is "host", "basePath" and "schemes"',
    v2({ "/a": get() }, { servers: [{ url: "https://a.test/v1" }] }),
    v2({ "/a": get() }, { host: "a.test", basePath: "/v1", schemes: ["https"] }),
  ],
  ['Did you mean "summary"?', v3({ "/a": get({ sumary: "A" }) }), v3({ "/a": get({ summary: "A" }) })],
  [
    "describe it in components.securitySchemes",
    v3({ "/a": get({ security: [{ key: [] }] }) }),
    v3(
      { "/a": get({ security: [{ key: [] }] }) },
      { components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } } },
    ),
  ],
  [
    'The tag "a" is described twice; keep one',
    v3({ "/a": get() }, { tags: [{ name: "a" }, { name: "a" }] }),
    v3({ "/a": get() }, { tags: [{ name: "a" }] }),
  ],
  [
    "each operation needs one of its own",
    v3({ "/a": get({ operationId: "a" }), "/b": get({ operationId: "a" }) }),
    v3({ "/a": get({ operationId: "a" }), "/b": get({ operationId: "b" }) }),
  ],
];

const messagesOf = async (document: string, fileName = "api.json") =>
  (await readDocument({ document, fileName })).problems.map(({ message }) => message);

test.each(cases)("a document changed as advised has no problem: %s", async (advice, before, after) => {
  expect((await messagesOf(JSON.stringify(before))).join("\n")).toContain(advice);
  expect(await messagesOf(JSON.stringify(after))).toEqual([]);
});

test("a keyword of another version gets no advice that fits elsewhere", async () => {
  const [message] = await messagesOf(JSON.stringify(cases[0]![1]));
  expect(message).not.toContain("schema");
});

test("each of several paths that match the same addresses is named with the other", async () => {
  const paths = Object.fromEntries(
    ["a", "b", "c"].flatMap((name) =>
      ["x", "y"].map((parameter) => [`/${name}/{${parameter}}`, get({ parameters: [pathParameter(parameter)] })]),
    ),
  );
  const messages = await messagesOf(JSON.stringify(v3(paths)));
  for (const name of ["a", "b", "c"]) expect(messages.join("\n")).toContain(`"/${name}/{y}" and "/${name}/{x}"`);
});

test("paths that differ in their query alone are not advised to become one", async () => {
  const messages = await messagesOf(JSON.stringify(v3({ "/?Action=A": get(), "/?Action=B": get() })));
  expect(messages).toEqual(["Paths have a query or fragment in them, which other tools may not follow."]);
});

test("YAML in a file named .json is read, and renamed it has no problem", async () => {
  const yaml = '# An API\nopenapi: 3.0.3\ninfo: {title: A, version: "1"}\npaths: {}\n';
  expect(await messagesOf(yaml, "api.json")).toEqual([
    "The file's name ends in .json, but it contains YAML and was read as such. Rename it to .yaml.",
  ]);
  expect(await messagesOf(yaml, "api.yaml")).toEqual([]);
});
