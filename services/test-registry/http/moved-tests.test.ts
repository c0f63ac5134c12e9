import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let world: Awaited<ReturnType<typeof createTestRegistryWorld>>;
  beforeAll(async () => {
    world = await createTestRegistryWorld(engine);
  });
  afterAll(() => world.close());

  type Tenant = ReturnType<typeof world.createTenant>;
  async function createTest({ client, apiId }: Tenant, path: string, request: object = {}) {
    const body = { name: path, method: "get", path, request, checks: ["not_a_server_error" as const] };
    return requireValue(await client.createTest({ params: { apiId }, body }), "create").id;
  }
  const read = async ({ client }: Tenant, testId: string) =>
    requireValue(await client.getTest({ params: { testId } }), "get");
  async function receive(
    tenant: Tenant,
    moves: { from: string; to: string; renamed?: [string, string] }[],
    { times = 1, documentId = uuidv7() } = {},
  ) {
    const client = world.connect({ token: await world.identities.serviceToken(tenant.organizationId) });
    const body = {
      id: uuidv7(),
      organizationId: tenant.organizationId,
      occurredAt: new Date().toISOString(),
      type: "operations.moved" as const,
      payload: {
        apiId: tenant.apiId,
        documentId,
        moves: moves.map(({ from, to, renamed }) => ({
          ...{ method: "get", from, to },
          parameters: renamed ? [{ from: renamed[0], to: renamed[1] }] : [],
        })),
      },
    };
    for (let time = 0; time < times; time += 1) requireValue(await client.receiveEvent({ body }), "event");
  }

  test(`${engine.name}: tests follow an operation that moved, with the names of its path parameters`, async () => {
    const tenant = world.createTenant();
    const pathParameters = [
      { name: "id", value: "7", enabled: true },
      { name: "other", value: "1", enabled: true },
    ];
    const moved = await createTest(tenant, "/books/{id}", { pathParameters });
    const stays = await createTest(tenant, "/shops");
    await receive(tenant, [{ from: "/books/{id}", to: "/v1/books/{bookId}", renamed: ["id", "bookId"] }]);
    const test = await read(tenant, moved);
    expect([test.path, test.version, test.request.pathParameters.map(({ name }) => name)]).toEqual([
      "/v1/books/{bookId}",
      2,
      ["bookId", "other"],
    ]);
    expect(await read(tenant, stays)).toMatchObject({ path: "/shops", version: 1 });
  });

  test(`${engine.name}: paths that were exchanged are exchanged once, however often the event comes`, async () => {
    const tenant = world.createTenant();
    const [one, other] = [await createTest(tenant, "/a"), await createTest(tenant, "/b")];
    const exchange = [
      { from: "/a", to: "/b" },
      { from: "/b", to: "/a" },
    ];
    await receive(tenant, exchange, { times: 2 });
    expect([(await read(tenant, one)).path, (await read(tenant, other)).path]).toEqual(["/b", "/a"]);
  });

  for (const [order, chain] of [
    ["the first link first", ["/a", "/b", "/c"]],
    ["the last link first", ["/b", "/a", "/c"]],
  ] as const) {
    test(`${engine.name}: a chain of moves in several events of one document moves each test once, ${order}`, async () => {
      const tenant = world.createTenant();
      const next: Record<string, string> = { "/a": "/b", "/b": "/c", "/c": "/a" };
      const ids = await Promise.all(chain.map((path) => createTest(tenant, path)));
      const documentId = uuidv7();
      for (const path of chain) await receive(tenant, [{ from: path, to: next[path]! }], { documentId });
      const paths = await Promise.all(ids.map(async (id) => (await read(tenant, id)).path));
      expect(paths).toEqual(chain.map((path) => next[path]));
    });
  }

  test(`${engine.name}: a test that moved with one document moves again with the next one`, async () => {
    const tenant = world.createTenant();
    const id = await createTest(tenant, "/a");
    await receive(tenant, [{ from: "/a", to: "/b" }]);
    await receive(tenant, [{ from: "/b", to: "/c" }]);
    expect((await read(tenant, id)).path).toBe("/c");
  });

  test(`${engine.name}: a test's own base URL follows a prefix that moved, so that its request stays the same`, async () => {
    const tenant = world.createTenant();
    const own = (path: string, baseUrl: string) => createTest(tenant, path, { baseUrl });
    const ids = [
      await own("/books", "https://a.test/v1"),
      await own("/books", "{{host}}/v1/"),
      await own("/books", "https://a.test"),
      await own("/v2/shops", "https://a.test"),
    ];
    await receive(tenant, [
      { from: "/books", to: "/v1/books" },
      { from: "/v2/shops", to: "/shops" },
    ]);
    const sent = await Promise.all(
      ids.map(async (id) => {
        const { request, path } = await read(tenant, id);
        return [request.baseUrl, path];
      }),
    );
    expect(sent).toEqual([
      ["https://a.test", "/v1/books"],
      ["{{host}}", "/v1/books"],
      ["https://a.test", "/v1/books"],
      ["https://a.test/v2", "/shops"],
    ]);
  });

  test(`${engine.name}: tests of another organization or API stay where they are`, async () => {
    const [tenant, stranger] = [world.createTenant(), world.createTenant()];
    const foreign = await createTest(stranger, "/a");
    const elsewhere = await createTest({ ...tenant, apiId: world.registerApi(tenant.organizationId) }, "/a");
    await receive(tenant, [{ from: "/a", to: "/b" }]);
    await receive({ ...tenant, apiId: stranger.apiId }, [{ from: "/a", to: "/b" }]);
    expect(await read(stranger, foreign)).toMatchObject({ path: "/a" });
    expect(await read(tenant, elsewhere)).toMatchObject({ path: "/a" });
  });

  test(`${engine.name}: tests for a review have their definitions, and the circles and schedules that run them`, async () => {
    const tenant = world.createTenant();
    const id = await createTest(tenant, "/a", { query: [{ name: "q", value: "1" }] });
    const circle = { name: "Daily", members: [{ kind: "test" as const, testId: id }] };
    const { id: circleId } = requireValue(await tenant.client.createCircle({ body: circle as never }), "circle");
    const all = { name: "All", members: [{ kind: "selection" as const, apiId: tenant.apiId }] };
    const { id: allId } = requireValue(await tenant.client.createCircle({ body: all as never }), "circle");
    const client = world.connect({ token: await world.identities.serviceToken(tenant.organizationId) });
    const body = { operations: [{ method: "get", path: "/a" }], withDefinitions: true };
    const found = await client.findTestsOfOperations({ params: { apiId: tenant.apiId }, body });
    expect(requireValue(found, "find").items[0]!.items).toMatchObject([
      {
        id,
        definition: { request: { query: [{ name: "q", value: "1" }] }, assertions: [], captures: [] },
        circles: [
          { id: allId, name: "All", schedules: 0, isMember: false },
          { id: circleId, name: "Daily", schedules: 0, isMember: true },
        ],
      },
    ]);
  });
}
