import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { noLimits, planWith } from "../../kit/testing/plans.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let world: ExecutionWorld;
  beforeAll(async () => {
    // Nothing runs: explorations stay queued.
    world = await createExecutionWorld(await engine.open(), { work: false });
  });
  afterAll(async () => {
    await world.stop();
    await world.database.close();
  });

  async function createTenant() {
    const tenant = await world.createTenant("https://api.example.com");
    const params = { apiId: tenant.apiId };
    const registry = world.apiRegistry({ token: tenant.token });
    return {
      ...tenant,
      registry,
      start: (body: object = {}) => tenant.client.startExploration({ params, body }),
      list: async (query = {}) => requireValue(await tenant.client.listExplorations({ params, query }), "list"),
      async markDisposable(isDisposable: boolean) {
        const { name, baseUrl, tags } = requireValue(await registry.summarizeApi({ params }), "API");
        const body = { name, baseUrl, tags, isDisposable };
        return requireValue(await registry.changeApi({ params, body }), "change");
      },
    };
  }

  test(`${engine.name}: an exploration starts with defaults and a seed of its own, and is listed first`, async () => {
    const { start, list, client } = await createTenant();
    const first = requireValue(await start(), "start");
    expect(first.input).toEqual({
      ...{ environment: null, seed: expect.any(Number), changes: false },
      ...{ maxRequests: 1_000, maxSeconds: 300, requestsPerSecond: 20 },
    });
    requireValue(await client.cancelExploration({ params: { explorationId: first.id } }), "cancel");
    const second = requireValue(await start({ seed: first.input.seed }), "start");
    expect((await list()).items.map(({ id, state }) => [id, state])).toEqual([
      [second.id, "queued"],
      [first.id, "cancelled"],
    ]);
    const { items, nextCursor } = await list({ limit: 1 });
    expect(items).toMatchObject([{ id: second.id }]);
    expect((await list({ limit: 1, cursor: nextCursor })).items).toMatchObject([{ id: first.id }]);
  });

  test(`${engine.name}: an API is explored once at a time, even if started five times at once`, async () => {
    const { start } = await createTenant();
    const results = await Promise.all(Array.from({ length: 5 }, () => start()));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toMatchObject({
      status: 409,
      problem: { detail: "Another exploration of this API has not ended. Wait for its end, or cancel it." },
    });
  });

  test(`${engine.name}: only an API whose data is disposable is changed`, async () => {
    const { start, markDisposable } = await createTenant();
    expect(await start({ changes: true })).toMatchObject({
      status: 422,
      problem: { errors: [{ path: "changes", message: expect.stringContaining("not marked as disposable") }] },
    });
    expect(await markDisposable(true)).toMatchObject({ isDisposable: true });
    expect(await start({ changes: true })).toMatchObject({ ok: true, value: { input: { changes: true } } });
  });

  test(`${engine.name}: an unknown environment is refused at its field`, async () => {
    const { start, registry, apiId } = await createTenant();
    expect(await start({ environment: "staging" })).toMatchObject({
      status: 422,
      problem: { errors: [{ path: "environment", message: "This API has no such environment" }] },
    });
    const items = [{ name: "staging", baseUrl: "https://staging.example.com" }];
    requireValue(await registry.replaceEnvironments({ params: { apiId }, body: { items } }), "environments");
    expect(await start({ environment: "staging" })).toMatchObject({ value: { input: { environment: "staging" } } });
  });

  test(`${engine.name}: without executions left in the plan nothing is explored`, async () => {
    world.choosePlan(planWith({ executionsPerMonth: 0 }));
    const { start, list } = await createTenant();
    expect(await start()).toMatchObject({ status: 402, problem: { code: "plan_limit_reached" } });
    expect((await list()).items).toEqual([]);
    world.choosePlan(noLimits);
  });

  test(`${engine.name}: a cancelled exploration stays cancelled, and its watchers see its end`, async () => {
    const { start, client } = await createTenant();
    const { id: explorationId } = requireValue(await start(), "start");
    const watched = await client.watchExploration({ params: { explorationId } });
    if (!watched.ok) throw new Error("It is not watched.");
    requireValue(await client.cancelExploration({ params: { explorationId } }), "cancel");
    const states = [...(await watched.response.text()).matchAll(/"state":"(\w+)"/g)].map(([, state]) => state);
    expect(states.at(-1)).toBe("cancelled");
    expect(await client.cancelExploration({ params: { explorationId } })).toMatchObject({ status: 200 });
  });

  test(`${engine.name}: explorations of others do not exist`, async () => {
    const { start, apiId } = await createTenant();
    const { id: explorationId } = requireValue(await start(), "start");
    const { client } = await createTenant();
    const results = await Promise.all([
      client.startExploration({ params: { apiId }, body: {} }),
      client.listExplorations({ params: { apiId } }),
      client.getExploration({ params: { explorationId } }),
      client.watchExploration({ params: { explorationId } }),
      client.cancelExploration({ params: { explorationId } }),
    ]);
    expect(results.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });

  test(`${engine.name}: the newest fifty explorations of an API are stored`, async () => {
    const { start, list, client } = await createTenant();
    for (let number = 0; number < 52; number += 1) {
      const { id: explorationId } = requireValue(await start({ seed: number }), "start");
      requireValue(await client.cancelExploration({ params: { explorationId } }), "cancel");
    }
    const { items } = await list({ limit: 100 });
    expect(items.map(({ input }) => input.seed)).toEqual(Array.from({ length: 50 }, (_, index) => 51 - index));
  });
}
