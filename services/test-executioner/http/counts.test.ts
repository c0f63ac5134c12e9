import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { respondJson, startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let world: ExecutionWorld;
  let target: Target;
  beforeAll(async () => {
    target = await startTarget(respondJson({}));
    world = await createExecutionWorld(await engine.open(), { withAnalyzer: true });
  });
  afterAll(async () => {
    await world.stop();
    await world.database.close();
    await target.close();
  });

  test(`${engine.name}: finished executions are counted and in the matrix, and deleted with their API`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { apiId } = tenant;
    const analyzer = world.testAnalyzer({ token: tenant.token });
    const read = async () => {
      const [trends, ofApi, coverage] = [
        requireValue(await analyzer.getTrends({ query: {} }), "trends"),
        requireValue(await analyzer.getTrends({ query: { apiId } }), "trends"),
        requireValue(await analyzer.getCoverage({ params: { apiId }, query: {} }), "coverage"),
      ];
      const counted = [trends, ofApi].map(({ total }) => [total.executions, total.failed]);
      return [...counted, coverage.items[0]!.responses[0]!.verdict];
    };
    expect(await read()).toEqual([[0, 0], [0, 0], null]);
    const { id: testId } = await tenant.createTest();
    await tenant.run(testId);
    expect(await read()).toEqual([[1, 0], [1, 0], "passed"]);
    const { id: failingId } = await tenant.createTest({
      assertions: [{ source: "statusCode", comparison: "equals", target: 201 }],
    });
    await tenant.run(failingId);
    expect(await read()).toEqual([[2, 1], [2, 1], "failed"]);
    await tenant.client.deleteExecutionsOfApi({ params: { apiId } });
    expect(await read()).toEqual([[2, 1], [0, 0], null]);
  });

  test(`${engine.name}: a response is superseded once its test has got another one, and is not when it comes again`, async () => {
    const statuses = [401, 200, 401, 401];
    const mended = await startTarget((request, response) => respondJson({}, statuses.shift())(request, response));
    const tenant = await world.createTenant(mended.baseUrl);
    const { id: testId } = await tenant.createTest();
    const analyzer = world.testAnalyzer({ token: tenant.token });
    const seen: unknown[] = [];
    for (let run = 0; run < 4; run += 1) {
      await tenant.run(testId);
      const coverage = requireValue(
        await analyzer.getCoverage({ params: { apiId: tenant.apiId }, query: {} }),
        "coverage",
      );
      const { responses, undocumented } = coverage.items[0]!;
      const known = [...responses, ...undocumented].filter(({ verdict }) => verdict !== null);
      seen.push(Object.fromEntries(known.map(({ status, superseded }) => [status, superseded])));
    }
    const [first, ...later] = [{ 401: false }, { 200: false, 401: true }, { 200: true, 401: false }];
    expect(seen).toEqual([first, ...later, later[1]]);
    await mended.close();
  });

  test(`${engine.name}: the figures of APIs are the totals of their trends; another organization's are empty`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id: testId } = await tenant.createTest();
    const { id: failingId } = await tenant.createTest({
      assertions: [{ source: "statusCode", comparison: "equals", target: 201 }],
    });
    for (const id of [testId, testId, failingId]) await tenant.run(id);
    const analyzer = world.testAnalyzer({ token: tenant.token });
    const unknown = uuidv7();
    for (const range of ["7d", "30d"] as const) {
      const trends = requireValue(await analyzer.getTrends({ query: { apiId: tenant.apiId, range } }), "trends");
      const query = { apiIds: `${tenant.apiId},${unknown}`, range };
      const { items } = requireValue(await analyzer.listApiFigures({ query }), "figures");
      expect(items).toMatchObject([
        { apiId: tenant.apiId, figures: trends.total },
        { apiId: unknown, figures: { executions: 0, passRate: null, availability: null, p95: null } },
      ]);
      expect(items[0]!.figures).toMatchObject({ executions: 3, passRate: 2 / 3, availability: 1 });
    }
    const other = await world.createTenant(target.baseUrl);
    const query = { apiIds: tenant.apiId };
    const foreign = await world.testAnalyzer({ token: other.token }).listApiFigures({ query });
    expect(requireValue(foreign, "figures").items[0]!.figures.executions).toBe(0);
    expect((await analyzer.listApiFigures({ query: { ...query, timeZone: "Nowhere" } })).status).toBe(400);
  });

  test(`${engine.name}: counts are returned to services only`, async () => {
    const { client, apiId } = await world.createTenant(target.baseUrl);
    const from = new Date(0).toISOString();
    expect((await client.countExecutions({ body: { starts: [from], until: from } })).status).toBe(404);
    const subjects = { subjectIds: [apiId], from, until: from };
    expect((await client.countSubjects({ body: subjects })).status).toBe(404);
    const params = { testId: apiId };
    expect((await client.findResponseTimeShift({ params, query: { from, until: from } })).status).toBe(404);
    expect((await client.rankOperations({ query: { from } })).status).toBe(404);
    const verdicts = await client.listOperationVerdicts({ params: { apiId }, body: { operations: [] } });
    expect(verdicts.status).toBe(404);
  });
}
