import { afterAll } from "vitest";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { TestEngine } from "../../kit/testing/databases.ts";
import { respondJson, startTarget } from "./target.ts";
import { toTheEnd } from "./to-the-end.ts";
import { createExecutionWorld } from "./world.ts";

/** A world with a target, for the sequential runs of a file's tests. */
export async function createSequentialWorld(engine: TestEngine) {
  const world = await createExecutionWorld(await engine.open(), { withAnalyzer: true });
  const target = await startTarget(respondJson({}));
  afterAll(async () => {
    await world.stop();
    await world.database.close();
    await target.close();
  });

  async function runInOrder(
    inputs: Partial<TestInput>[],
    options: { order?: "sequential" | "parallel"; stopOnFailure?: boolean } = {},
  ) {
    const tenant = await world.createTenant(target.baseUrl);
    const tests = [];
    for (const input of inputs) tests.push((await tenant.createTest(input)).id);
    const before = target.requests.length;
    const body = { source: { tests }, order: "sequential" as const, ...options };
    const started = requireValue(await toTheEnd(tenant.client).startRun({ body }), "start");
    const run = requireValue(await tenant.client.getRun({ params: { runId: started.id }, query: {} }), "get");
    return { tenant, run, urls: target.requests.slice(before).map(({ url }) => url) };
  }
  return { world, target, runInOrder };
}
