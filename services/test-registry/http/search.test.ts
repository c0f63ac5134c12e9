import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createCircleMaker, type Tenant, type World } from "../testing/circle-maker.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let world: World;
  beforeAll(async () => {
    world = await createTestRegistryWorld(engine);
  });
  afterAll(() => world.close());
  const { createTest, create } = createCircleMaker(() => world);

  async function search({ client }: Tenant, query: string, limit = 5) {
    const { tests, testCircles } = requireValue(await client.searchTests({ query: { query, limit } }), "search");
    return {
      tests: tests.items.map(({ name }) => name),
      circles: testCircles.items.map(({ name }) => name),
      totals: [tests.total, testCircles.total],
    };
  }

  test(`${engine.name}: tests of all APIs are found by name, method, path and tag, and circles by name and description`, async () => {
    const tenant = world.createTenant();
    const other = world.registerApi(tenant.organizationId);
    const testId = await createTest(tenant, "Lists orders", { path: "/orders" });
    await createTest(tenant, "Orders", { path: "/shop/orders", method: "post", tags: ["smoke"] }, other);
    await create(tenant, { name: "Every night", description: "Orders and more", members: [{ testId }] });
    expect(await search(tenant, "ORDERS")).toEqual({
      tests: ["Orders", "Lists orders"],
      circles: ["Every night"],
      totals: [2, 1],
    });
    expect((await search(tenant, "post /shop")).tests).toEqual(["Orders"]);
    expect((await search(tenant, "orders list")).tests).toEqual(["Lists orders"]);
    expect((await search(tenant, "smoke")).tests).toEqual(["Orders"]);
    expect(await search(tenant, "orders", 1)).toMatchObject({ tests: ["Orders"], totals: [2, 1] });
    const found = requireValue(await tenant.client.searchTests({ query: { query: "night" } }), "search");
    expect(found.testCircles.items[0]).toMatchObject({ name: "Every night", apiIds: [tenant.apiId] });
  });

  test(`${engine.name}: a test is found by what it is called now`, async () => {
    const tenant = world.createTenant();
    const testId = await createTest(tenant, "Before");
    const body = { name: "After", method: "get", path: "/pets", request: {}, checks: ["not_a_server_error" as const] };
    const headers = { "if-match": '"1"' };
    requireValue(await tenant.client.changeTest({ params: { testId }, body, headers }), "change");
    expect((await search(tenant, "before")).tests).toEqual([]);
    expect((await search(tenant, "after")).tests).toEqual(["After"]);
  });

  test(`${engine.name}: other organizations' tests and circles are not found`, async () => {
    const [tenant, stranger] = [world.createTenant(), world.createTenant()];
    const testId = await createTest(stranger, "Theirs");
    await create(stranger, { name: "Theirs, too", members: [{ testId }] });
    expect((await search(tenant, "theirs")).totals).toEqual([0, 0]);
    expect((await search(stranger, "theirs")).totals).toEqual([1, 1]);
  });
}
