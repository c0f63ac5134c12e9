import fc from "fast-check";
import { expect, test } from "vitest";
import type { Resource } from "#contracts/api-registry/resources.ts";
import { list, object, operation, ref, text } from "../testing/operations.ts";
import { buildGraph } from "./build-graph.ts";
import type { SuiteGraph } from "./graph.ts";

const book = object({ id: text, title: text, authorId: text });
const components = {
  "#/components/schemas/Book": book,
  "#/components/schemas/Author": object({ id: text, name: text }),
};

const authors = [
  operation("GET /authors", { responses: { 200: list(ref("Author")) } }),
  operation("POST /authors", { body: ref("Author"), responses: { 201: ref("Author") } }),
  operation("GET /authors/{id}", { responses: { 200: ref("Author") } }),
  operation("DELETE /authors/{id}", { responses: { 204: null } }),
];

const find = ({ resources }: SuiteGraph, key: string): Resource => {
  const found = resources.find((resource) => resource.key === key);
  if (!found) throw new Error(`no resource ${key}`);
  return found;
};
const sourcesOf = (graph: SuiteGraph, key: string) =>
  find(graph, key).producers.map(
    ({ operation: { method, path }, from, path: at }) => `${method} ${path} ${from} ${at}`,
  );
const consumersOf = (graph: SuiteGraph) =>
  graph.consumers.map((one) => `${one.operation.method} ${one.operation.path} ${one.in} ${one.name} → ${one.resource}`);

test("a resource has its operations by their paths, and its identifier from what makes and lists it", () => {
  const graph = buildGraph(authors, components);
  const author = find(graph, "/authors/{}");
  expect(author).toMatchObject({ name: "author", variable: "authorId", component: "#/components/schemas/Author" });
  expect(author.operations).toEqual({
    list: { method: "get", path: "/authors" },
    create: { method: "post", path: "/authors" },
    read: { method: "get", path: "/authors/{id}" },
    remove: { method: "delete", path: "/authors/{id}" },
  });
  expect(sourcesOf(graph, "/authors/{}")).toEqual(["post /authors body $.id", "get /authors body $[*].id"]);
});

test("members of bodies and queries refer to the resource that they name; a made one's own id does not", () => {
  const graph = buildGraph(
    [
      ...authors,
      operation("POST /books", { body: ref("Book"), responses: { 201: ref("Book") } }),
      operation("GET /books", { query: ["author_id", "title"], responses: { 200: list(ref("Book")) } }),
      operation("POST /loans", { body: object({ book: object({ id: text }), authorIds: list(text) }) }),
    ],
    components,
  );
  expect(consumersOf(graph).filter((line) => !line.includes(" path "))).toEqual([
    "post /books body /authorId → /authors/{}",
    "get /books query author_id → /authors/{}",
    "post /loans body /authorIds/- → /authors/{}",
  ]);
});

test("a parameter that identifies another thing takes that thing's values", () => {
  const message = object({ id: text });
  const graph = buildGraph(
    [
      operation("POST /channels/{channelId}/messages", { responses: { 201: message } }),
      operation("GET /channels/{channelId}/messages/{messageId}", { responses: { 200: message } }),
      operation("PUT /channels/{channelId}/pins/{messageId}", { responses: { 204: null } }),
    ],
    {},
  );
  const pin = find(graph, "/channels/{}/pins/{}");
  expect(pin).toMatchObject({ name: "pin", source: "/channels/{}/messages/{}", variable: "messageId", producers: [] });
  expect(consumersOf(graph)).toContain(
    "put /channels/{channelId}/pins/{messageId} path messageId → /channels/{}/messages/{}",
  );
});

test("where no response gives a thing's identifier, one variable stands for all that take it", () => {
  const graph = buildGraph([operation("GET /books/{id}"), operation("GET /authors/{id}/books/{bookId}")], {});
  expect(find(graph, "/authors/{}/books/{}")).toMatchObject({ source: "/books/{}", variable: "bookId" });
});

test("two resources never share a variable, and one resource under several names has one", () => {
  const thing = object({ id: text });
  const of = (path: string, name: string) => [
    operation(`POST ${path}`, { responses: { 201: thing } }),
    operation(`GET ${path}/{${name}}`, { responses: { 200: thing } }),
    operation(`DELETE ${path}/{id}`, { responses: { 204: null } }),
  ];
  const graph = buildGraph(
    [...of("/things", "id"), ...of("/shops/{shopId}/things", "thing_id"), ...of("/admin/things", "id")],
    {},
  );
  const variables = graph.resources.filter(({ key, source }) => key === source).map(({ variable }) => variable);
  expect(new Set(variables).size).toBe(variables.length);
  expect(find(graph, "/things/{}")).toMatchObject({
    variable: "thingId",
    operations: { remove: { path: "/things/{id}" } },
  });
});

test("the document's links come before guesses, by operation id and by reference", () => {
  const link = (name: string, to: string, parameters: Record<string, string>) => ({
    ...{ name, operationId: to, description: "", parameters },
  });
  const graph = buildGraph(
    [
      operation("POST /orders", {
        responses: { 201: object({ reference: text, id: text }) },
        links: [
          link("pay", "#/paths/~1orders~1{orderId}~1payments/post", { orderId: "$response.body#/reference" }),
          link("read", "readOrder", { "path.orderId": "$response.body#/reference" }),
        ],
      }),
      operation("GET /orders/{orderId}", { operationId: "readOrder" }),
      operation("POST /orders/{orderId}/payments"),
    ],
    {},
  );
  expect(sourcesOf(graph, "/orders/{}")[0]).toBe("post /orders body $.reference");
  expect(graph.consumers[0]!.evidence).toEqual({ kind: "link", name: "read" });
});

test("what a made thing is called is in the body, in Location, or what the client sent", () => {
  const made = (parts: Parameters<typeof operation>[1], post = "POST /things") =>
    find(buildGraph([operation(post, parts), operation("GET /things/{thingName}")], {}), "/things/{}").producers[0];
  expect(made({ responses: { 201: object({ data: object({ name: text }) }) } })).toMatchObject({ path: "$.data.name" });
  expect(made({ responses: { 201: null }, headers: ["Location"] })).toMatchObject({ from: "location" });
  const registered = { body: object({ thingName: text }), responses: { 200: object({ message: text }) } };
  expect(made(registered)).toMatchObject({ from: "sent", path: "$.thingName" });
  const put = operation("PUT /things/{thingName}", { responses: { 201: null } });
  const chosen = find(buildGraph([put, operation("GET /things/{thingName}")], {}), "/things/{}");
  expect(chosen.operations.create).toEqual({ method: "put", path: "/things/{thingName}" });
  expect(chosen.producers[0]).toMatchObject({ from: "sent", path: "" });
});

test("an identifier within another object is that of another one", () => {
  const run = object({ source: object({ runId: text }), id: text });
  const { resources } = buildGraph(
    [operation("POST /runs", { responses: { 201: run } }), operation("GET /runs/{runId}", { responses: { 200: run } })],
    {},
  );
  expect(resources[0]!.producers[0]).toMatchObject({ operation: { method: "post" }, path: "$.id" });
});

test("lists are found in their wrappers, and an object that is none is no list", () => {
  const item = object({ id: text });
  const listed = (schema: unknown) =>
    find(
      buildGraph(
        [
          operation("GET /things", { responses: { 200: schema } }),
          operation("GET /things/{id}", { responses: { 200: item } }),
        ],
        {},
      ),
      "/things/{}",
    );
  expect(listed(object({ page: object({ items: list(item) }) })).producers[0]!.path).toBe("$.page.items[*].id");
  expect(listed(object({ count: { type: "integer" } })).operations.list).toBeUndefined();
});

test("schemas that contain themselves end", () => {
  const tree = { "#/components/schemas/Node": object({ id: text, parent: ref("Node"), children: list(ref("Node")) }) };
  const graph = buildGraph(
    [operation("POST /nodes", { body: ref("Node"), responses: { 201: ref("Node") } }), operation("GET /nodes/{id}")],
    tree,
  );
  expect(sourcesOf(graph, "/nodes/{}")).toEqual(["post /nodes body $.id"]);
});

const segment = fc.oneof(
  fc.constantFrom("books", "authors", "v1", "search"),
  fc.constantFrom("{id}", "{bookId}", "{name}"),
);
const anyOperation = fc
  .record({ method: fc.constantFrom("GET", "POST", "PUT", "DELETE"), segments: fc.array(segment, { maxLength: 5 }) })
  .map(({ method, segments }) =>
    operation(`${method} /${segments.join("/")}`, {
      body: method === "GET" ? undefined : ref("Book"),
      responses: { 200: method === "GET" ? list(ref("Book")) : ref("Book") },
    }),
  );

test("every path parameter has one resource with one variable, whatever the paths", () => {
  fc.assert(
    fc.property(fc.array(anyOperation, { maxLength: 20 }), (operations) => {
      const graph = buildGraph(operations, components);
      const keys = new Map(graph.resources.map((resource) => [resource.key, resource]));
      for (const { source, variable, parent } of graph.resources) {
        expect(keys.get(source)!.variable).toBe(variable);
        expect(variable).toMatch(/^[A-Za-z_][\w-]{0,99}$/);
        if (parent !== null) expect(keys.has(parent)).toBe(true);
      }
      const own = graph.resources.filter(({ key, source }) => key === source);
      expect(new Set(own.map(({ variable }) => variable)).size).toBe(own.length);
      for (const { path } of operations) {
        const named = path.split("/").filter((one) => one.startsWith("{"));
        const found = graph.consumers.filter((one) => one.operation.path === path && one.in === "path");
        expect(found.length).toBeGreaterThanOrEqual(named.length);
      }
    }),
  );
});

test("a member that has the name of a resource refers to it, where that is known by a text", () => {
  const graph = buildGraph(
    [
      operation("GET /projects/{projectName}", { responses: { 200: object({ name: text }) } }),
      operation("GET /projects", { responses: { 200: list(object({ name: text })) } }),
      operation("GET /authors/{id}", { parameters: [{ name: "id", in: "path", schema: { type: "integer" } }] }),
      operation("GET /authors", { responses: { 200: list(object({ id: { type: "integer" } })) } }),
      operation("POST /exports", {
        body: object({
          ...{ project: text, projects: list(text), author: text, token: text },
          other: object({ project: { ...text, enum: ["a"] } }),
        }),
      }),
    ],
    {},
  );
  expect(consumersOf(graph).filter((line) => line.includes("body"))).toEqual([
    "post /exports body /project → /projects/{}",
    "post /exports body /projects/- → /projects/{}",
  ]);
});

test("what only joins something there to something else has the identifier of what is there", () => {
  const graph = buildGraph(
    [
      operation("GET /environments", { responses: { 200: list(object({ name: text })) } }),
      operation("GET /environments/{name}", { responses: { 200: object({ name: text }) } }),
      operation("POST /projects/{projectId}/environments", { body: object({ environment: text }, ["environment"]) }),
      operation("DELETE /projects/{projectId}/environments/{environment}"),
    ],
    {},
  );
  expect(find(graph, "/projects/{}/environments/{}").source).toBe("/environments/{}");
});

test("the token of a path is the secret of a response, not its name", () => {
  const graph = buildGraph(
    [
      operation("POST /api-tokens", { responses: { 201: object({ tokenName: text, secret: text }) } }),
      operation("DELETE /api-tokens/{token}"),
    ],
    {},
  );
  expect(sourcesOf(graph, "/api-tokens/{}")).toEqual(["post /api-tokens body $.secret"]);
});

test("a part of an identifier refers to nothing by its name alone", () => {
  const named = object({ method: text, path: text });
  const graph = buildGraph(
    [
      operation("GET /operations", { responses: { 200: list(named) } }),
      operation("GET /operations/{method}/{path}", { responses: { 200: named } }),
      operation("POST /tests", {
        body: object({ method: text, path: text }),
        responses: { 201: object({ id: text }) },
      }),
    ],
    {},
  );
  expect(consumersOf(graph).filter((one) => one.startsWith("post /tests body"))).toEqual([]);
});
