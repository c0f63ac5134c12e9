import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { respondJson, startTarget, type Target } from "../testing/target.ts";
import { toTheEnd } from "../testing/to-the-end.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let world: ExecutionWorld;
  let target: Target;
  beforeAll(async () => {
    world = await createExecutionWorld(await engine.open());
    target = await startTarget(respondJson({}));
  });
  afterAll(async () => {
    await world.stop();
    await world.database.close();
    await target.close();
  });

  test(`${engine.name}: an API has failed since the first of its current failures began, and no longer once all pass`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const assertions = [{ source: "statusCode" as const, comparison: "equals" as const, target: 200 }];
    const first = await tenant.createTest({ name: "first", assertions });
    const second = await tenant.createTest({ name: "second", assertions });
    const failingSince = async () => {
      const sums = await tenant.client.summarizeApis({ query: { apiIds: tenant.apiId } });
      return requireValue(sums, "sums").items[0]!.failingSince;
    };
    expect(await failingSince()).toBeNull();
    target.answer(respondJson({}, 500));
    const began = (await tenant.run(first.id)).finishedAt;
    expect(await failingSince()).toBe(began);
    const later = (await tenant.run(second.id)).finishedAt;
    await tenant.run(first.id);
    expect(await failingSince()).toBe(began);
    target.answer(respondJson({}));
    await tenant.run(first.id);
    expect(await failingSince()).toBe(later);
    await tenant.run(second.id);
    expect(await failingSince()).toBeNull();
  });

  test(`${engine.name}: a test fails until it has passed, also while it runs again, as in the list of failing tests`, async () => {
    const slow = await startTarget(respondJson({}, 500));
    const tenant = await world.createTenant(slow.baseUrl);
    const { id } = await tenant.createTest({
      assertions: [{ source: "statusCode", comparison: "equals", target: 200 }],
    });
    await tenant.run(id);
    const read = async () => {
      const sums = await tenant.client.summarizeApis({ query: { apiIds: tenant.apiId } });
      const { failing, failed, unfinished, failingSince } = requireValue(sums, "sums").items[0]!;
      const list = requireValue(await tenant.client.listFailingTests({ query: {} }), "failing");
      expect([list.total, list.byApi[0]?.total, list.items[0]?.since]).toEqual([failing, failing, failingSince]);
      return { failing, failed, unfinished };
    };
    expect(await read()).toEqual({ failing: 1, failed: 1, unfinished: 0 });
    const waiting: (() => void)[] = [];
    slow.answer((request, response) => {
      waiting.push(() => void respondJson({}, 500)(request, response));
    });
    const again = tenant.run(id);
    await expect.poll(() => waiting.length, { timeout: 20_000 }).toBe(1);
    expect(await read()).toEqual({ failing: 1, failed: 0, unfinished: 1 });
    for (const respond of waiting) respond();
    await again;
    expect(await read()).toEqual({ failing: 1, failed: 1, unfinished: 0 });
    await slow.close();
  });

  test(`${engine.name}: the last runs of an API are those with a test of it, newest first, and its organization's only`, async () => {
    target.answer(respondJson({}));
    const tenant = await world.createTenant(target.baseUrl);
    const assertions = [{ source: "statusCode" as const, comparison: "equals" as const, target: 200 }];
    const { id } = await tenant.createTest({ assertions });
    const list = async (client = tenant.client) =>
      requireValue(await client.listApiRuns({ query: { apiIds: tenant.apiId } }), "runs").items;
    expect(await list()).toEqual([]);
    for (const status of [200, 500, ...Array(12).fill(200)]) {
      target.answer(respondJson({}, status));
      await tenant.run(id);
    }
    const listed = requireValue(await tenant.client.listRuns({ query: { apiId: tenant.apiId } }), "list").items;
    const [found] = await list();
    expect(found!.apiId).toBe(tenant.apiId);
    expect(found!.runs).toEqual(
      listed.slice(0, 12).map(({ id: runId, verdict, finishedAt }) => ({ runId, verdict, finishedAt })),
    );
    expect(found!.runs.map(({ verdict }) => verdict)).toEqual(Array(12).fill("passed"));
    expect(await list((await world.createTenant(target.baseUrl)).client)).toEqual([]);
  });

  test(`${engine.name}: a test with rows has failed since its first run in which one of them did`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest({
      data: [{ expected: "404" }, { expected: "200" }],
      assertions: [{ source: "statusCode", comparison: "equals", target: "{{expected}}" }],
    });
    const run = () => toTheEnd(tenant.client).runTest({ params: { testId: id }, body: {} });
    const failingSince = async () => {
      const sums = await tenant.client.summarizeApis({ query: { apiIds: tenant.apiId } });
      return requireValue(sums, "sums").items[0]!.failingSince;
    };
    expect(requireValue(await run(), "run").verdict).toBe("failed");
    const began = await failingSince();
    expect(began).not.toBeNull();
    await run();
    expect(await failingSince()).toBe(began);
  });
}
