import { afterAll, beforeAll, expect, test } from "vitest";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { connectTo, requireValue } from "../../kit/client/client.ts";
import type { Consumer } from "../../kit/events/consumer.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { smallDocument } from "../testing/fixtures.ts";
import { type OpenRegistry, openRegistry } from "../testing/registry.ts";

const before = smallDocument();
const { paths } = before as { paths: Record<string, unknown> };
/** The base path of its server, in the paths. */
const moved = {
  ...before,
  servers: [{ url: "https://api.example.com" }],
  paths: { "/v1/pets/{petId}": paths["/pets/{petId}"] },
};

const testRegistry = connectTo(testRegistryContract, {
  transport: async () => Response.json({ items: [{ method: "get", path: "/pets/{petId}", total: 21, items: [] }] }),
});

for (const engine of testEngines()) {
  let registry: OpenRegistry;
  const moves: unknown[] = [];
  const moving: Consumer = {
    name: "test-registry",
    types: ["operations.moved"],
    deadlineMilliseconds: 1_000,
    receive: async ({ payload }) => {
      moves.push(payload);
      return { ok: true, status: 204, value: undefined, response: new Response(null, { status: 204 }) };
    },
  };
  beforeAll(async () => {
    registry = await openRegistry(engine, { testRegistry, consumers: [moving] });
  });
  afterAll(() => registry.close());

  async function register(document: object): Promise<string> {
    const body = { source: { document: JSON.stringify(document) } };
    return await registry.register(body);
  }
  const requestComparison = (apiId: string, document: object) =>
    registry.client.compareDocument({ params: { apiId }, body: { source: { document: JSON.stringify(document) } } });

  test(`${engine.name}: a moved operation has the tests of its path before, and importing it moves them`, async () => {
    const apiId = await register(before);
    const compared = requireValue(await requestComparison(apiId, moved), "compare");
    expect([compared.added, compared.removed]).toEqual([[], []]);
    expect(compared.changed).toMatchObject([
      { path: "/v1/pets/{petId}", pathBefore: "/pets/{petId}", breaking: false, tests: { total: 21 } },
    ]);
    const body = { source: { document: JSON.stringify(moved) } };
    requireValue(await registry.client.importDocument({ params: { apiId }, body }), "import");
    await expect
      .poll(() => moves)
      .toMatchObject([
        { apiId, moves: [{ method: "get", from: "/pets/{petId}", to: "/v1/pets/{petId}", parameters: [] }] },
      ]);
  });

  test(`${engine.name}: base URLs follow a base path that moved into the paths, and back, as the comparison said`, async () => {
    const { client } = registry;
    const apiId = await register(before);
    const params = { apiId };
    const change = { name: "Moving", baseUrl: "https://own.example.com/v1", tags: [] };
    requireValue(await client.changeApi({ params, body: change }), "change");
    const items = [
      { name: "staging", baseUrl: "https://staging.example.com/v1/", variables: { a: "1" } },
      { name: "bare", baseUrl: "https://bare.example.com" },
    ];
    requireValue(await client.replaceEnvironments({ params, body: { items } }), "environments");
    const readUrls = async () => {
      const { baseUrl } = requireValue(await client.getApi({ params }), "API");
      const environments = requireValue(await client.listEnvironments({ params }), "environments");
      return [baseUrl, ...environments.items.map((one) => one.baseUrl)];
    };
    const importVersion = async (document: object) =>
      requireValue(
        await client.importDocument({ params, body: { source: { document: JSON.stringify(document) } } }),
        "import",
      );

    const { baseUrls } = requireValue(await requestComparison(apiId, moved), "compare");
    const same = (url: string) => ({ before: url, after: url });
    expect(baseUrls).toEqual([
      {
        environment: null,
        ...{ before: "https://own.example.com/v1", after: "https://own.example.com" },
        sent: same("https://own.example.com/v1/pets/{petId}"),
      },
      {
        environment: "staging",
        ...{ before: "https://staging.example.com/v1/", after: "https://staging.example.com" },
        sent: same("https://staging.example.com/v1/pets/{petId}"),
      },
      {
        environment: "bare",
        ...same("https://bare.example.com"),
        sent: {
          before: "https://bare.example.com/pets/{petId}",
          after: "https://bare.example.com/v1/pets/{petId}",
        },
      },
    ]);
    await importVersion(moved);
    expect(await readUrls()).toEqual([
      "https://own.example.com",
      "https://staging.example.com",
      "https://bare.example.com",
    ]);
    const environments = requireValue(await client.listEnvironments({ params }), "environments");
    expect(environments.items[0]!.variables).toEqual({ a: "1" });

    await importVersion(before);
    expect(await readUrls()).toEqual([
      "https://own.example.com/v1",
      "https://staging.example.com/v1",
      "https://bare.example.com/v1",
    ]);
  });

  test(`${engine.name}: base URLs stay where not every operation moved, and the comparison says what they send then`, async () => {
    const apiId = await register({ ...before, paths: { ...paths, "/pets": paths["/pets/{petId}"] } });
    const params = { apiId };
    const items = [{ name: "staging", baseUrl: "https://staging.example.com/v1", variables: {} }];
    requireValue(await registry.client.replaceEnvironments({ params, body: { items } }), "environments");
    const document = {
      ...before,
      servers: [{ url: "https://api.example.com" }],
      paths: { "/v1/pets/{petId}": paths["/pets/{petId}"], "/pets": paths["/pets/{petId}"] },
    };
    const { baseUrls } = requireValue(await requestComparison(apiId, document), "compare");
    expect(baseUrls).toEqual([
      {
        environment: "staging",
        ...{ before: "https://staging.example.com/v1", after: "https://staging.example.com/v1" },
        sent: {
          before: "https://staging.example.com/v1/pets/{petId}",
          after: "https://staging.example.com/v1/v1/pets/{petId}",
        },
      },
    ]);
    const body = { source: { document: JSON.stringify(document) } };
    requireValue(await registry.client.importDocument({ params, body }), "import");
    const after = requireValue(await registry.client.listEnvironments({ params }), "environments");
    expect(after.items[0]!.baseUrl).toBe("https://staging.example.com/v1");
  });
}
