import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { acrossOrganizations } from "../../kit/database/organization-scope.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type ApiRegistryTables, schemaName } from "../store/tables.ts";
import { fixture } from "../testing/fixtures.ts";
import { type OpenRegistry, openRegistry, startRegistry } from "../testing/registry.ts";

for (const engine of testEngines()) {
  let registry: OpenRegistry;
  let params: { apiId: string };
  beforeAll(async () => {
    registry = await openRegistry(engine);
    const { document } = fixture("valid", "swagger-petstore-v30.yaml");
    params = { apiId: await registry.register({ source: { document } }) };
  });
  afterAll(() => registry.close());

  const order = { operation: { method: "post", path: "/store/order" }, in: "body" as const, name: "/petId" };
  const list = async (query: { limit?: number; query?: string; cursor?: string } = {}) =>
    requireValue(await registry.client.listResources({ params, query: { limit: 25, ...query } }), "resources");
  const get = async (resourceKey: string) =>
    requireValue(await registry.client.getResource({ params: { ...params, resourceKey } }), "resource");
  const find = async (operation = order.operation) => {
    const found = await registry.client.findDependencies({ params, body: { operations: [operation] } });
    return requireValue(found, "dependencies");
  };

  test(`${engine.name}: a document's resources are listed, searched, and read with what needs them`, async () => {
    const first = await list({ limit: 2 });
    const rest = await list({ limit: 2, cursor: first.nextCursor! });
    expect([...first.items, ...rest.items].map(({ key }) => key)).toEqual(["/pet/{}", "/store/order/{}", "/user/{}"]);
    expect(first.total).toBe(3);
    expect((await list({ query: "ORDER" })).items.map(({ name }) => name)).toEqual(["order"]);
    const pet = await get("/pet/{}");
    expect(pet.producers[0]).toMatchObject({ operation: { method: "post", path: "/pet" }, path: "$.id" });
    expect(pet.consumers).toContainEqual(expect.objectContaining(order));
    expect(pet.consumerCount).toBe(pet.consumers.length);
    // What it needs, and what it makes itself.
    expect((await find()).resources.map(({ key }) => key)).toEqual(["/pet/{}", "/store/order/{}"]);
    expect((await registry.client.getResource({ params: { ...params, resourceKey: "/no/{}" } })).status).toBe(404);
  });

  test(`${engine.name}: what a person says of a value counts, also after an import, until it is forgotten`, async () => {
    const say = (resource: string | null) => registry.client.setDependency({ params, body: { ...order, resource } });
    expect((await say("/user/{}")).ok).toBe(true);
    expect((await find()).consumers[0]).toMatchObject({ ...order, resource: "/user/{}", evidence: { kind: "person" } });
    expect((await get("/user/{}")).consumers).toContainEqual(expect.objectContaining(order));
    expect((await get("/pet/{}")).consumers).not.toContainEqual(expect.objectContaining(order));
    const { document } = fixture("valid", "swagger-petstore-v30.yaml");
    requireValue(await registry.client.importDocument({ params, body: { source: { document } } }), "importing");
    expect((await find()).consumers[0]!.resource).toBe("/user/{}");
    expect((await say(null)).ok).toBe(true);
    expect((await find()).consumers).toEqual([]);
    expect((await registry.client.forgetDependency({ params, body: order })).ok).toBe(true);
    expect((await registry.client.forgetDependency({ params, body: order })).ok).toBe(true);
    expect((await find()).consumers[0]!.resource).toBe("/pet/{}");
  });

  test(`${engine.name}: a resource that the document does not have is refused at its field, and changes nothing`, async () => {
    const refused = await registry.client.setDependency({ params, body: { ...order, resource: "/planets/{}" } });
    expect(refused).toMatchObject({ ok: false, status: 422, problem: { errors: [{ path: "resource" }] } });
    expect((await find()).consumers[0]!.resource).toBe("/pet/{}");
  });

  test(`${engine.name}: a document stored without its dependencies gets them after a start`, async () => {
    const before = await list();
    const db = registry.database.inSchema<ApiRegistryTables>(schemaName);
    await acrossOrganizations(async () => {
      await db.deleteFrom("resources").execute();
      await db.deleteFrom("operation_consumers").execute();
      await db.updateTable("documents").set({ related: false }).execute();
    });
    expect((await list()).items).toEqual([]);
    const again = await startRegistry(registry.database);
    await expect.poll(async () => (await list()).items, { timeout: 60_000 }).toEqual(before.items);
    expect((await find()).consumers[0]).toMatchObject(order);
    await again.service.stop();
  });
}
