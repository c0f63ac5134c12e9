import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type ApiRegistryTables, schemaName } from "../store/tables.ts";
import { fixture, smallDocument } from "../testing/fixtures.ts";
import { type OpenRegistry, openRegistry } from "../testing/registry.ts";

const responses = { responses: { 200: { description: "Fine" } } };
const shop = (paths: object) => JSON.stringify(smallDocument({ paths }));

for (const engine of testEngines()) {
  let registry: OpenRegistry;
  beforeAll(async () => {
    registry = await openRegistry(engine);
  });
  afterAll(() => registry.close());

  const register = async (name: string, document: string, client = registry.client) =>
    requireValue(await client.registerApi({ body: { source: { document }, name } }), "register").id;

  async function search(query: string, { client = registry.client, limit = 5 } = {}) {
    const found = requireValue(await client.searchApis({ query: { query, limit } }), "search");
    return {
      apis: found.apis.items.map(({ name }) => name),
      operations: found.operations.items.map(({ apiName, method, path }) => `${apiName}: ${method} ${path}`),
      totals: [found.apis.total, found.operations.total],
    };
  }

  test(`${engine.name}: APIs are found by name; operations of all APIs by method, path and other words`, async () => {
    await register("Pet Store", fixture("valid", "swagger-petstore-v30.yaml").document);
    await register("Orders of a shop", shop({ "/orders": { get: { operationId: "listAllOrders", ...responses } } }));
    expect((await search("store pet")).apis).toEqual(["Pet Store"]);
    expect(await search("get /orders")).toEqual({
      apis: [],
      operations: ["Orders of a shop: get /orders"],
      totals: [0, 1],
    });
    expect((await search("order GET")).operations.sort()).toEqual([
      "Orders of a shop: get /orders",
      "Pet Store: get /store/order/{orderId}",
    ]);
    expect((await search("all")).operations).toEqual(["Orders of a shop: get /orders"]);
    expect((await search("listallo")).operations).toEqual(["Orders of a shop: get /orders"]);
    const { operations, totals } = await search("pet", { limit: 2 });
    expect(operations).toHaveLength(2);
    expect(totals[1]).toBeGreaterThan(5);
  });

  test(`${engine.name}: only the current document of an API is searched`, async () => {
    const apiId = await register("Changing", shop({ "/firsts": { get: responses } }));
    expect((await search("firsts")).operations).toEqual(["Changing: get /firsts"]);
    const body = { source: { document: shop({ "/seconds": { get: responses } }) } };
    requireValue(await registry.client.importDocument({ params: { apiId }, body }), "import");
    expect((await search("firsts")).operations).toEqual([]);
    expect((await search("seconds")).operations).toEqual(["Changing: get /seconds"]);
    requireValue(await registry.client.deleteApi({ params: { apiId } }), "delete");
    expect(await search("seconds")).toEqual({ apis: [], operations: [], totals: [0, 0] });
  });

  test(`${engine.name}: where an earlier document is current again, its operations are found again`, async () => {
    const apiId = await register("Undone", shop({ "/thirds": { get: responses } }));
    const { documentId } = requireValue(await registry.client.getApi({ params: { apiId } }), "get");
    const body = { source: { document: shop({ "/fourths": { get: responses } }) } };
    requireValue(await registry.client.importDocument({ params: { apiId }, body }), "import");
    const apis = registry.database.inSchema<ApiRegistryTables>(schemaName).updateTable("apis").where("id", "=", apiId);
    await apis.set({ current_document_id: documentId }).execute();
    expect((await search("thirds")).operations).toEqual(["Undone: get /thirds"]);
    expect((await search("fourths")).operations).toEqual([]);
  });

  test(`${engine.name}: other organizations' APIs and operations are not found`, async () => {
    await register("Secret plans", shop({ "/secrets": { get: responses } }), registry.stranger);
    expect(await search("secret")).toEqual({ apis: [], operations: [], totals: [0, 0] });
    expect((await search("secret", { client: registry.stranger })).totals).toEqual([1, 1]);
    expect((await registry.anonymous.searchApis({ query: { query: "secret" } })).status).toBe(401);
    expect((await registry.client.searchApis({ query: { query: " " } })).status).toBe(400);
  });
}
