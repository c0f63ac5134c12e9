import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

const key = "0190a000-0000-7000-8000-00000000000a";
const other = "0190a000-0000-7000-8000-00000000000b";

for (const engine of testEngines()) {
  let world: Awaited<ReturnType<typeof createTestRegistryWorld>>;
  beforeAll(async () => {
    world = await createTestRegistryWorld(engine);
  });
  afterAll(() => world.close());

  type Tenant = ReturnType<typeof world.createTenant>;
  async function createTest({ client, apiId }: Tenant, changes: { name: string } & Record<string, unknown>) {
    const body = { method: "get", path: "/pets", request: {}, checks: ["not_a_server_error" as const], ...changes };
    return requireValue(await client.createTest({ params: { apiId }, body }), "create").id;
  }
  const naming = (...credentialIds: string[]) => ({
    request: {
      authorization: {
        kind: "credentials",
        bindings: credentialIds.map((credentialId) => ({ schemeName: "key", credentialId })),
      },
    },
  });
  const inside = async ({ organizationId }: Tenant) =>
    world.connect({ token: await world.serviceToken(organizationId) });

  test(`${engine.name}: tests of operations are found by path and case-insensitive method, of this API only`, async () => {
    const tenant = world.createTenant();
    const first = await createTest(tenant, { name: "a" });
    const second = await createTest(tenant, { name: "B", method: "GET" });
    await createTest(tenant, { name: "posts", method: "post" });
    await createTest(tenant, { name: "elsewhere", path: "/shops" });
    await createTest({ ...tenant, apiId: world.registerApi(tenant.organizationId) }, { name: "of another API" });
    const operations = [
      { method: "GET", path: "/pets" },
      { method: "get", path: "/none" },
      { method: "get", path: "/\u0000" },
    ];
    const params = { apiId: tenant.apiId };
    const found = await (await inside(tenant)).findTestsOfOperations({ params, body: { operations } });
    expect(requireValue(found, "find").items).toEqual([
      {
        method: "get",
        path: "/pets",
        total: 2,
        items: [
          { id: first, name: "a" },
          { id: second, name: "B" },
        ],
      },
    ]);
    const stranger = await inside(world.createTenant());
    const foreign = await stranger.findTestsOfOperations({ params, body: { operations } });
    expect(requireValue(foreign, "find").items).toEqual([]);
  });

  test(`${engine.name}: all tests of an operation are counted and the first twenty named`, async () => {
    const tenant = world.createTenant();
    for (let index = 0; index < 22; index++)
      await createTest(tenant, { name: `test ${String(index).padStart(2, "0")}` });
    const body = { operations: [{ method: "get", path: "/pets" }] };
    const found = await (await inside(tenant)).findTestsOfOperations({ params: { apiId: tenant.apiId }, body });
    const [{ total, items } = { total: 0, items: [] }] = requireValue(found, "find").items;
    expect([total, items.length, items.at(-1)?.name]).toEqual([22, 20, "test 19"]);
  });

  test(`${engine.name}: tests are found by credential until they no longer name it`, async () => {
    const tenant = world.createTenant();
    const { client, apiId } = tenant;
    const both = await createTest(tenant, { name: "both", ...naming(key, other, key) });
    const one = await createTest(tenant, { name: "one", ...naming(key) });
    // One inherits, one contains the id in a text only.
    await createTest(tenant, { name: "inherits" });
    const text = `{"credentialId":"${key}"} \u0000 \\ud800`;
    const body = { kind: "text", text, mediaType: "text/plain" };
    await createTest(tenant, { name: "text", request: { body } });
    const find = async () => {
      const found = await (await inside(tenant)).findTestsOfCredentials({ body: { credentialIds: [key, other] } });
      const items = requireValue(found, "find").items.map(
        ({ credentialId, ...tests }) => [credentialId, tests] as const,
      );
      return Object.fromEntries(items);
    };
    expect(await find()).toEqual({
      [key]: {
        total: 2,
        items: [
          { id: both, apiId, name: "both" },
          { id: one, apiId, name: "one" },
        ],
      },
      [other]: { total: 1, items: [{ id: both, apiId, name: "both" }] },
    });
    requireValue(await client.deleteTest({ params: { testId: both } }), "delete");
    const changed = { name: "one", method: "get", path: "/pets", request: {}, checks: ["not_a_server_error" as const] };
    requireValue(await client.changeTest({ params: { testId: one }, body: changed }), "change");
    expect(await find()).toEqual({});
  });
}
