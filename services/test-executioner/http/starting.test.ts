import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createRunWorld, type StartBody } from "../testing/run-world.ts";
import { respondJson } from "../testing/target.ts";
import { toTheEnd } from "../testing/to-the-end.ts";

for (const engine of testEngines()) {
  const { world, target, start, get, close } = await createRunWorld(await engine.open());
  afterEach(() => world.settle());
  afterAll(close);

  test(`${engine.name}: G01: the trigger follows from who starts a run, and is stored in its executions too`, async () => {
    target.answer(respondJson({}));
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    for (const trigger of ["manual", "ci", "api"] as const) {
      const client = trigger === "manual" ? tenant.user : tenant.client;
      const run = await start({ ...tenant, client }, { source: { tests: [id] }, trigger });
      expect(run).toMatchObject({ trigger, source: { kind: "test", testId: id, testName: "a test" } });
      const list = await tenant.client.listExecutions({ params: { testId: id }, query: { trigger } });
      expect(list.ok && list.value.items.map(({ runId }) => runId)).toEqual([run.id]);
    }
    const older = await tenant.client.runTest({ params: { testId: id }, query: {}, body: { trigger: "schedule" } });
    expect(await get(tenant, older.ok ? older.value.runId : "")).toMatchObject({ trigger: "api" });
    const runs = await tenant.client.listRuns({ query: { trigger: "ci" } });
    expect(runs.ok && runs.value.items).toHaveLength(1);
  });

  test(`${engine.name}: a start waits as Prefer says, which the response confirms`, async () => {
    target.answer(respondJson({}));
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    const start = async (prefer: string | undefined, query: { wait?: number } = {}) => {
      const headers: Record<string, string> = prefer === undefined ? {} : { prefer };
      const result = await tenant.client.startRun({ query, headers, body: { source: { tests: [id] } } });
      if (!result.ok) throw new Error(result.problem.detail);
      return { state: result.value.state, applied: result.response.headers.get("preference-applied") };
    };
    expect(await start('respond-async, Wait = "30"; strict, wait=1')).toEqual({
      state: "finished",
      applied: "wait=30",
    });
    expect(await start("wait=3600")).toEqual({ state: "finished", applied: "wait=60" });
    // The query takes precedence, and what is no number is ignored (RFC 7240, 2).
    expect(await start("wait=1", { wait: 60 })).toEqual({ state: "finished", applied: null });
    for (const none of [undefined, "wait", "wait=soon", "await=5", "return=minimal"])
      expect((await start(none)).applied).toBeNull();
    const headers = { prefer: "wait=30" };
    const ofTest = await tenant.client.runTest({ params: { testId: id }, query: {}, headers, body: {} });
    expect(ofTest.ok && ofTest.value.state).toBe("finished");
  });

  test(`${engine.name}: a run names who started it, and the token if a program did`, async () => {
    target.answer(respondJson({}));
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    const { organizationId } = tenant;
    const ann = { organizationId, userId: uuidv7(), username: "ann" };
    for (const caller of [ann, { ...ann, apiToken: "Nightly build" }]) {
      const client = world.connect(world.identities.tokenFor(caller));
      const expected = {
        kind: "user",
        userId: ann.userId,
        name: "ann",
        ...("apiToken" in caller && { apiToken: caller.apiToken }),
      };
      const run = requireValue(await toTheEnd(client).startRun({ body: { source: { tests: [id] } } }), "start");
      const again = { source: { runId: run.id, from: 1 } };
      const { runId } = requireValue(await toTheEnd(client).runTest({ params: { testId: id }, body: {} }), "run");
      const repeated = requireValue(await toTheEnd(client).startRun({ body: again }), "repeat");
      for (const { startedBy } of [run, repeated, await get(tenant, runId)]) expect(startedBy).toEqual(expected);
    }
    const { items } = requireValue(await tenant.client.listRuns({ query: {} }), "list");
    expect(items.map(({ startedBy }) => startedBy?.name)).toEqual(Array.from({ length: 6 }, () => "ann"));
  });

  test(`${engine.name}: starting twice with one key is one run, also from two tabs at once`, async () => {
    target.answer(respondJson({}));
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    const call = (body: object = {}) =>
      tenant.client.startRun({
        query: {},
        headers: { "idempotency-key": "form-key" },
        body: { source: { tests: [id] }, ...body },
      });
    const results = [...(await Promise.all([call(), call()])), await call()];
    const ids = results.map((result) => requireValue(result, "start").id);
    expect(new Set(ids).size).toBe(1);
    const list = await tenant.client.listExecutions({ params: { testId: id }, query: {} });
    expect(list.ok && list.value.items).toHaveLength(1);
    expect((await call({ order: "sequential" })).status).toBe(409);
  });

  test(`${engine.name}: simultaneous starts that join an unfinished run are one run, whatever their keys`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { apiId } = tenant;
    const { id } = await tenant.createTest();
    const others = await Promise.all([tenant.createTest(), tenant.createTest()]);
    const several = [id, ...others.map((other) => other.id)];
    const held = target.hold();
    const startOnce = async (source: StartBody["source"], key: string, joinUnfinished = true) => {
      const headers = { "idempotency-key": key };
      return requireValue(await tenant.client.startRun({ headers, body: { source, joinUnfinished } }), "start").id;
    };
    const toKey = (source: object, tab: number) => `${JSON.stringify(source).length}-${tab}`;
    const started: string[] = [];
    let newest = "";
    for (const source of [{ tests: [id] }, { apiId }, { tests: several }]) {
      const keys = Array.from({ length: 8 }, (_, number) => toKey(source, number));
      const ids = await Promise.all(keys.map((key) => startOnce(source, key)));
      expect(new Set(ids).size).toBe(1);
      started.push(ids[0]!);
      newest = await startOnce(source, toKey(source, 9), false);
      expect(newest).not.toBe(ids[0]);
      expect(await startOnce(source, keys[3]!)).toBe(ids[0]);
    }
    expect(new Set(started).size).toBe(3);
    expect(await startOnce({ tests: several.toReversed() }, "in-another-order")).toBe(newest);
    expect([...started, newest]).not.toContain(await startOnce({ tests: several.slice(1) }, "fewer"));
    expect(await startOnce({ apiId, include: "all" }, "more")).not.toBe(started[1]);
    held.letGo();
    const states = async () =>
      new Set(requireValue(await tenant.client.listRuns({ query: {} }), "list").items.map(({ state }) => state));
    await expect.poll(states).toEqual(new Set(["finished"]));
    expect(await startOnce({ tests: [id] }, toKey({ tests: [id] }, 5))).toBe(started[0]);
    expect(started).not.toContain(await startOnce({ tests: [id] }, "later"));
  });

  test(`${engine.name}: an API's run omits tests that may change data unless requested, and counts them`, async () => {
    target.answer(respondJson({}));
    const tenant = await world.createTenant(target.baseUrl);
    const { apiId } = tenant;
    await tenant.createTest({ name: "reads", method: "get" });
    await tenant.createTest({ name: "heads", method: "HEAD" });
    await tenant.createTest({ name: "deletes", method: "delete" });
    await tenant.createTest({ name: "posts", method: "POST" });
    await tenant.createTest({ name: "off", enabled: false });
    const before = target.requests.length;
    const safe = await start(tenant, { source: { apiId } });
    expect(safe).toMatchObject({ source: { include: "safe" }, counts: { executions: 2, leftOut: 2 } });
    expect(
      target.requests
        .slice(before)
        .map(({ method }) => method)
        .sort(),
    ).toEqual(["GET", "HEAD"]);
    const all = await start(tenant, { source: { apiId, include: "all" } });
    expect(all).toMatchObject({ source: { include: "all" }, counts: { executions: 4, leftOut: 0 } });
    const older = await tenant.client.runTestsOfApi({ params: { apiId }, query: {}, body: {} });
    expect(older.ok && older.value.items).toHaveLength(4);
  });

  test(`${engine.name}: of named tests, those that may change data are omitted if so requested`, async () => {
    target.answer(respondJson({}));
    const tenant = await world.createTenant(target.baseUrl);
    const reads = await tenant.createTest({ name: "reads", method: "get" });
    const posts = await tenant.createTest({ name: "posts", method: "POST" });
    const safe = await start(tenant, { source: { tests: [posts.id, reads.id], include: "safe" } });
    expect(safe).toMatchObject({ source: { kind: "test", testId: reads.id }, counts: { executions: 1, leftOut: 1 } });
    expect(await start(tenant, { source: { tests: [posts.id, reads.id] } })).toMatchObject({
      counts: { executions: 2, leftOut: 0 },
    });
    const body = { source: { tests: [posts.id], include: "safe" as const } };
    expect(await tenant.client.startRun({ query: {}, body })).toMatchObject({ ok: false, status: 422 });
  });

  test(`${engine.name}: failures run again with the same variables and environments`, async () => {
    const tenant = await world.createTenant("http://127.0.0.1:9");
    await world.apiRegistry({ token: tenant.token }).replaceEnvironments({
      params: { apiId: tenant.apiId },
      body: { items: [{ name: "staging", baseUrl: target.baseUrl, variables: { word: "w" } }] },
    });
    const query = { request: { query: [{ name: "q", value: "{{word}}-{{own}}-{{n}}", enabled: true }] } as never };
    const { id: rows } = await tenant.createTest({ name: "rows", ...query, data: [{ n: "1" }, { n: "2" }] });
    const { id: good } = await tenant.createTest({ name: "good" });
    target.answer((request, response) => void response.writeHead(request.url!.endsWith("2") ? 500 : 200).end("{}"));
    const first = await start(tenant, {
      source: { tests: [rows, good] },
      order: "sequential",
      environments: { [tenant.apiId]: "staging" },
      variables: { own: "o" },
    });
    expect(first).toMatchObject({ verdict: "failed", counts: { failed: 1, passed: 2 } });
    target.answer(respondJson({}));
    const before = target.requests.length;
    const again = await start({ ...tenant, client: tenant.user }, { source: { runId: first.id, only: "failed" } });
    expect(again).toMatchObject({
      source: { kind: "rerun", runId: first.id },
      trigger: "rerun",
      order: "sequential",
      verdict: "passed",
      counts: { tests: 1, executions: 1 },
    });
    expect(again.apis).toMatchObject([{ environment: "staging" }]);
    expect(target.requests.slice(before).map(({ url }) => url)).toEqual(["/?q=w-o-2"]);
    const nothing = await tenant.client.startRun({ query: {}, body: { source: { runId: again.id, only: "failed" } } });
    expect(!nothing.ok && nothing.problem).toMatchObject({ status: 422, detail: "Nothing failed in this run." });
  });

  test(`${engine.name}: a run goes to the base URL that its start gives, and so does its repetition`, async () => {
    const tenant = await world.createTenant("http://127.0.0.1:9");
    const { id } = await tenant.createTest();
    target.answer(respondJson({}, 500));
    const baseUrl = `${target.baseUrl}/preview`;
    const run = await start(tenant, { source: { tests: [id] }, baseUrls: { [tenant.apiId]: baseUrl } });
    expect(run).toMatchObject({ verdict: "failed", apis: [{ environment: null, baseUrl }] });
    await start(tenant, { source: { runId: run.id, only: "failed" } });
    expect(target.requests.slice(-2).map(({ url }) => url)).toEqual(["/preview/", "/preview/"]);
    const body = { source: { tests: [id] }, baseUrls: { [tenant.apiId]: "preview.example.com" } };
    const refused = await tenant.client.startRun({ query: {}, body });
    expect(!refused.ok && refused.problem.errors).toMatchObject([{ path: `baseUrls.${tenant.apiId}` }]);
  });

  test(`${engine.name}: starting, reading and cancelling runs require a token, its scope, and the same organization`, async () => {
    target.answer(respondJson({}));
    const tenant = await world.createTenant(target.baseUrl);
    const other = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    const run = await start(tenant, { source: { tests: [id] } });
    const params = { runId: run.id };
    const body = { source: { tests: [id] } };
    for (const call of ["watchRun", "cancelRun"] as const) {
      expect((await other.client[call]({ params })).status, call).toBe(404);
      expect((await world.connect()[call]({ params })).status, call).toBe(401);
    }
    expect((await other.client.getRun({ params, query: {} })).status).toBe(404);
    expect((await world.connect().getRun({ params, query: {} })).status).toBe(401);
    const reader = world.identities.tokenFor({ organizationId: tenant.organizationId, scopes: ["tests:read"] });
    expect((await world.connect(reader).startRun({ query: {}, body })).status).toBe(403);
    expect((await world.connect(reader).cancelRun({ params })).status).toBe(403);
    const foreign = await other.client.startRun({ query: {}, body });
    expect(!foreign.ok && foreign.problem.errors).toMatchObject([{ path: "source.tests[0]" }]);
    expect((await other.client.startRun({ query: {}, body: { source: { apiId: tenant.apiId } } })).status).toBe(404);
    expect(
      (await other.client.startRun({ query: {}, body: { source: { runId: run.id, only: "failed" } } })).status,
    ).toBe(404);
    expect((await tenant.client.getRun({ params: { runId: uuidv7() }, query: {} })).status).toBe(404);
    expect((await tenant.client.getRun({ params, query: { cursor: "x" } })).status).toBe(400);
    const unknown = await tenant.client.startRun({
      query: {},
      body: { ...body, environments: { [tenant.apiId]: "nowhere" } },
    });
    expect(!unknown.ok && unknown.problem.errors).toMatchObject([{ path: `environments.${tenant.apiId}` }]);
    expect(
      (await other.client.listRuns({ query: {} })).ok && (await other.client.listRuns({ query: {} })),
    ).toMatchObject({ value: { items: [] } });
  });
}
