import { afterAll, beforeAll, expect, test } from "vitest";
import { getPathGroup } from "#libraries/openapi/path-group.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { fixture, smallDocument } from "../testing/fixtures.ts";
import { type OpenRegistry, openRegistry } from "../testing/registry.ts";

for (const engine of testEngines()) {
  let registry: OpenRegistry;
  let apiId = "";
  beforeAll(async () => {
    registry = await openRegistry(engine);
    const { document } = fixture("valid", "swagger-petstore-v30.yaml");
    apiId = await registry.register({ source: { document } });
  });
  afterAll(() => registry.close());

  async function list(query: Record<string, unknown>): Promise<string[]> {
    const response = await registry.client.listOperations({ params: { apiId }, query });
    if (!response.ok) throw new Error(JSON.stringify(response.problem));
    return response.value.items.map(({ method, path }) => `${method} ${path}`);
  }

  test(`${engine.name}: operations are in document order, filtered by words, tag and method`, async () => {
    expect((await list({}))[0]).toBe("put /pet");
    expect(await list({ query: "FINDBY" })).toEqual(["get /pet/findByStatus", "get /pet/findByTags"]);
    expect(await list({ query: "placeOrder" })).toEqual(["post /store/order"]);
    expect((await list({ tag: "store" })).length).toBe(4);
    expect(await list({ tag: "store", method: "GET" })).toEqual(["get /store/inventory", "get /store/order/{orderId}"]);
    expect(await list({ tag: "store", effect: "deletes" })).toEqual(["delete /store/order/{orderId}"]);
    expect(await list({ tag: "store", effect: "changes" })).toEqual(["post /store/order"]);
    expect((await list({ tag: "store", effect: "safe" })).length).toBe(2);
    expect(await list({ tag: "" })).toEqual([]);
    expect(await list({ query: "%" })).toEqual([]);
  });

  test(`${engine.name}: operations without a tag are grouped and found by the first meaningful segment of their path`, async () => {
    const { client } = registry;
    const responses = { responses: { 200: { description: "Fine" } } };
    const paths = ["/api/v1/pets", "/{tenant}/pets/{petId}", "/v2.1/orders?x=1", "/v1", "/"];
    const document = JSON.stringify(
      smallDocument({
        tags: [{ name: "late" }, { name: "early" }],
        paths: {
          "/early": { get: { ...responses, tags: ["early", "late"] }, put: { ...responses, tags: ["early"] } },
          ...Object.fromEntries(paths.map((path) => [path, { get: responses }])),
        },
      }),
    );
    const params = {
      apiId: requireValue(await client.registerApi({ body: { source: { document } } }), "register").id,
    };
    const groups = requireValue(await client.listOperationGroups({ params }), "groups");
    expect(groups.items.map(({ kind, name, operationCount }) => `${kind} ${name} ${operationCount}`)).toEqual([
      "tag late 1",
      "tag early 2",
      "prefix pets 2",
      "prefix orders 1",
      "prefix / 2",
    ]);
    expect(groups.total).toBe(5);
    expect(requireValue(await client.listOperationGroups({ params }), "groups again")).toEqual(groups);
    for (const { kind, name, operationCount } of groups.items) {
      const page = requireValue(await client.listOperations({ params, query: { [kind]: name } }), name);
      expect(page.items.length, name).toBe(operationCount);
      if (kind === "prefix") for (const { path } of page.items) expect(getPathGroup(path)).toBe(name);
    }
  });

  test(`${engine.name}: pages are contiguous and do not overlap`, async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await registry.client.listOperations({
        params: { apiId },
        query: { limit: 7, ...(cursor ? { cursor } : {}) },
      });
      if (!page.ok) throw new Error(JSON.stringify(page.problem));
      expect(page.value.total).toBe(19);
      seen.push(...page.value.items.map(({ method, path }) => `${method} ${path}`));
      cursor = page.value.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(await list({ limit: 200 }));
  });

  test(`${engine.name}: an operation has the components and security schemes it needs, and no others`, async () => {
    const response = await registry.client.getOperation({ params: { apiId, method: "GET", pathName: "/pet/{petId}" } });
    if (!response.ok) throw new Error(JSON.stringify(response.problem));
    const { operation, components, securitySchemes, specificationVersion } = response.value;
    expect(specificationVersion).toBe("3.0");
    expect(operation).toMatchObject({
      operationId: "getPetById",
      tag: "pet",
      responseStatuses: ["200", "400", "404", "default"],
    });
    expect(operation.parameters[0]).toMatchObject({
      name: "petId",
      in: "path",
      required: true,
      style: "simple",
      explode: false,
      sample: 1,
    });
    expect(Object.keys(components).sort()).toEqual([
      "#/components/schemas/Category",
      "#/components/schemas/Pet",
      "#/components/schemas/Tag",
    ]);
    expect(securitySchemes.map(({ name }) => name).sort()).toEqual(["api_key", "petstore_auth"]);
    expect(operation.security).toEqual([
      [{ schemeName: "api_key", scopes: [] }],
      [{ schemeName: "petstore_auth", scopes: ["write:pets", "read:pets"] }],
    ]);
  });

  test(`${engine.name}: several operations are found at once, unknown ones omitted`, async () => {
    const wanted = [
      { method: "get", path: "/pet/{petId}" },
      { method: "delete", path: "/user/{username}" },
      { method: "get", path: "/nowhere" },
    ];
    const response = await registry.client.findOperations({ params: { apiId }, body: { operations: wanted } });
    if (!response.ok) throw new Error(JSON.stringify(response.problem));
    expect(response.value.items.map(({ operation }) => `${operation.method} ${operation.path}`)).toEqual([
      "get /pet/{petId}",
      "delete /user/{username}",
    ]);
    expect(Object.keys(response.value.items[1]!.components)).toEqual([]);
    const none = await registry.client.findOperations({ params: { apiId }, body: { operations: [] } });
    expect(none.status).toBe(422);
  });

  test(`${engine.name}: a missing operation is 404`, async () => {
    const response = await registry.client.getOperation({
      params: { apiId, method: "patch", pathName: "/pet/{petId}" },
    });
    expect(response.status).toBe(404);
  });
}
