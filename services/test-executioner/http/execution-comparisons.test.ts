import { afterAll, afterEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createRunWorld, type Tenant } from "../testing/run-world.ts";

for (const engine of testEngines()) {
  const { world, target, start, get, levelTimes, close } = await createRunWorld(await engine.open());
  afterEach(() => world.settle());
  afterAll(close);

  const read = (tenant: Tenant, executionId: string) => tenant.client.compareExecution({ params: { executionId } });
  const compare = async (tenant: Tenant, executionId: string) => {
    await levelTimes();
    return requireValue(await read(tenant, executionId), "compare");
  };
  let results = 0;
  /** Every response has a unique number, in its body and in a header. */
  const result = (price: number, status = 200, version = "2.0") =>
    target.answer((_, response) => {
      results += 1;
      response.writeHead(status, { "x-version": version, "x-served": String(results) });
      response.end(JSON.stringify({ at: results, price }));
    });

  test(`${engine.name}: reports since when a test has failed, and how it differs from its last pass`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id: testId } = await tenant.createTest();
    const run = async (body: object = { source: { tests: [testId] } }) => {
      const { id } = await start(tenant, body as never);
      return (await get(tenant, id)).members.items[0]!.executionId;
    };
    result(1, 500);
    const first = await run();
    expect(await compare(tenant, first)).toMatchObject({ failures: 1, isWhole: true, passed: null, changes: [] });
    result(1);
    await run();
    await run();
    const passed = await run();
    expect(await compare(tenant, passed)).toMatchObject({ failures: 0, passed: null });
    result(2, 500, "2.1");
    await run();
    // In a circle the same test has a separate history.
    const { id: testCircleId } = await tenant.createCircle({ members: [{ testId }] });
    const inCircle = await run({ source: { testCircleId } });
    expect(await compare(tenant, inCircle)).toMatchObject({ failures: 1, passed: null });
    const second = await run();
    expect(await compare(tenant, second)).toMatchObject({
      failures: 2,
      isWhole: true,
      passed: { executionId: passed, verdict: "passed", statusCode: 200 },
      changes: ["statusCode", "body", "headers"],
      body: { differences: [{ pointer: "/price", before: "1", after: "2" }], masked: ["/at"] },
      headers: { differences: [{ pointer: "/x-version", before: '"2.0"', after: '"2.1"' }], masked: ["/x-served"] },
    });
    const stranger = await world.createTenant(target.baseUrl);
    expect(await read(stranger, second)).toMatchObject({ ok: false, status: 404 });
  });

  test(`${engine.name}: for each failure of a run, the number of failed runs is reported`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const wrong = { assertions: [{ source: "statusCode" as const, comparison: "equals" as const, target: 418 }] };
    const [passing, always] = [await tenant.createTest(), await tenant.createTest(wrong)];
    const tests = [passing.id, always.id];
    const getFailures = async (caller: Tenant, runId: string, limit = 25) =>
      await caller.client.listRunFailures({ params: { runId }, query: { limit } });
    const run = async (source: object = { tests }) => (await start(tenant, { source } as never)).id;
    result(1);
    const first = await run();
    expect(requireValue(await getFailures(tenant, first), "failures").items).toMatchObject([
      { testId: always.id, position: 2, verdict: "failed", failures: 1, isWhole: true },
    ]);
    const { id: testCircleId } = await tenant.createCircle({ members: tests.map((testId) => ({ testId })) });
    await run({ testCircleId });
    result(1, 500);
    const second = await run();
    const page = requireValue(await getFailures(tenant, second, 1), "failures");
    expect(page.items).toMatchObject([{ testId: passing.id, failures: 1 }]);
    const query = { limit: 1, cursor: page.nextCursor! };
    const next = await tenant.client.listRunFailures({ params: { runId: second }, query });
    expect(next).toMatchObject({ ok: true, value: { items: [{ testId: always.id, failures: 2 }], nextCursor: null } });
    const stranger = await world.createTenant(target.baseUrl);
    expect(await getFailures(stranger, second)).toMatchObject({ ok: false, status: 404 });
  });
}
