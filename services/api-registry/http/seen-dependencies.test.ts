import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SeenDependency } from "#contracts/test-executioner/events.ts";
import { requireValue } from "../../kit/client/client.ts";
import { acrossOrganizations } from "../../kit/database/organization-scope.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type ApiRegistryTables, schemaName } from "../store/tables.ts";
import { type OpenRegistry, openRegistry } from "../testing/registry.ts";

const text = { type: "string" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const object = (...names: string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, text])),
});
const parameter = (name: string, location: string) => ({ name, in: location, required: true, schema: text });
const made = (schema: object, rest = {}) => ({ responses: { 201: { description: "Made", ...json(schema), ...rest } } });
const ok = { responses: { 200: { description: "ok" } } };

const paths = {
  "/books": { post: { ...made(object("id", "handle")), requestBody: json(object("title")) } },
  "/books/{id}": { get: { ...ok, parameters: [parameter("id", "path")] } },
  "/depots": { post: made(object("handle")) },
  "/items/{ref}": { get: { ...ok, parameters: [parameter("ref", "path")] } },
  "/loans": {
    get: { ...ok, parameters: [parameter("of", "query"), parameter("X-Depot", "header")] },
    post: { ...ok, requestBody: json(object("bookId")) },
  },
};

const toOperation = (name: string) => {
  const [method = "", path = ""] = name.split(" ");
  return { method, path };
};
/** `post /books $.id` and `get /loans query of` */
function seen(given: string, taken: string, rest: Partial<SeenDependency> = {}): SeenDependency {
  const [path = ""] = given.split(" ").slice(2);
  const [location, name = ""] = taken.split(" ").slice(2);
  return {
    from: { operation: toOperation(given), path },
    to: { operation: toOperation(taken), in: location as "query", name },
    ...{ times: 1, values: 1, isDistinctive: true, ...rest },
  };
}

for (const engine of testEngines()) {
  let registry: OpenRegistry;
  let params: { apiId: string };
  beforeAll(async () => {
    registry = await openRegistry(engine);
  });
  afterAll(() => registry.close());
  const toSource = (all: object) => ({
    source: { document: JSON.stringify({ openapi: "3.1.0", info: { title: "Library", version: "1" }, paths: all }) },
  });
  beforeEach(async () => {
    params = { apiId: requireValue(await registry.client.registerApi({ body: toSource(paths) }), "API").id };
  });

  async function receive(dependencies: SeenDependency[], organizationId = registry.organizationId, id = uuidv7()) {
    const client = registry.connect({ token: await registry.identities.serviceToken(organizationId) });
    const payload = { apiId: params.apiId, dependencies };
    const occurredAt = new Date().toISOString();
    const body = { id, type: "dependencies.seen" as const, organizationId, occurredAt, payload };
    expect((await client.receiveEvent({ body })).ok).toBe(true);
  }
  const get = async (resourceKey: string) =>
    requireValue(await registry.client.getResource({ params: { ...params, resourceKey } }), "resource");
  const find = async (...names: string[]) =>
    requireValue(
      await registry.client.findDependencies({ params, body: { operations: names.map(toOperation) } }),
      "dependencies",
    );
  const consumers = async (...names: string[]) =>
    (await find(...names)).consumers.map(({ in: location, name, resource, evidence }) => {
      const times = "times" in evidence ? ` ${evidence.times}` : "";
      return `${location} ${name} → ${resource} ${evidence.kind}${times}`;
    });
  const rows = async () =>
    await acrossOrganizations(() =>
      registry.database
        .inSchema<ApiRegistryTables>(schemaName)
        .selectFrom("seen_dependencies")
        .select("dependency")
        .where("api_id", "=", params.apiId)
        .execute(),
    );

  test(`${engine.name}: a value that nothing names belongs to the resource whose producer gave it`, async () => {
    await receive([seen("post /books $.id", "get /loans query of", { times: 12 })]);
    expect(await consumers("get /loans")).toEqual(["query of → /books/{} seen 12"]);
    expect((await get("/books/{}")).consumers).toMatchObject([
      { in: "path" },
      { in: "body" },
      { in: "query", name: "of", required: true, evidence: { operation: { method: "post", path: "/books" } } },
    ]);
    expect((await get("/books/{}")).consumerCount).toBe(3);
  });

  test(`${engine.name}: what is known by a path alone gives the same value to other places, too`, async () => {
    await receive([
      seen("post /depots $.handle", "get /loans header x-depot"),
      seen("post /depots $.handle", "get /items/{ref} path ref"),
    ]);
    expect(await consumers("get /loans")).toEqual(["header X-Depot → /items/{} seen 1"]);
    expect((await find("get /loans")).resources[0]!.producers).toMatchObject([{ path: "$.handle" }]);
    const page = requireValue(await registry.client.listResources({ params, query: { limit: 25 } }), "resources");
    expect(page.items.find(({ key }) => key === "/items/{}")!.producers).toHaveLength(1);
  });

  test(`${engine.name}: an event that arrives twice counts once, and another one is added`, async () => {
    const all = [seen("post /books $.id", "get /loans query of", { times: 2 })];
    const id = uuidv7();
    await receive(all, undefined, id);
    await receive(all, undefined, id);
    expect(await consumers("get /loans")).toEqual(["query of → /books/{} seen 2"]);
    await receive(all);
    expect(await consumers("get /loans")).toEqual(["query of → /books/{} seen 4"]);
  });

  test(`${engine.name}: short values count once three different ones were seen at one time`, async () => {
    const short = (values: number) => [
      seen("post /books $.id", "get /loans query of", { values, isDistinctive: false }),
    ];
    await receive(short(2));
    await receive(short(2));
    expect(await consumers("get /loans")).toEqual([]);
    await receive(short(3));
    expect(await consumers("get /loans")).toEqual(["query of → /books/{} seen 3"]);
  });

  test(`${engine.name}: what was seen comes before names, and after what a person said`, async () => {
    expect(await consumers("post /loans")).toEqual(["body /bookId → /books/{} name"]);
    await receive([
      seen("post /depots $.handle", "post /loans body /bookId"),
      seen("post /depots $.handle", "get /items/{ref} path ref"),
    ]);
    expect(await consumers("post /loans")).toEqual(["body /bookId → /items/{} seen 1"]);
    expect((await get("/books/{}")).consumers.map(({ in: location }) => location)).toEqual(["path"]);
    const place = { operation: toOperation("post /loans"), in: "body" as const, name: "/bookId" };
    await registry.client.setDependency({ params, body: { ...place, resource: "/books/{}" } });
    expect(await consumers("post /loans")).toEqual(["body /bookId → /books/{} person"]);
  });

  test(`${engine.name}: the member that a path accepted replaces one that was guessed by its name`, async () => {
    expect((await get("/books/{}")).producers).toMatchObject([{ path: "$.id", evidence: { kind: "name" } }]);
    await receive([seen("post /books $.handle", "get /books/{id} path id")]);
    expect((await get("/books/{}")).producers).toMatchObject([{ path: "$.handle", evidence: { kind: "seen" } }]);
    await receive([seen("post /books $.id", "get /books/{id} path id", { times: 3 })]);
    expect((await get("/books/{}")).producers).toMatchObject([{ path: "$.id", evidence: { kind: "seen", times: 3 } }]);
  });

  test(`${engine.name}: links of the document come before what was seen`, async () => {
    const links = { read: { operationId: "readBook", parameters: { id: "$response.body#/id" } } };
    const linked = {
      ...paths,
      "/books": { post: made(object("id", "handle"), { links }) },
      "/books/{id}": { get: { ...ok, operationId: "readBook", parameters: [parameter("id", "path")] } },
    };
    requireValue(await registry.client.importDocument({ params, body: toSource(linked) }), "importing");
    await receive([seen("post /books $.handle", "get /books/{id} path id")]);
    expect((await get("/books/{}")).producers[0]).toMatchObject({ path: "$.id", evidence: { kind: "link" } });
    expect(await consumers("get /books/{id}")).toEqual(["path id → /books/{} link"]);
  });

  test(`${engine.name}: a new version keeps what was seen of the operations that it still has`, async () => {
    await receive([
      seen("post /books $.id", "get /loans query of"),
      seen("post /depots $.handle", "get /items/{ref} path ref"),
    ]);
    const { "/depots": _, ...rest } = paths;
    requireValue(await registry.client.importDocument({ params, body: toSource(rest) }), "importing");
    expect(await consumers("get /loans")).toEqual(["query of → /books/{} seen 1"]);
    expect(await rows()).toHaveLength(1);
    requireValue(await registry.client.importDocument({ params, body: toSource(paths) }), "importing");
    expect((await get("/items/{}")).producers).toEqual([]);
  });

  test(`${engine.name}: what the document does not have is not stored, and nothing outlives its API`, async () => {
    await receive([
      seen("post /nowhere $.id", "get /loans query of"),
      seen("post /books $.id", "get /nowhere query of"),
      seen("post /books $.id", "get /loans query page"),
      seen("post /books $.id", "get /items/{ref} body /id"),
    ]);
    expect(await rows()).toEqual([]);
    const all = [seen("post /books $.id", "get /loans query of")];
    await receive(all);
    expect(await rows()).toHaveLength(1);
    expect((await registry.client.deleteApi({ params })).ok).toBe(true);
    await receive(all);
    expect(await rows()).toEqual([]);
  });

  test(`${engine.name}: an event of another organization changes nothing`, async () => {
    await receive([seen("post /books $.id", "get /loans query of")], uuidv7());
    expect(await rows()).toEqual([]);
  });
}
