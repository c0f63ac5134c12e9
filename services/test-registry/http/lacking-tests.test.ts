import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

const reference = (name: string, enabled = true) => ({ name: "of", value: `a {{ ${name} }}`, enabled });

for (const engine of testEngines()) {
  let world: Awaited<ReturnType<typeof createTestRegistryWorld>>;
  beforeAll(async () => {
    world = await createTestRegistryWorld(engine);
  });
  afterAll(() => world.close());

  type Tenant = ReturnType<typeof world.createTenant>;
  async function createTest({ client, apiId }: Tenant, request: object, changes: object = {}) {
    const body = { name: "one", method: "GET", path: "/pets", request, checks: ["not_a_server_error" as const] };
    return requireValue(await client.createTest({ params: { apiId }, body: { ...body, ...changes } }), "create").id;
  }
  async function count({ client, apiId }: Tenant, given: string[] = [], paths = ["/pets", "/\u0000"]) {
    const operations = paths.map((path) => ({ method: "get", path }));
    const response = await client.countLackingTests({ params: { apiId }, body: { operations, given } });
    return requireValue(response, "count").items.map(({ total, names }) => [total, ...names]);
  }

  test(`${engine.name}: tests that reference undefined names are counted, however many there are`, async () => {
    const tenant = world.createTenant();
    for (const name of ["shop", "shop", "tenant"]) await createTest(tenant, { query: [reference(name)] });
    await createTest(tenant, { query: [reference("shop"), reference("tenant")] });
    await createTest(tenant, { query: [reference("shop")] }, { enabled: false });
    await createTest(tenant, { query: [reference("shop")] }, { path: "/shops" });
    await createTest(tenant, { query: [reference("shop")] }, { method: "post" });
    expect(await count(tenant)).toEqual([[4, "shop", "tenant"]]);
    expect(await count(tenant, ["shop", "\u0000"])).toEqual([[2, "tenant"]]);
    expect(await count(tenant, ["tenant", "shop"])).toEqual([]);
    const params = { apiId: tenant.apiId };
    const foreign = await world
      .createTenant()
      .client.countLackingTests({ params, body: { operations: [], given: [] } });
    expect(foreign.status).toBe(404);
  });

  test(`${engine.name}: a name is found anywhere in a request, and in assertions`, async () => {
    const tenant = world.createTenant();
    const texts = { kind: "json", text: '{"a": "{{body}} \u0000 {{\u0001no}} \\ud800"}' };
    const locations = {
      baseUrl: "https://{{base}}",
      pathParameters: [reference("path")],
      query: [reference("query")],
      headers: [reference("header"), reference("$uuid")],
      cookies: [reference("cookie")],
      body: texts,
    };
    const assertion = { source: "body", comparison: "contains", target: "{{target}}" };
    await createTest(tenant, locations, { assertions: [assertion] });
    const all = ["base", "body", "cookie", "header", "path", "query", "target"];
    expect(await count(tenant)).toEqual([[1, ...all.slice(0, 6)]]);
    expect(await count(tenant, all.slice(0, 6))).toEqual([[1, "target"]]);
    expect(await count(tenant, all)).toEqual([]);
  });

  test(`${engine.name}: disabled rows and columns of the test's data are not missing`, async () => {
    const tenant = world.createTenant();
    const off = [reference("off", false), reference("on")];
    await createTest(tenant, {
      query: off,
      body: { kind: "form", fields: [reference("field", false), reference("sent")] },
    });
    await createTest(tenant, { body: { kind: "multipart", parts: [reference("part"), reference("off", false)] } });
    await createTest(tenant, { query: [reference("given")] }, { data: [{ given: "1" }, { other: "2" }] });
    expect(await count(tenant)).toEqual([[2, "on", "part", "sent"]]);
  });

  test(`${engine.name}: a changed test is counted by its current references`, async () => {
    const tenant = world.createTenant();
    const testId = await createTest(tenant, { query: [reference("before")] });
    const found = requireValue(await tenant.client.getTest({ params: { testId } }), "get");
    const body = { ...found, request: { ...found.request, query: [reference("after")] } };
    requireValue(await tenant.client.changeTest({ params: { testId }, body }), "change");
    expect(await count(tenant)).toEqual([[1, "after"]]);
  });

  const capturing = (name: string) => ({ captures: [{ name, source: "jsonPath" as const, property: "$.value" }] });

  test(`${engine.name}: what another test of the API captures is not missing`, async () => {
    const tenant = world.createTenant();
    const asking = await createTest(tenant, { query: [reference("token"), reference("bookId2"), reference("shop")] });
    await createTest(tenant, { query: [reference("tenant")] }, { path: "/shops" });
    const { client, apiId } = tenant;
    const params = { apiId };
    const total = async (given: string[] = []) =>
      requireValue(await client.countLackingTests({ params, body: { given } }), "count").total;
    expect(await total()).toEqual({ operations: 2, tests: 2, names: ["bookId2", "shop", "tenant", "token"] });
    await createTest(tenant, { query: [] }, { ...capturing("token"), path: "/login" });
    await createTest(tenant, { query: [] }, { ...capturing("bookId#"), data: [{ row: "1" }] });
    expect(await total()).toEqual({ operations: 2, tests: 2, names: ["shop", "tenant"] });
    expect(await total(["tenant"])).toEqual({ operations: 1, tests: 1, names: ["shop"] });
    expect(await total(["tenant", "shop"])).toEqual({ operations: 0, tests: 0, names: [] });
    expect(await count(tenant)).toEqual([[1, "shop"]]);

    const list = async (given: string[]) =>
      requireValue(await client.listLackingValues({ params, body: { testIds: [asking], given } }), "list").items;
    expect(await list([])).toEqual([{ testId: asking, names: ["shop"] }]);
    expect(await list(["shop"])).toEqual([]);
    const foreign = await world.createTenant().client.listLackingValues({ params, body: { testIds: [asking] } });
    expect(foreign.status).toBe(404);
  });

  test(`${engine.name}: what a circle of the API defines or captures is not missing`, async () => {
    const tenant = world.createTenant();
    const { client } = tenant;
    const testId = await createTest(tenant, { query: [reference("token"), reference("shop"), reference("left")] });
    const signingIn = await client.createTest({
      params: { apiId: world.registerApi(tenant.organizationId) },
      body: {
        name: "in",
        method: "GET",
        path: "/in",
        request: {},
        checks: ["not_a_server_error"],
        ...capturing("token"),
      },
    });
    const members = [{ testId: requireValue(signingIn, "create").id }, { testId }];
    const variables = [{ name: "shop", value: "1", secret: false }];
    requireValue(await client.createCircle({ body: { name: "Nightly", members, variables } }), "create");
    expect(await count(tenant)).toEqual([[1, "left"]]);
  });
}
