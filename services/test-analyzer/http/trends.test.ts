import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ExecutionVerdict } from "#contracts/test-executioner/verdicts.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { countedExecution, createTestAnalyzerWorld } from "../testing/world.ts";

const pets = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  paths: { "/pets": { get: { responses: { "200": { description: "Pets" } } } } },
});

/** Percentiles are accurate to 5 %. */
const near = (milliseconds: number) => expect.closeTo(milliseconds, Math.log10(1 / (milliseconds * 0.1)));

for (const engine of testEngines()) {
  let world: Awaited<ReturnType<typeof createTestAnalyzerWorld>>;
  beforeAll(async () => {
    world = await createTestAnalyzerWorld(engine);
  });
  afterAll(() => world.close());

  test(`${engine.name}: trends of a circle are those of its runs, and another organization's circle has none`, async () => {
    const tenant = await world.createTenant();
    const testCircleId = uuidv7();
    world.circles.add(testCircleId);
    const finishedAt = new Date("2026-03-10T12:00:00Z");
    await tenant.count([
      countedExecution({ testCircleId, finishedAt }),
      countedExecution({ testCircleId, finishedAt, verdict: "failed" }),
      countedExecution({ testCircleId: uuidv7(), finishedAt }),
      countedExecution({ finishedAt }),
    ]);
    const trends = requireValue(await tenant.client.getTrends({ query: { testCircleId, range: "24h" } }), "trends");
    expect(trends).toMatchObject({ total: { executions: 2, passed: 1, passRate: 0.5 }, slowest: [], flakiest: [] });
    expect(await tenant.client.getTrends({ query: { testCircleId: uuidv7() } })).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: the default range is the shortest with six points, else the one with the most`, async () => {
    const tenant = await world.createTenant();
    const apiId = await tenant.registerApi(pets);
    const hour = 3_600_000;
    const range = async () => requireValue(await tenant.client.getTrends({ query: { apiId } }), "trends").range;
    const count = (...hoursAgo: number[]) =>
      tenant.count(
        hoursAgo.map((hours) =>
          countedExecution({ apiId, finishedAt: new Date(world.clock.now().getTime() - hours * hour) }),
        ),
      );
    expect(await range()).toBe("90d");
    await count(24 * 40, 24 * 38);
    expect(await range()).toBe("90d");
    await count(24 * 20, 24 * 18, 24 * 16);
    expect(await range(), "five of 90 days, three of 30").toBe("90d");
    await count(24 * 14, 24 * 12, 24 * 10);
    expect(await range()).toBe("30d");
    await count(24 * 5, 24 * 4, 24 * 3, 24 * 2, 24, 2);
    expect(await range()).toBe("7d");
    await count(3, 4, 5, 6, 7);
    expect(await range()).toBe("24h");
  });

  test(`${engine.name}: trends include every day of a zone, even those without runs`, async () => {
    const tenant = await world.createTenant();
    const [apiId, testId] = [uuidv7(), uuidv7()];
    const run = (finishedAt: string, changes: Parameters<typeof countedExecution>[0] = {}) =>
      countedExecution({ apiId, testId, finishedAt: new Date(finishedAt), ...changes });
    const unanswered = { verdict: "errored", responseMilliseconds: null, statusCode: null } as const;
    await tenant.count([
      run("2026-03-10T12:00:00Z", { responseMilliseconds: 100 }),
      run("2026-03-10T12:10:00Z", { responseMilliseconds: 200, verdict: "failed" }),
      run("2026-03-08T22:59:59Z", { ...unanswered, causeCode: "timeout" }),
      run("2026-03-08T22:59:59Z", { ...unanswered, verdict: "skipped", causeCode: "run_stopped" }),
      run("2026-02-08T22:59:59Z"),
      countedExecution({ verdict: "flaky" }),
    ]);
    const ask = async (query: Parameters<typeof tenant.client.getTrends>[0]) =>
      requireValue(await tenant.client.getTrends(query), "trends");
    const trends = await ask({ query: { range: "30d", apiId, timeZone: "Europe/Berlin" } });
    const nothing = { executions: 0, passed: 0, failed: 0, errored: 0, flaky: 0, p50: null, p95: null, p99: null };
    const unknown = { passRate: null, availability: null, flakiness: null };
    expect(trends.points).toHaveLength(30);
    expect(trends.points.slice(-4)).toEqual([
      { ...nothing, ...unknown, from: "2026-03-06T23:00:00.000Z" },
      {
        ...nothing,
        ...{ from: "2026-03-07T23:00:00.000Z", executions: 1, errored: 1 },
        ...{ passRate: 0, availability: 0, flakiness: 0 },
      },
      { ...nothing, ...unknown, from: "2026-03-08T23:00:00.000Z" },
      {
        ...nothing,
        ...{ from: "2026-03-09T23:00:00.000Z", executions: 2, passed: 1, failed: 1 },
        ...{ passRate: 0.5, availability: 1, flakiness: 1 },
        ...{ p50: near(100), p95: near(200), p99: near(200) },
      },
    ]);
    expect(trends.total).toMatchObject({ executions: 3, passRate: 1 / 3, availability: 2 / 3, p50: near(100) });
    const hours = await ask({ query: { range: "24h", testId } });
    expect(hours.points).toHaveLength(24);
    expect(hours.points.at(-1)).toMatchObject({ from: "2026-03-10T12:00:00.000Z", executions: 2 });
    const stranger = await world.createTenant();
    expect(await stranger.client.getTrends({ query: { apiId } })).toMatchObject({ status: 404 });
    expect((await ask({ query: { range: "24h" } })).total).toMatchObject({ executions: 3, flaky: 1 });
  });

  test(`${engine.name}: a test whose responses have become slower is reported with its usual time`, async () => {
    const tenant = await world.createTenant();
    const [apiId, testId] = [uuidv7(), uuidv7()];
    const noon = Date.parse("2026-03-10T12:00:00Z");
    await tenant.count(
      Array.from({ length: 60 }, (_, hours) =>
        countedExecution({
          ...{ apiId, testId, responseMilliseconds: hours < 6 ? 240 : 100 },
          finishedAt: new Date(noon - (hours + 1) * 3_600_000),
        }),
      ),
    );
    const { shift } = requireValue(await tenant.client.getTrends({ query: { testId } }), "trends");
    expect(shift).toMatchObject({ since: "2026-03-10T06:00:00.000Z", milliseconds: near(240), usual: near(100) });
    expect(requireValue(await tenant.client.getTrends({ query: { apiId } }), "trends").shift).toBeNull();
  });

  test(`${engine.name}: the slowest operations and the flakiest tests are listed`, async () => {
    const tenant = await world.createTenant();
    const apiId = uuidv7();
    const runs = (path: string, milliseconds: number, verdicts: ExecutionVerdict[]) => {
      const testId = uuidv7();
      return verdicts.map((verdict, index) =>
        countedExecution({
          ...{ apiId, testId, path, verdict, responseMilliseconds: milliseconds },
          finishedAt: new Date(`2026-03-10T10:0${index}:00Z`),
        }),
      );
    };
    await tenant.count([
      ...runs("/slow", 900, ["passed", "passed"]),
      ...runs("/flaky", 10, ["passed", "flaky"]),
      ...runs("/turning", 20, ["passed", "failed", "passed", "passed"]),
    ]);
    const trends = requireValue(await tenant.client.getTrends({ query: { apiId } }), "trends");
    expect(trends.slowest.map((one) => [one.path, one.p95])).toEqual([
      ["/slow", near(900)],
      ["/turning", near(20)],
      ["/flaky", near(10)],
    ]);
    expect(trends.flakiest.map((one) => [one.path, one.flakiness])).toEqual([
      ["/flaky", 0.5],
      ["/turning", 0.25],
    ]);
  });
}
