import { afterAll, beforeAll, expect, test } from "vitest";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { connectTo, requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { smallDocument } from "../testing/fixtures.ts";
import { startRegistry } from "../testing/registry.ts";

const before = smallDocument();
const petTest = { id: "0190a000-0000-7000-8000-000000000001", name: "Finds a pet" };

for (const engine of testEngines()) {
  let database: Database;
  let registry: Awaited<ReturnType<typeof startRegistry>>;
  /** Calls to test-registry, newest last. */
  const requested: { path: string; operations: unknown }[] = [];
  let testsAreAway = false;
  const testRegistry = connectTo(testRegistryContract, {
    async transport(request) {
      if (testsAreAway) throw new Error("connection refused");
      const { operations } = (await request.json()) as { operations: unknown };
      requested.push({ path: new URL(request.url).pathname, operations });
      return Response.json({ items: [{ method: "get", path: "/pets/{petId}", total: 21, items: [petTest] }] });
    },
  });
  beforeAll(async () => {
    database = await engine.open();
    registry = await startRegistry(database, { testRegistry });
  });
  afterAll(async () => {
    await registry.service.stop();
    await database.close();
  });

  async function register(document: object): Promise<string> {
    const body = { source: { document: JSON.stringify(document) } };
    return requireValue(await registry.client.registerApi({ body }), "register").id;
  }
  const requestComparison = (apiId: string, document: object, client = registry.client) =>
    client.compareDocument({ params: { apiId }, body: { source: { document: JSON.stringify(document) } } });

  test(`${engine.name}: a comparison lists added, changed and removed operations, and which changes break`, async () => {
    const apiId = await register(before);
    const compare = async (document: object) => requireValue(await requestComparison(apiId, document), "compare");
    expect(await compare(before)).toEqual({ added: [], changed: [], removed: [], unchangedCount: 1 });
    const changed = structuredClone(before) as { components: { schemas: { Pet: { properties: { name: unknown } } } } };
    changed.components.schemas.Pet.properties.name = { type: "integer" };
    expect(await compare(changed)).toMatchObject({
      unchangedCount: 0,
      changed: [
        {
          method: "get",
          path: "/pets/{petId}",
          breaking: true,
          reasons: ['The type of "name" of the response 200 changed from string to integer.'],
        },
      ],
    });
    const other = { ...before, paths: { "/new": { get: { responses: { "200": { description: "ok" } } } } } };
    expect(await compare(other)).toMatchObject({
      added: [{ method: "get", path: "/new", breaking: false }],
      removed: [{ method: "get", path: "/pets/{petId}", breaking: true }],
    });
    const unusable = await registry.client.compareDocument({ params: { apiId }, body: { source: { document: "[]" } } });
    expect(unusable.status).toBe(422);
  });

  test(`${engine.name}: each change names the affected tests; none are requested where nothing changes`, async () => {
    const apiId = await register(before);
    const other = { ...before, paths: { "/new": { get: { responses: { "200": { description: "ok" } } } } } };
    requested.length = 0;
    await requestComparison(apiId, before);
    expect(requested).toEqual([]);
    const compared = requireValue(await requestComparison(apiId, other), "compare");
    expect(compared.removed[0]!.tests).toEqual({ total: 21, items: [petTest] });
    expect(compared.added[0]!.tests).toEqual({ total: 0, items: [] });
    expect(requested).toEqual([
      {
        path: `/internal/v1/apis/${apiId}/tests/of-operations`,
        operations: [
          { method: "get", path: "/new" },
          { method: "get", path: "/pets/{petId}" },
        ],
      },
    ]);
  });

  test(`${engine.name}: a comparison has no tests while test-registry is unavailable, and for callers who may not read them`, async () => {
    const apiId = await register(before);
    const other = { ...before, paths: {} };
    const whole = requireValue(await requestComparison(apiId, other, registry.reader), "compare");
    testsAreAway = true;
    const without = requireValue(await requestComparison(apiId, other), "compare");
    testsAreAway = false;
    for (const { removed } of [whole, without]) expect(removed).toMatchObject([{ path: "/pets/{petId}" }]);
    for (const { removed } of [whole, without]) expect(removed[0]).not.toHaveProperty("tests");
  });
}
