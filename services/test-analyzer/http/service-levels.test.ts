import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ServiceLevelInput } from "#contracts/test-analyzer/service-levels.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { countedExecution, createTestAnalyzerWorld } from "../testing/world.ts";

type World = Awaited<ReturnType<typeof createTestAnalyzerWorld>>;
const level: ServiceLevelInput = { objective: 99.5, days: 30, counts: "passRate" };

for (const engine of testEngines()) {
  let world: World;
  let tenant: Awaited<ReturnType<World["createTenant"]>>;
  beforeAll(async () => {
    world = await createTestAnalyzerWorld(engine);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    tenant = await world.createTenant();
  });

  function addCircle(): string {
    const id = uuidv7();
    world.circles.add(id);
    return id;
  }
  /** Results of a circle that ended this many hours ago. */
  function results(testCircleId: string, hoursAgo: number, verdicts: ("passed" | "failed" | "skipped")[]) {
    const finishedAt = new Date(world.clock.now().getTime() - hoursAgo * 3_600_000);
    return verdicts.map((verdict) =>
      countedExecution({
        ...{ testCircleId, verdict, finishedAt },
        ...(verdict === "skipped" ? { statusCode: null, responseMilliseconds: null } : {}),
      }),
    );
  }
  const set = (testCircleId: string, body: Partial<ServiceLevelInput> = {}, ifMatch?: string) =>
    tenant.client.setServiceLevel({
      params: { testCircleId },
      body: { ...level, ...body },
      ...(ifMatch ? { headers: { "if-match": ifMatch } } : {}),
    });
  const get = async (testCircleId: string) =>
    requireValue(await tenant.client.getServiceLevel({ params: { testCircleId } }), "level");

  test(`${engine.name}: bad results use up the budget within the period, including skipped ones`, async () => {
    const testCircleId = addCircle();
    await set(testCircleId, { objective: 90, days: 7 });
    expect((await get(testCircleId)).measured).toMatchObject({ share: null, budget: null });
    await tenant.count([
      ...results(testCircleId, 0, ["passed", "failed", "skipped"]),
      ...results(testCircleId, 2, Array(17).fill("passed")),
      ...results(testCircleId, 80, Array(20).fill("passed")),
      ...results(testCircleId, 8 * 24, Array(50).fill("failed")),
      ...results(uuidv7(), 0, Array(50).fill("failed")),
    ]);
    const { measured } = await get(testCircleId);
    expect(measured).toMatchObject({ good: 38, bad: 2, share: 0.95 });
    expect(measured.budget!.left).toBeCloseTo(0.5);
    expect(measured.burn.map(({ rate }) => rate!.toFixed(2))).toEqual(["6.67", "1.00", "1.00"]);
  });

  test(`${engine.name}: availability counts whether the API was reachable, regardless of its tests' verdicts`, async () => {
    const testCircleId = addCircle();
    await set(testCircleId, { counts: "availability" });
    await tenant.count([
      ...results(testCircleId, 0, ["passed", "failed", "skipped"]),
      countedExecution({ testCircleId, verdict: "failed", statusCode: 503, finishedAt: world.clock.now() }),
    ]);
    expect((await get(testCircleId)).measured).toMatchObject({ good: 2, bad: 1 });
  });

  test(`${engine.name}: levels of many circles and periods are measured by one call`, async () => {
    const [first, second, third] = [addCircle(), addCircle(), addCircle()];
    await set(first, { days: 7 });
    await set(second, { days: 90 });
    await tenant.count([first, second].flatMap((id) => results(id, 10 * 24, ["passed"])));
    const listed = await tenant.client.listServiceLevels({
      query: { testCircleIds: [first, second, third].join(",") },
    });
    const items = requireValue(listed, "list").items.map(({ testCircleId, days, measured }) => [
      ...[testCircleId, days, measured.good],
    ]);
    expect(items.sort()).toEqual(
      [
        [first, 7, 0],
        [second, 90, 1],
      ].sort(),
    );
  });

  test(`${engine.name}: a write without the current version is refused`, async () => {
    const testCircleId = addCircle();
    const made = requireValue(await set(testCircleId, {}, '"0"'), "made");
    expect(made).toMatchObject({ ...level, version: 1 });
    expect((await set(testCircleId, { days: 7 }, '"0"')).status).toBe(412);
    expect(requireValue(await set(testCircleId, { days: 7 }, '"1"'), "changed")).toMatchObject({
      days: 7,
      version: 2,
    });
    expect((await set(testCircleId, { days: 8 }, '"1"')).status).toBe(412);
    expect((await set(addCircle(), {}, '"1"')).status).toBe(412);
    const remove = (version: number) =>
      tenant.client.deleteServiceLevel({ params: { testCircleId }, headers: { "if-match": `"${version}"` } });
    expect([(await remove(1)).status, (await remove(2)).status, (await remove(2)).status]).toEqual([412, 204, 404]);
    expect((await tenant.client.getServiceLevel({ params: { testCircleId } })).status).toBe(404);
  });

  test(`${engine.name}: invalid input is reported at its field, and an unknown circle has no level`, async () => {
    const testCircleId = addCircle();
    const errors = async (body: Partial<ServiceLevelInput>) => {
      const result = await set(testCircleId, body);
      return result.ok ? [] : [result.status, ...(result.problem.errors ?? []).map(({ path }) => path)];
    };
    expect(await errors({ objective: 100 })).toEqual([422, "objective"]);
    expect(await errors({ objective: 49.9 })).toEqual([422, "objective"]);
    expect(await errors({ objective: 90.0005 })).toEqual([422, "objective"]);
    expect(await errors({ objective: 99.999 })).toEqual([]);
    expect(await errors({ days: 6 })).toEqual([422, "days"]);
    expect(await errors({ days: 91 })).toEqual([422, "days"]);
    expect((await set(uuidv7())).status).toBe(404);
  });

  test(`${engine.name}: T01: another organization's level looks like a missing one`, async () => {
    const testCircleId = addCircle();
    await set(testCircleId);
    const other = await world.createTenant();
    const params = { testCircleId };
    expect((await other.client.getServiceLevel({ params })).status).toBe(404);
    expect((await other.client.deleteServiceLevel({ params })).status).toBe(404);
    const listed = await other.client.listServiceLevels({ query: { testCircleIds: testCircleId } });
    expect(requireValue(listed, "list").items).toEqual([]);
    expect((await get(testCircleId)).version).toBe(1);
  });
}
