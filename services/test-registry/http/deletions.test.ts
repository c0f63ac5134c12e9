import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import type { World } from "../testing/circle-maker.ts";
import { createTest } from "../testing/drafts.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let world: World;
  beforeAll(async () => {
    world = await createTestRegistryWorld(engine);
  });
  afterAll(() => world.close());

  test(`${engine.name}: the named tests are deleted together, those of others remain, and repeating has no effect`, async () => {
    const tenant = world.createTenant();
    const other = { ...tenant, apiId: world.registerApi(tenant.organizationId) };
    const stranger = world.createTenant();
    const [first, second, stored] = [
      await createTest(tenant, { name: "a" }),
      await createTest(tenant, { name: "b" }),
      await createTest(tenant, { name: "c" }),
    ];
    const spared = [await createTest(other, { name: "d" }), await createTest(stranger, { name: "e" })];
    const params = { apiId: tenant.apiId };
    const body = { testIds: [first, second, ...spared].map(({ id }) => id) };
    const remove = async () => requireValue(await tenant.client.deleteTests({ params, body }), "delete");
    expect(await remove()).toEqual({ deleted: 2 });
    expect(await remove()).toEqual({ deleted: 0 });
    const left = requireValue(await tenant.client.listAllTests({ query: {} }), "list").items;
    expect(left.map(({ id }) => id).sort()).toEqual([stored.id, spared[0]!.id].sort());
    expect((await stranger.client.getTest({ params: { testId: spared[1]!.id } })).status).toBe(200);
  });

  test(`${engine.name}: all tests of an API are deleted together, others remain`, async () => {
    const tenant = world.createTenant();
    const secondApi = world.registerApi(tenant.organizationId);
    await createTest(tenant, { name: "a" });
    const remaining = await createTest({ ...tenant, apiId: secondApi }, { name: "b" });
    expect((await tenant.client.deleteTestsOfApi({ params: { apiId: tenant.apiId } })).status).toBe(204);
    const left = requireValue(await tenant.client.countTests({ query: {} }), "count");
    expect(left.byApi.map((count) => count.apiId)).toEqual([remaining.apiId]);
  });
}
