import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createRunWorld, type Tenant } from "../testing/run-world.ts";
import { respondJson } from "../testing/target.ts";
import { toTheEnd } from "../testing/to-the-end.ts";

for (const engine of testEngines()) {
  const { world, target, begin, start, get, close } = await createRunWorld(await engine.open());
  afterEach(() => world.settle());
  afterAll(close);

  async function makeCircle(tenant: Tenant, names = ["a"]) {
    const members = [];
    for (const name of names) members.push({ testId: (await tenant.createTest({ name, path: `/${name}` })).id });
    return (await tenant.createCircle({ members })).id;
  }
  const getIds = (result: Awaited<ReturnType<Tenant["client"]["listRuns"]>>) =>
    requireValue(result, "list").items.map(({ id }) => id);

  test(`${engine.name}: a circle is run, watched, read and cancelled at its own paths: its execution is the run`, async () => {
    target.answer(respondJson({}));
    const tenant = await world.createTenant(target.baseUrl);
    const testCircleId = await makeCircle(tenant);
    const { client } = tenant;
    const run = (headers: Record<string, string> = {}, body: object = {}) =>
      toTheEnd(client).runCircle({ params: { testCircleId }, body, headers });
    const { id, state, verdict } = requireValue(await run({ "idempotency-key": "once" }), "run");
    expect([state, verdict]).toEqual(["finished", "passed"]);
    expect(requireValue(await run({ "idempotency-key": "once" }), "again").id).toBe(id);
    const params = { testCircleExecutionId: id };
    const read = requireValue(await client.getCircleExecution({ params, query: {} }), "get");
    expect(read).toEqual(await get(tenant, id));
    // The default trigger of a call.
    expect(read.trigger).toBe("api");
    expect((await client.cancelCircleExecution({ params })).status).toBe(409);
    for (const call of [client.watchCircleExecution, client.reportCircleExecution]) {
      expect((await call({ params })).status).toBe(200);
    }
    expect(await run({}, { environment: "nowhere" })).toMatchObject({
      problem: { errors: [{ path: "environment", message: "This API has no such environment" }] },
    });
  });

  test(`${engine.name}: executions are listed by circle, and of all circles`, async () => {
    target.answer(respondJson({}, 500));
    const tenant = await world.createTenant(target.baseUrl);
    const [one, other] = [await makeCircle(tenant), await makeCircle(tenant)];
    const plain = await start(tenant, { source: { tests: [(await tenant.createTest()).id] } });
    const first = await start(tenant, { source: { testCircleId: one }, trigger: "ci" });
    const again = await start(tenant, { source: { runId: first.id, only: "failed" } });
    target.answer(respondJson({}));
    const second = await start(tenant, { source: { testCircleId: one } });
    const third = await start(tenant, { source: { testCircleId: other } });
    const { client, apiId } = tenant;
    const ofOne = async (query: object) =>
      getIds(await client.listExecutionsOfCircle({ params: { testCircleId: one }, query }));
    expect(await ofOne({})).toEqual([second.id, again.id, first.id]);
    expect(await ofOne({ verdict: "failed" })).toEqual([again.id, first.id]);
    expect(await ofOne({ trigger: "ci" })).toEqual([first.id]);
    expect(await ofOne({ limit: 1 })).toEqual([second.id]);
    for (const query of [{}, { apiId }]) {
      expect(getIds(await client.listCircleExecutions({ query }))).toEqual([third.id, second.id, again.id, first.id]);
    }
    expect(getIds(await client.listRuns({ query: { testCircleId: other } }))).toEqual([third.id]);
    expect(getIds(await client.listRuns({ query: {} }))).toContain(plain.id);
    const stranger = await world.createTenant(target.baseUrl);
    const foreign = await stranger.client.listExecutionsOfCircle({ params: { testCircleId: one }, query: {} });
    expect(foreign).toMatchObject({ status: 404, problem: { detail: "No such test circle." } });
    const never = await client.listExecutionsOfCircle({
      params: { testCircleId: await makeCircle(tenant) },
      query: {},
    });
    expect(getIds(never)).toEqual([]);
  });

  test(`${engine.name}: a circle's status is that of its whole runs, newest first, whatever was repeated in part`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const [one, other, never] = [await makeCircle(tenant), await makeCircle(tenant), await makeCircle(tenant)];
    const ran = [];
    for (const status of [500, 200, 500]) {
      target.answer(respondJson({}, status));
      ran.unshift(await start(tenant, { source: { testCircleId: one } }));
    }
    await start(tenant, { source: { runId: ran[0]!.id, only: "failed" } });
    const held = target.hold();
    const goesOn = await begin(tenant, { source: { testCircleId: other } });
    await expect.poll(() => held.waiting.length).toBe(1);
    const listStatuses = async (reader: Tenant) => {
      const query = { testCircleIds: [one, other, never].join(",") };
      return requireValue(await reader.client.listCircleStandings({ query }), "standings").items;
    };
    const items = await listStatuses(tenant);
    expect(items).toHaveLength(2);
    const { id: runId, reason, startedBy } = ran[0]!;
    expect(startedBy).toMatchObject({ kind: "user" });
    expect(items.find(({ testCircleId }) => testCircleId === one)).toMatchObject({
      lastRun: { runId, state: "finished", verdict: "failed", reason, trigger: "api", startedBy },
      lastVerdicts: ran.map(({ id, verdict, finishedAt, counts }) => ({
        ...{ runId: id, verdict, finishedAt, passed: counts.passed, notPassed: counts.failed },
      })),
    });
    expect(items.find(({ testCircleId }) => testCircleId === other)).toMatchObject({
      lastRun: { runId: goesOn.id, state: "running", verdict: null, finishedAt: null },
      lastVerdicts: [],
    });
    expect(await listStatuses(await world.createTenant(target.baseUrl))).toEqual([]);
    held.letGo();
  });

  test(`${engine.name}: with many runs, a status has the last twelve`, async () => {
    target.answer(respondJson({}));
    const tenant = await world.createTenant(target.baseUrl);
    const testCircleId = await makeCircle(tenant);
    const ran = [];
    for (let index = 0; index < 14; index += 1) ran.unshift((await start(tenant, { source: { testCircleId } })).id);
    const query = { testCircleIds: testCircleId };
    const [status] = requireValue(await tenant.client.listCircleStandings({ query }), "standings").items;
    expect(status!.lastVerdicts.map(({ runId }) => runId)).toEqual(ran.slice(0, 12));
  });

  test(`${engine.name}: a circle runs in the environments it names, the call's precede them`, async () => {
    const urls = () => target.requests.map(({ url }) => url);
    target.answer(respondJson({}));
    const tenant = await world.createTenant(target.baseUrl);
    const { apiId } = tenant;
    const environments = ["staging", "live"].map((name) => ({
      name,
      baseUrl: `${target.baseUrl}/${name}`,
      variables: {},
    }));
    requireValue(
      await world
        .apiRegistry({ token: tenant.token })
        .replaceEnvironments({ params: { apiId }, body: { items: environments } }),
      "environments",
    );
    const { id: testId } = await tenant.createTest({ path: "/x" });
    const { id: testCircleId } = await tenant.createCircle({
      members: [{ testId }],
      environments: { [apiId]: "staging" },
    });
    const run = await start(tenant, { source: { testCircleId } });
    expect(run.apis).toMatchObject([{ apiId, environment: "staging", baseUrl: `${target.baseUrl}/staging` }]);
    await start(tenant, { source: { testCircleId }, environments: { [apiId]: "live" } });
    await toTheEnd(tenant.client).runCircle({ params: { testCircleId }, body: { environment: "live" } });
    expect(urls().slice(-3)).toEqual(["/staging/x", "/live/x", "/live/x"]);
  });

  test(`${engine.name}: a circle that is missing, another organization's or empty is refused with the reason`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const owner = await world.createTenant(target.baseUrl);
    const foreign = await makeCircle(owner);
    for (const testCircleId of [foreign, uuidv7()]) {
      const body = { source: { testCircleId } };
      expect(await tenant.client.startRun({ query: {}, body })).toMatchObject({
        status: 404,
        problem: { detail: "No such test circle." },
      });
    }
    const off = await tenant.createTest({ enabled: false });
    const { id: testCircleId } = await tenant.createCircle({ members: [{ testId: off.id }] });
    expect(await tenant.client.startRun({ query: {}, body: { source: { testCircleId } } })).toMatchObject({
      status: 422,
      problem: { errors: [{ path: "source", message: "All its tests are disabled or may change data." }] },
    });
  });
}
