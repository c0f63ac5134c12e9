import { sql } from "kysely";
import { afterAll, afterEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { table } from "../store/tables.ts";
import { createRunWorld } from "../testing/run-world.ts";

for (const engine of testEngines()) {
  const { world, target, close } = await createRunWorld(await engine.open());
  afterEach(() => world.settle());
  afterAll(close);

  test(`${engine.name}: failing tests are listed across APIs with their reasons, the latest to begin first, until they pass`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { apiId, client } = tenant;
    const expecting = { source: "statusCode" as const, comparison: "equals" as const, target: "{{expected}}" };
    const [first, second, third] = await Promise.all(
      ["first", "second", "third"].map((name) => tenant.createTest({ name, assertions: [expecting] })),
    );
    const run = (testId: string, expected: string) => tenant.run(testId, { variables: { expected } });
    const list = async (query: object = {}) => requireValue(await client.listFailingTests({ query }), "list");
    const getTests = async (query: object = {}) => (await list(query)).items.map(({ testId }) => testId);

    await run(third!.id, "200");
    expect(await list()).toMatchObject({ items: [], total: 0, byApi: [] });
    const began = (await run(first!.id, "500")).finishedAt;
    await run(second!.id, "500");
    const again = await run(first!.id, "404");
    const all = await list();
    expect(all).toMatchObject({ total: 2, byApi: [{ apiId, total: 2 }], nextCursor: null });
    expect(all.items.map(({ testId }) => testId)).toEqual([second!.id, first!.id]);
    expect(all.items[1]).toMatchObject({
      since: began,
      execution: { id: again.id, testName: "first", verdict: "failed", reason: "Expected status code 404, got 200." },
    });
    const page = await list({ limit: 1 });
    expect(await getTests({ limit: 1, cursor: page.nextCursor })).toEqual([first!.id]);
    expect(await client.listFailingTests({ query: { apiId: second!.id } })).toMatchObject({ status: 404 });

    const stranger = await world.createTenant(target.baseUrl);
    const theirs = requireValue(await stranger.client.listFailingTests({ query: {} }), "list");
    expect(theirs).toMatchObject({ items: [], total: 0, byApi: [] });

    await run(first!.id, "200");
    const [reason] = (await list()).items;
    expect(reason).toMatchObject({ testId: second!.id, execution: { testName: "second", verdict: "failed" } });
    // The state while it runs again.
    await sql`update ${table("latest_executions")} set state = 'running', verdict = null
      where test_id = ${second!.id}`.execute(world.database.kysely);
    expect((await list()).items).toEqual([reason]);
  });

  test(`${engine.name}: a disabled test does not count as failing, and does again once it is enabled`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { client, apiId } = tenant;
    const registry = world.testRegistry({ token: tenant.token });
    const expecting = { source: "statusCode" as const, comparison: "equals" as const, target: 500 };
    const { id } = await tenant.createTest({ name: "off and on", assertions: [expecting] });
    const failing = async () => {
      const query = { apiIds: apiId };
      const listed = requireValue(await client.listFailingTests({ query: {} }), "list").items.map(
        ({ testId }) => testId,
      );
      const [summary] = requireValue(await client.summarizeApis({ query }), "summary").items;
      return [listed, summary!.failed];
    };
    const enable = async (enabled: boolean) => {
      const stored = requireValue(await registry.getTest({ params: { testId: id } }), "test");
      requireValue(await registry.changeTest({ params: { testId: id }, body: { ...stored, enabled } }), "change");
    };
    await tenant.run(id);
    expect(await failing()).toEqual([[id], 1]);
    await enable(false);
    await expect.poll(failing).toEqual([[], 0]);
    // It still runs when named.
    await tenant.run(id);
    expect(await failing()).toEqual([[], 0]);
    await enable(true);
    await expect.poll(failing).toEqual([[id], 1]);
  });
}
