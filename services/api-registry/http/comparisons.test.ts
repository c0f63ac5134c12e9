import { afterAll, beforeAll, expect, test } from "vitest";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { connectTo, requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { smallDocument } from "../testing/fixtures.ts";
import { type OpenRegistry, openRegistry } from "../testing/registry.ts";

const before = smallDocument();
const petTest = { id: "0190a000-0000-7000-8000-000000000001", name: "Finds a pet" };

for (const engine of testEngines()) {
  let registry: OpenRegistry;
  /** Calls to test-registry, newest last. */
  const requested: { path: string; operations: unknown }[] = [];
  let testsAreAway = false;
  /** Of the pet's test, for its review. */
  let petDefinition: object = {};
  /** Of the test that creates a pet, where circles are requested. */
  let lifeCircles: object[] | undefined;
  const testRegistry = connectTo(testRegistryContract, {
    async transport(request) {
      if (testsAreAway) throw new Error("connection refused");
      const { operations, withCircles } = (await request.json()) as { operations: unknown; withCircles?: boolean };
      requested.push({ path: new URL(request.url).pathname, operations });
      if (withCircles && lifeCircles) {
        const item = { ...petTest, circles: lifeCircles };
        return Response.json({ items: [{ method: "post", path: "/pets", total: 1, items: [item] }] });
      }
      const items = [{ ...petTest, ...petDefinition }];
      return Response.json({ items: [{ method: "get", path: "/pets/{petId}", total: 21, items }] });
    },
  });
  beforeAll(async () => {
    registry = await openRegistry(engine, { testRegistry });
  });
  afterAll(() => registry.close());

  async function register(document: object): Promise<string> {
    const body = { source: { document: JSON.stringify(document) } };
    return await registry.register(body);
  }
  const requestComparison = (apiId: string, document: object, client = registry.client) =>
    client.compareDocument({ params: { apiId }, body: { source: { document: JSON.stringify(document) } } });

  test(`${engine.name}: a comparison lists added, changed and removed operations, and which changes break`, async () => {
    const apiId = await register(before);
    const compare = async (document: object) => requireValue(await requestComparison(apiId, document), "compare");
    expect(await compare(before)).toEqual({
      ...{ added: [], changed: [], removed: [], unchangedCount: 1 },
      ...{ lives: { items: [], moreCount: 0 }, baseUrls: [] },
    });
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

  test(`${engine.name}: a comparison says which assertion of which test breaks, and what runs it`, async () => {
    const apiId = await register(before);
    const request = { pathParameters: [], query: [], headers: [], cookies: [], body: { kind: "none" } };
    const circles = [{ id: "0190a000-0000-7000-8000-0000000000c1", name: "Daily", schedules: 2 }];
    petDefinition = {
      definition: {
        request: { ...request, authorization: { kind: "inherit" }, followRedirects: false },
        assertions: [
          { source: "statusCode", comparison: "equals", target: 200 },
          { source: "jsonPath", property: "$.name", comparison: "isNotNull" },
        ],
        captures: [{ name: "petName", source: "jsonPath", property: "$.name" }],
      },
      circles: circles.map((circle) => ({ ...circle, isMember: false })),
    };
    const changed = structuredClone(before) as {
      components: { schemas: { Pet: { properties: Record<string, unknown> } } };
    };
    changed.components.schemas.Pet.properties = { title: { type: "string" } };
    const compared = requireValue(await requestComparison(apiId, changed), "compare");
    expect(compared.changed[0]).toMatchObject({
      breaking: true,
      changes: [
        { rule: "response.property.removed", breaking: true, sentence: '"name" of the response 200 was removed.' },
        { rule: "response.property.removed", breaking: true },
        { rule: "response.property.added", breaking: false },
      ],
      tests: {
        total: 21,
        items: [
          {
            ...petTest,
            circles,
            effects: [
              { part: "assertion", position: 2, sentence: "The response no longer describes $.name." },
              { part: "capture", position: 1 },
            ],
          },
        ],
      },
    });
    const gone = requireValue(await requestComparison(apiId, { ...before, paths: {} }), "compare");
    expect(gone.removed[0]!.tests!.items[0]!.effects).toEqual([
      { part: "request", sentence: "It calls an operation that was removed." },
    ]);
    petDefinition = {};
  });

  test(`${engine.name}: a comparison says which lives change, and which circles make what they are about`, async () => {
    const content = { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } };
    const responses = (status: number) => ({ [status]: { description: "ok", content } });
    const { paths, components } = before as {
      paths: Record<string, object>;
      components: { schemas: { Pet: { properties: object } } };
    };
    const schemas = {
      Pet: { type: "object", properties: { ...components.schemas.Pet.properties, id: { type: "string" } } },
    };
    const living = (item: object) => ({
      ...before,
      components: { schemas },
      paths: {
        "/pets": { post: { requestBody: { content }, responses: responses(201) } },
        "/pets/{petId}": { ...paths["/pets/{petId}"], ...item },
      },
    });
    const apiId = await register(living({ delete: { responses: { 204: { description: "gone" } } } }));
    const circle = { id: "0190a000-0000-7000-8000-0000000000c2", name: "Life of a pet", schedules: 1 };
    const selection = { id: "0190a000-0000-7000-8000-0000000000c3", name: "All", schedules: 0, isMember: false };
    lifeCircles = [{ ...circle, isMember: true }, selection];
    requested.length = 0;
    const document = living({ patch: { requestBody: { content }, responses: responses(200) } });
    const compared = requireValue(await requestComparison(apiId, document), "compare");
    lifeCircles = undefined;
    expect(compared.lives).toEqual({
      items: [
        {
          resource: "/pets/{}",
          name: "pet",
          steps: [
            {
              rule: "step.added",
              sentence: "A new step is possible: PATCH /pets/{petId}.",
              operations: [{ method: "patch", path: "/pets/{petId}" }],
            },
            {
              rule: "step.removed",
              sentence:
                "The life of a pet changes: DELETE /pets/{petId} is no longer there, so what a run creates stays.",
              operations: [{ method: "delete", path: "/pets/{petId}" }],
            },
          ],
          circles: [circle],
        },
      ],
      moreCount: 0,
    });
    expect(requested[0]!.operations).toEqual([{ method: "post", path: "/pets" }]);
    const whole = requireValue(await requestComparison(apiId, document, registry.reader), "compare");
    expect(whole.lives!.items).toMatchObject([{ name: "pet" }]);
    expect(whole.lives!.items[0]).not.toHaveProperty("circles");
  });
}
