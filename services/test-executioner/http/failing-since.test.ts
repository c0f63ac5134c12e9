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
