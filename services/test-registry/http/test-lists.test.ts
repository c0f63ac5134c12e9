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

  test(`${engine.name}: every sort pages through all tests once`, async () => {
    const tenant = world.createTenant();
    for (const [index, name] of ["delta", "Alpha", "alpha", "Charlie", "bravo", "Écho"].entries()) {
      world.clock.advance(1_000);
      await createTest(tenant, { name, path: `/p${index % 3}`, method: index % 2 ? "post" : "get" });
    }
    for (const sort of ["name", "-name", "path", "updatedAt", "-updatedAt"] as const) {
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const page = requireValue(
          await tenant.client.listTests({ params: { apiId: tenant.apiId }, query: { sort, limit: 2, cursor } }),
          "list",
        );
        if (cursor === undefined) expect(page.total).toBe(6);
        names.push(...page.items.map((item) => item.name));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(new Set(names).size).toBe(6);
      if (sort === "name") expect(names.slice(0, 2).map((name) => name.toLowerCase())).toEqual(["alpha", "alpha"]);
      if (sort === "-updatedAt") expect(names[0]).toBe("Écho");
    }
  });

  test(`${engine.name}: tests are found by words, method, path, tag, state, id and whether they may change data`, async () => {
    const tenant = world.createTenant();
    await createTest(tenant, { name: "Pay 100%", tags: ["money"] });
    const refund = await createTest(tenant, { name: "Refund", path: "/refunds", method: "post" });
    await createTest(tenant, { name: "Draft", enabled: false });
    const find = async (query: object) => {
      const response = await tenant.client.listTests({ params: { apiId: tenant.apiId }, query });
      return requireValue(response, "list").items.map((item) => item.name);
    };
    expect(await find({ query: "0%" })).toEqual(["Pay 100%"]);
    expect(await find({ query: "%%" })).toEqual([]);
    expect(await find({ query: "\u0000" })).toEqual([]);
    expect(await find({ query: "REFUND" })).toEqual(["Refund"]);
    expect(await find({ method: "POST" })).toEqual(["Refund"]);
    expect(await find({ path: "/refunds" })).toEqual(["Refund"]);
    expect(await find({ tag: "money" })).toEqual(["Pay 100%"]);
    expect(await find({ enabled: "false" })).toEqual(["Draft"]);
    expect(await find({ safe: "false" })).toEqual(["Refund"]);
    expect(await find({ safe: "true" })).toEqual(["Draft", "Pay 100%"]);
    expect(await find({ ids: refund.id })).toEqual(["Refund"]);
    expect(await find({ ids: refund.id, safe: "true" })).toEqual([]);
  });

  test(`${engine.name}: tests are counted by API and by operation`, async () => {
    const tenant = world.createTenant();
    const secondApi = world.registerApi(tenant.organizationId);
    await createTest(tenant, { name: "a" });
    await createTest(tenant, { name: "b", enabled: false });
    await createTest(tenant, { name: "c", path: "/pets/{id}", enabled: false });
    await createTest({ ...tenant, apiId: secondApi }, { name: "d" });
    await createTest(world.createTenant(), { name: "foreign" });
    const all = requireValue(await tenant.client.countTests({ query: {} }), "count");
    expect(all.byApi).toHaveLength(2);
    expect(all.byApi).toContainEqual({ apiId: tenant.apiId, total: 3, enabled: 1 });
    expect(all.byOperation).toEqual([]);
    const some = requireValue(await tenant.client.countTests({ query: { apiIds: secondApi } }), "count");
    expect(some.byApi).toEqual([{ apiId: secondApi, total: 1, enabled: 1 }]);
    const one = requireValue(await tenant.client.countTests({ query: { apiId: tenant.apiId } }), "count");
    expect(one.byOperation).toEqual([
      { method: "get", path: "/pets", total: 2 },
      { method: "get", path: "/pets/{id}", total: 1 },
    ]);
    expect(await tenant.client.countTests({ query: { apiIds: "nonsense" } })).toMatchObject({ status: 400 });
    expect(requireValue(await tenant.client.countTests({ query: { apiIds: "" } }), "count").byApi).toEqual([]);
  });

  test(`${engine.name}: enabled tests are counted by method, and which of them change nothing`, async () => {
    const tenant = world.createTenant();
    await createTest(tenant, { name: "a" });
    await createTest(tenant, { name: "b" });
    await createTest(tenant, { name: "c", method: "delete" });
    await createTest(tenant, { name: "d", method: "post", enabled: false });
    await createTest({ ...tenant, apiId: world.registerApi(tenant.organizationId) }, { name: "e" });
    const { apiId } = tenant;
    const { byMethod } = requireValue(await tenant.client.countEnabledTests({ params: { apiId } }), "count");
    expect(byMethod).toEqual([
      { method: "delete", total: 1, isSafe: false },
      { method: "get", total: 2, isSafe: true },
    ]);
  });
}
