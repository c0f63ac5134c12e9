import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
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
    target = await startTarget(respondJson({ name: "Rex" }));
  });
  afterEach(() => world.settle());
  afterAll(async () => {
    await world.stop();
    await world.database.close();
    await target.close();
  });

  test(`${engine.name}: a test runs to its end, and its request, response and phases are stored`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    const execution = await tenant.run(id);
    expect(execution).toMatchObject({
      state: "finished",
      verdict: "passed",
      attemptCount: 1,
      statusCode: 200,
      trigger: "api",
    });
    const [attempt] = execution.attempts;
    expect(attempt!.request!.url).toBe(`${target.baseUrl}/`);
    expect(attempt!.request!.headers[0]).toEqual(["host", target.host]);
    expect(attempt!.response!.body).toBe('{"name":"Rex"}');
    expect(attempt!.phases!.total).toBeGreaterThan(0);
  });

  test(`${engine.name}: a member says how long sending, response and storing took, and one of an earlier version does not`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    const { runId, attempts } = await tenant.run(id);
    const find = async () =>
      requireValue(await tenant.client.getRun({ params: { runId }, query: {} }), "run").members.items[0]!;
    const { sendingMilliseconds, responseMilliseconds, storingMilliseconds } = await find();
    const { dns, connect, tls, send, blocked, total } = attempts[0]!.phases!;
    expect(sendingMilliseconds).toBeCloseTo(dns + connect + tls + send, 2);
    expect(responseMilliseconds).toBeCloseTo(total - blocked, 2);
    expect(sendingMilliseconds).toBeLessThan(responseMilliseconds!);
    expect(storingMilliseconds).toBeGreaterThanOrEqual(0);
    expect(storingMilliseconds).toBeLessThan(60_000);
    await sql`update test_executioner.executions set sending_milliseconds = null, storing_milliseconds = null
      where run_id = ${runId}::uuid`.execute(world.database.kysely);
    expect(await find()).toMatchObject({ responseMilliseconds, sendingMilliseconds: null, storingMilliseconds: null });
  });

  test(`${engine.name}: all enabled tests of an API run, disabled ones only when named`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const tests = await Promise.all(Array.from({ length: 30 }, (_, index) => tenant.createTest({ name: `t${index}` })));
    const disabled = await tenant.createTest({ name: "off", enabled: false });
    const params = { apiId: tenant.apiId };
    const all = await toTheEnd(tenant.client).runTestsOfApi({ params, body: {} });
    const items = all.ok ? all.value.items : [];
    expect(items.map(({ testId }) => testId).sort()).toEqual(tests.map(({ id }) => id).sort());
    expect(new Set(items.map(({ verdict }) => verdict))).toEqual(new Set(["passed"]));
    const named = await toTheEnd(tenant.client).runTestsOfApi({ params, body: { testIds: [disabled.id] } });
    expect(named.ok && named.value.items).toMatchObject([{ testId: disabled.id, verdict: "passed" }]);
    const summary = await tenant.client.summarizeApis({ query: { apiIds: tenant.apiId } });
    // The status of an API is determined by its enabled tests.
    expect(summary.ok && summary.value.items).toMatchObject([{ passed: 30, failed: 0, unfinished: 0 }]);
  });

  test(`${engine.name}: a test with rows has an execution for each, and the worst of them represents it`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest({
      request: { query: [{ name: "id", value: "{{id}}", enabled: true }] } as never,
      data: [
        { id: "1", expected: "200" },
        { id: "2", expected: "404" },
        { id: "3", expected: "200" },
      ],
      assertions: [{ source: "statusCode", comparison: "equals", target: "{{expected}}" }],
    });
    const result = await toTheEnd(tenant.client).runTest({ params: { testId: id }, body: {} });
    const value = result.ok ? result.value : undefined;
    expect(value).toMatchObject({ state: "finished", verdict: "failed" });
    expect(value!.rows!.map(({ row, verdict }) => [row, verdict])).toEqual([
      [1, "passed"],
      [2, "failed"],
      [3, "passed"],
    ]);
    expect(value!.id).toBe(value!.rows![1]!.id);
    const latest = await tenant.client.listLatestExecutions({ query: { testIds: id } });
    expect(latest.ok && latest.value.items).toMatchObject([
      { executionId: value!.id, state: "finished", verdict: "failed" },
    ]);
    const list = await tenant.client.listExecutions({ params: { testId: id }, query: {} });
    expect(list.ok && list.value.items.map(({ row }) => row).sort()).toEqual([1, 2, 3]);
    expect(
      target.requests
        .slice(-3)
        .map(({ url }) => url)
        .sort(),
    ).toEqual(["/?id=1", "/?id=2", "/?id=3"]);
  });

  test(`${engine.name}: the same Idempotency-Key returns the same executions, another call with it is a conflict`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    const call = (body = {}) =>
      toTheEnd(tenant.client).runTest({
        params: { testId: id },
        body,
        headers: { "idempotency-key": "k1" },
      });
    const twice = await Promise.all([call(), call()]);
    const third = await call();
    const ids = [...twice, third].map((result) => (result.ok ? result.value.id : result.problem.detail));
    expect(new Set(ids).size).toBe(1);
    expect((await call({ variables: { a: "1" } })).status).toBe(409);
    const list = await tenant.client.listExecutions({ params: { testId: id }, query: {} });
    expect(list.ok && list.value.items).toHaveLength(1);
  });

  test(`${engine.name}: a call repeated with its key returns the run, whatever happened to its tests meanwhile`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const [one, other] = [await tenant.createTest(), await tenant.createTest()];
    const ofApi = () =>
      toTheEnd(tenant.client).runTestsOfApi({
        params: { apiId: tenant.apiId },
        body: {},
        headers: { "idempotency-key": "of-api" },
      });
    const ofTests = () =>
      toTheEnd(tenant.client).startRun({
        body: { source: { tests: [one.id, other.id] } },
        headers: { "idempotency-key": "of-tests" },
      });
    const first = [requireValue(await ofApi(), "API"), requireValue(await ofTests(), "tests")] as const;
    const registry = world.testRegistry({ token: tenant.token });
    await tenant.createTest();
    expect(await ofApi()).toMatchObject({ value: { runId: first[0].runId } });
    requireValue(await registry.deleteTest({ params: { testId: other.id } }), "delete");
    expect(await ofTests()).toMatchObject({ value: { id: first[1].id } });
  });

  test(`${engine.name}: environment and overrides choose the URL and fill variables`, async () => {
    const tenant = await world.createTenant("http://127.0.0.1:9");
    await world.apiRegistry({ token: tenant.token }).replaceEnvironments({
      params: { apiId: tenant.apiId },
      body: {
        items: [{ name: "staging", baseUrl: target.baseUrl, variables: { word: "from-environment", other: "o" } }],
      },
    });
    const given = { word: "from-api", other: "from-api", third: "t" };
    await world.apiRegistry({ token: tenant.token }).setVariables({
      params: { apiId: tenant.apiId },
      body: { variables: given },
    });
    const { id } = await tenant.createTest({
      request: { headers: [{ name: "x-word", value: "{{word}} {{other}} {{third}}", enabled: true }] } as never,
    });
    const body = { environment: "staging", variables: { word: "from-run" } };
    await toTheEnd(tenant.client).runTest({ params: { testId: id }, body });
    expect(target.requests.at(-1)!.headers["x-word"]).toBe("from-run o t");
    const unknown = await tenant.client.runTest({
      params: { testId: id },
      query: {},
      body: { environment: "nowhere" },
    });
    expect(!unknown.ok && unknown.problem).toMatchObject({ status: 422, errors: [{ path: "environment" }] });
  });

  test(`${engine.name}: without wait the response is immediate and names the queued executions`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    const result = await tenant.client.runTest({ params: { testId: id }, query: {}, body: {} });
    expect(result.status).toBe(202);
    expect(result.ok && ["queued", "running", "finished"]).toContain(result.ok && result.value.state);
  });

  test(`${engine.name}: H04: one organization's slow run does not delay another's`, async () => {
    let isSlow = true;
    const slowTarget = await startTarget(async (_, response) => {
      while (isSlow) await new Promise((resolve) => setTimeout(resolve, 20));
      response.end("{}");
    });
    const slow = await world.createTenant(slowTarget.baseUrl);
    const quick = await world.createTenant(target.baseUrl);
    const rows = Array.from({ length: 1_000 }, (_, index) => ({ row: String(index) }));
    const { id } = await slow.createTest({ data: rows });
    await slow.client.runTest({ params: { testId: id }, query: {}, body: {} });
    await expect.poll(() => slowTarget.requests.length).toBe(48);
    const own = await quick.createTest();
    for (let number = 0; number < 5; number += 1) expect((await quick.run(own.id)).verdict).toBe("passed");
    expect(slowTarget.requests.length).toBe(48);
    isSlow = false;
    await expect
      .poll(async () => {
        const summary = await slow.client.summarizeApis({ query: { apiIds: slow.apiId } });
        return summary.ok && summary.value.items[0];
      })
      .toMatchObject({ unfinished: 0, passed: 1 });
    await slowTarget.close();
  });

  test(`${engine.name}: H04: two organizations' slow runs do not keep a third's from starting`, async () => {
    let isSlow = true;
    const slowTarget = await startTarget(async (_, response) => {
      while (isSlow) await new Promise((resolve) => setTimeout(resolve, 20));
      response.end("{}");
    });
    const rows = Array.from({ length: 300 }, (_, index) => ({ row: String(index) }));
    const slow = await Promise.all([1, 2].map(() => world.createTenant(slowTarget.baseUrl)));
    for (const tenant of slow) {
      const { id } = await tenant.createTest({ data: rows });
      await tenant.client.runTest({ params: { testId: id }, query: {}, body: {} });
    }
    await expect.poll(() => slowTarget.requests.length).toBe(96);
    const quick = await world.createTenant(target.baseUrl);
    const { id } = await quick.createTest();
    expect((await quick.run(id)).verdict).toBe("passed");
    expect(slowTarget.requests.length).toBe(96);
    isSlow = false;
    for (const tenant of slow) {
      const count = async () => {
        const summary = await tenant.client.summarizeApis({ query: { apiIds: tenant.apiId } });
        return summary.ok && summary.value.items[0]!.unfinished;
      };
      await expect.poll(count).toBe(0);
    }
    await slowTarget.close();
  });

  test(`${engine.name}: running requires a token, its scope, and the same organization`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const other = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    const before = target.requests.length;
    const params = { testId: id };
    expect((await world.connect().runTest({ params, query: {}, body: {} })).status).toBe(401);
    const reader = world.identities.tokenFor({ organizationId: tenant.organizationId, scopes: ["tests:read"] });
    expect((await world.connect(reader).runTest({ params, query: {}, body: {} })).status).toBe(403);
    expect((await other.client.runTest({ params, query: {}, body: {} })).status).toBe(404);
    expect((await other.client.runTestsOfApi({ params: { apiId: tenant.apiId }, query: {}, body: {} })).status).toBe(
      404,
    );
    const named = await other.client.runTestsOfApi({
      params: { apiId: other.apiId },
      query: {},
      body: { testIds: [id] },
    });
    expect(!named.ok && named.problem.errors).toMatchObject([{ path: "testIds[0]" }]);
    expect((await tenant.client.runTest({ params: { testId: uuidv7() }, query: {}, body: {} })).status).toBe(404);
    expect(target.requests.length).toBe(before);
  });

  test(`${engine.name}: unreadable requests are 400, 415 or 422`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    const params = { testId: id };
    expect((await tenant.client.runTest({ params: { testId: "x" }, query: {}, body: {} })).status).toBe(400);
    expect((await tenant.client.runTest({ params, query: { wait: 61 }, body: {} })).status).toBe(400);
    expect((await tenant.client.runTest({ params, query: {}, body: { baseUrl: 5 } as never })).status).toBe(422);
    const headers = { "idempotency-key": "a b" };
    expect((await tenant.client.runTest({ params, query: {}, body: {}, headers })).status).toBe(400);
    const text = { "content-type": "text/plain" };
    expect((await tenant.client.runTest({ params, query: {}, rawBody: "{}", headers: text })).status).toBe(415);
  });
}
