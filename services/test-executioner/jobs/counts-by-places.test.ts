import { afterAll, expect, test } from "vitest";
import type { PlaceRule } from "#contracts/test-registry/circle-places.ts";
import { requireValue } from "../../kit/client/client.ts";
import { systemClock } from "../../kit/clock/clock.ts";
import { renderFamilies } from "../../kit/metrics/metrics.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { passedResult } from "../testing/agent.ts";
import { createLocatedWorld } from "../testing/located-world.ts";
import { createCircleMetrics } from "./circle-metrics.ts";

for (const engine of testEngines()) {
  const { world, get, begin, makeLocated, close } = await createLocatedWorld(await engine.open());
  afterAll(close);

  const period = () => {
    const now = Date.now();
    return { starts: [new Date(now - 3 * 3_600_000).toISOString()], until: new Date(now + 3_600_000).toISOString() };
  };
  /** An organization with a circle from the portal, which passes, and from Berlin. */
  async function makeCircle(rule: PlaceRule, members = 1) {
    const made = await makeLocated();
    const { tenant, agent, locationId } = made;
    const tests: string[] = [];
    for (let number = 0; number < members; number += 1) tests.push((await tenant.createTest()).id);
    const circle = await tenant.createCircle({
      members: tests.map((testId) => ({ testId })),
      places: { portal: true, locationIds: [locationId], ...rule },
    });
    const service = world.connect({ token: await world.identities.serviceToken(tenant.organizationId) });
    const count = async (subjectId?: string) =>
      requireValue(await service.countExecutions({ body: { subjectId, ...period() } }), "counts").total;
    const countPlaces = async (subjectId: string) =>
      requireValue(await service.countPlaces({ body: { subjectId, ...period() } }), "counts by place").places;
    /** @param failing tests that fail from Berlin, by their index */
    async function run(failing: number[] = []) {
      const { id } = await begin(tenant, { source: { testCircleId: circle.id } });
      while ((await get(tenant, id)).state !== "finished") {
        const { items } = await agent.take({ waitSeconds: 1 });
        const fails = (testId: string) => failing.includes(tests.indexOf(testId));
        if (items.length > 0)
          await agent.report(items.map((task) => passedResult(task, fails(task.test.id) ? { verdict: "failed" } : {})));
      }
      return await get(tenant, id);
    }
    const standing = async () => {
      const query = { testCircleIds: circle.id };
      return requireValue(await tenant.user.listCircleStandings({ query }), "standings").items[0]!;
    };
    /** What is counted is what the stored executions say. */
    async function recount() {
      const operator = world.connect({ token: world.identities.tokenFor({ scopes: ["system:manage"] }).token });
      const body = { organizationId: tenant.organizationId };
      return requireValue(await operator.recount({ body }), "a recount");
    }
    return { ...made, circleId: circle.id, tests, count, countPlaces, run, standing, recount };
  }
  const right = { hours: 0, days: 0, operations: 0, operationVerdicts: 0, lastVerdicts: 0, runs: 0 };

  test(`${engine.name}: a test counts once, by the rule, for its circle, API and organization, and each place on its own`, async () => {
    const { tenant, locationId, circleId, tests, count, countPlaces, run, standing, recount } = await makeCircle(
      { rule: "all" },
      2,
    );
    expect((await run([0])).verdict).toBe("regional");
    const once = { executions: 2, passed: 2, failed: 0, available: 2, unavailable: 0, unsteady: 0 };
    for (const subject of [circleId, tenant.apiId, undefined]) expect(await count(subject)).toMatchObject(once);
    expect(await count(tests[0])).toMatchObject({ executions: 1, passed: 1, failed: 0 });
    expect((await count(circleId)).p95).toBeGreaterThan(0);
    expect((await standing()).lastVerdicts).toMatchObject([{ verdict: "regional", passed: 2, notPassed: 0 }]);
    expect(await countPlaces(circleId)).toMatchObject([
      { locationId: null, name: "This portal", total: { executions: 2, passed: 2, failed: 0 } },
      { locationId, name: "Berlin", total: { executions: 2, passed: 1, failed: 1 } },
    ]);
    expect(await countPlaces(tests[0]!)).toMatchObject([
      { locationId: null, total: { passed: 1 }, last: null },
      { locationId, total: { failed: 1 }, last: null },
    ]);
    expect(await recount()).toEqual(right);

    const db = world.database.inSchema<ExecutionTables>(schemaName);
    const figures = createCircleMetrics({ db, clock: systemClock, maxCircles: 1_000 });
    const [last] = (await figures.families()).filter(({ name }) => name === "circle_last_run");
    expect(last!.samples.find(({ labels }) => labels?.circle_id === circleId)).toMatchObject({
      labels: { verdict: "regional" },
      value: 1,
    });
    expect(renderFamilies(await world.service.metrics!())).toMatch(/circle_runs_total\{.*verdict="regional"\} 1/);
  });

  test(`${engine.name}: where one place is enough, one failure is one failure, and not half of one`, async () => {
    const { circleId, count, run, standing, recount } = await makeCircle({ rule: "any" }, 2);
    expect((await run([1])).verdict).toBe("failed");
    expect(await count(circleId)).toMatchObject({ executions: 2, passed: 1, failed: 1 });
    expect((await standing()).lastVerdicts).toMatchObject([{ verdict: "failed", passed: 1, notPassed: 1 }]);
    expect(await recount()).toEqual(right);
  });

  test(`${engine.name}: each place says what it saw last, and since when`, async () => {
    const { locationId, circleId, countPlaces, run } = await makeCircle({ rule: "all" });
    await run();
    const { finishedAt: since } = await run([0]);
    const { finishedAt: at } = await run([0]);
    expect((await countPlaces(circleId)).map(({ locationId: id, last }) => [id, last])).toEqual([
      [null, { verdict: "passed", at, since: null }],
      [locationId, { verdict: "failed", at, since }],
    ]);
  });

  test(`${engine.name}: places that take turns have results of their own, and a deleted circle leaves none`, async () => {
    const { tenant, locationId, circleId, count, countPlaces, run, recount } = await makeCircle({ rule: "inTurn" });
    await run([0]);
    expect((await run([0])).verdict).toBe("failed");
    expect(await count(circleId)).toMatchObject({ executions: 2, passed: 1, failed: 1 });
    expect((await countPlaces(circleId)).map(({ locationId: id, total }) => [id, total.passed, total.failed])).toEqual([
      [null, 1, 0],
      [locationId, 0, 1],
    ]);
    expect(await recount()).toEqual(right);
    const registry = world.testRegistry({ token: tenant.token });
    requireValue(await registry.deleteCircle({ params: { testCircleId: circleId } }), "deletion");
    await expect.poll(() => countPlaces(circleId)).toEqual([]);
  });
}
