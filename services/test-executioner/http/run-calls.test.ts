import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { requireAnswer } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import type { RunMember, RunSummary } from "../contract/runs.ts";
import { answerJson, startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

type StartBody = Parameters<Tenant["client"]["startRun"]>[0]["body"];
type Tenant = Awaited<ReturnType<ExecutionWorld["createTenant"]>>;

for (const engine of testEngines()) {
  let world: ExecutionWorld;
  let target: Target;
  beforeAll(async () => {
    world = await createExecutionWorld(await engine.open());
    target = await startTarget(answerJson({}));
  });
  afterAll(async () => {
    await world.stop();
    await world.database.close();
    await target.close();
  });

  const start = async (tenant: Tenant, body: StartBody, wait = 30) =>
    requireAnswer(await tenant.client.startRun({ query: { wait }, body }), "start");
  const get = async (tenant: Tenant, runId: string, query = {}) =>
    requireAnswer(await tenant.client.getRun({ params: { runId }, query }), "get");

  /** Answers wait until the test lets them go. */
  function hold() {
    const waiting: (() => void)[] = [];
    target.answer(async (_, response) => {
      await new Promise<void>((resolve) => void waiting.push(resolve));
      response.end("{}");
    });
    return {
      waiting,
      letGo() {
        target.answer(answerJson({}));
        for (const go of waiting.splice(0)) go();
      },
    };
  }

  test(`${engine.name}: a run counts tests and executions apart, and its verdict is the worst`, async () => {
    target.answer((request, response) => void response.writeHead(request.url === "/?n=2" ? 404 : 200).end("{}"));
    const tenant = await world.createTenant(target.baseUrl);
    const { id: rows } = await tenant.createTest({
      name: "rows",
      request: { query: [{ name: "n", value: "{{n}}", enabled: true }] } as never,
      data: [{ n: "1" }, { n: "2" }, { n: "3" }],
    });
    const { id: single } = await tenant.createTest({ name: "single" });
    const run = await start(tenant, { source: { tests: [rows, single] }, trigger: "ci" });
    expect(run).toMatchObject({
      source: { kind: "tests", testCount: 2 },
      trigger: "ci",
      state: "finished",
      verdict: "failed",
      counts: { tests: 2, executions: 4, passed: 3, failed: 1, unfinished: 0, leftOut: 0 },
    });
    expect(run.apis).toMatchObject([{ apiId: tenant.apiId, apiName: "Target", baseUrl: target.baseUrl }]);
    const whole = await get(tenant, run.id);
    expect(whole.firstFailures).toMatchObject([{ position: 2, row: 2, verdict: "failed", reason: "found 404" }]);
    expect(whole.reason).toBe("found 404");
    const failed = await get(tenant, run.id, { verdict: "failed" });
    expect(failed.members.items.map(({ position }) => position)).toEqual([2]);
    const first = await get(tenant, run.id, { limit: 3 });
    const second = await get(tenant, run.id, { limit: 3, cursor: first.members.nextCursor! });
    expect([...first.members.items, ...second.members.items].map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    expect(second.members.nextCursor).toBeNull();
  });

  test(`${engine.name}: the trigger a call gives is the one that is kept, in the run and in its executions`, async () => {
    target.answer(answerJson({}));
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    const triggers = ["manual", "schedule", "ci", "api"] as const;
    for (const trigger of triggers) {
      const run = await start(tenant, { source: { tests: [id] }, trigger });
      expect(run).toMatchObject({ trigger, source: { kind: "test", testId: id, testName: "a test" } });
      const list = await tenant.client.listExecutions({ params: { testId: id }, query: { trigger } });
      expect(list.ok && list.value.items.map(({ runId }) => runId)).toEqual([run.id]);
    }
    const older = await tenant.client.runTest({ params: { testId: id }, query: {}, body: { trigger: "schedule" } });
    expect(await get(tenant, older.ok ? older.value.runId : "")).toMatchObject({ trigger: "schedule" });
    const runs = await tenant.client.listRuns({ query: { trigger: "ci" } });
    expect(runs.ok && runs.value.items).toHaveLength(1);
  });

  test(`${engine.name}: starting twice with one key is one run, from two tabs at once too`, async () => {
    target.answer(answerJson({}));
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    const call = (body: object = {}) =>
      tenant.client.startRun({
        query: {},
        headers: { "idempotency-key": "form-key" },
        body: { source: { tests: [id] }, ...body },
      });
    const answers = [...(await Promise.all([call(), call()])), await call()];
    const ids = answers.map((answer) => requireAnswer(answer, "start").id);
    expect(new Set(ids).size).toBe(1);
    const list = await tenant.client.listExecutions({ params: { testId: id }, query: {} });
    expect(list.ok && list.value.items).toHaveLength(1);
    expect((await call({ order: "sequential" })).status).toBe(409);
  });

  test(`${engine.name}: starts in one instant that join what goes on are one run, whatever their keys`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { apiId } = tenant;
    const { id } = await tenant.createTest();
    const held = hold();
    const startOnce = async (source: StartBody["source"], key: string, joinUnfinished = true) => {
      const headers = { "idempotency-key": key };
      return requireAnswer(await tenant.client.startRun({ headers, body: { source, joinUnfinished } }), "start").id;
    };
    const keyOf = (source: object, tab: number) => `${Object.keys(source)}-${tab}`;
    const started: string[] = [];
    for (const source of [{ tests: [id] }, { apiId }]) {
      const keys = Array.from({ length: 8 }, (_, number) => keyOf(source, number));
      const ids = await Promise.all(keys.map((key) => startOnce(source, key)));
      expect(new Set(ids).size).toBe(1);
      started.push(ids[0]!);
      expect(await startOnce(source, keyOf(source, 9), false)).not.toBe(ids[0]);
      expect(await startOnce(source, keys[3]!)).toBe(ids[0]);
    }
    expect(new Set(started).size).toBe(2);
    expect(await startOnce({ apiId, include: "all" }, "more")).not.toBe(started[1]);
    held.letGo();
    await vi.waitUntil(async () => {
      const { items } = requireAnswer(await tenant.client.listRuns({ query: {} }), "list");
      return items.every(({ state }) => state === "finished");
    });
    expect(await startOnce({ tests: [id] }, keyOf({ tests: [id] }, 5))).toBe(started[0]);
    expect(started).not.toContain(await startOnce({ tests: [id] }, "later"));
  });

  test(`${engine.name}: an API's run leaves out what may change something unless told, and counts it`, async () => {
    target.answer(answerJson({}));
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

  test(`${engine.name}: a run over two APIs pins the document of each and is found by either`, async () => {
    target.answer(answerJson({}));
    const tenant = await world.createTenant(target.baseUrl);
    const registry = world.apiRegistry({ token: tenant.token });
    const document = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Other", version: "1" },
      servers: [{ url: target.baseUrl }],
      paths: { "/": { get: { responses: { "200": { description: "ok" } } } } },
    });
    const other = requireAnswer(await registry.registerApi({ body: { source: { document } } }), "register");
    const { id: own } = await tenant.createTest();
    const second = await world.testRegistry({ token: tenant.token }).createTest({
      params: { apiId: other.id },
      body: {
        name: "second",
        method: "get",
        path: "/",
        request: {},
        assertions: [{ source: "statusCode", comparison: "equals", target: 200 }],
      },
    });
    const run = await start(tenant, { source: { tests: [own, requireAnswer(second, "create").id] } });
    expect(run.apis.map(({ apiName }) => apiName)).toEqual(["Target", "Other"]);
    const documents = await Promise.all(
      [tenant.apiId, other.id].map(
        async (apiId) => requireAnswer(await registry.getApi({ params: { apiId } }), "api").document.id,
      ),
    );
    expect(run.apis.map(({ documentId }) => documentId)).toEqual(documents);
    for (const apiId of [tenant.apiId, other.id]) {
      const found = await tenant.client.listRuns({ query: { apiId } });
      expect(found.ok && found.value.items.map(({ id }) => id)).toEqual([run.id]);
    }
    await tenant.client.deleteExecutionsOfApi({ params: { apiId: other.id } });
    expect((await get(tenant, run.id)).members.items).toHaveLength(1);
  });

  test(`${engine.name}: what failed is run again with the same variables and environments`, async () => {
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
    target.answer(answerJson({}));
    const before = target.requests.length;
    const again = await start(tenant, { source: { runId: first.id, only: "failed" } });
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

  test(`${engine.name}: cancelling a run cancels what has not started, and only that`, async () => {
    const held = hold();
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest({ data: Array.from({ length: 200 }, (_, n) => ({ n: String(n) })) });
    const { id: runId } = await start(tenant, { source: { tests: [id] } }, 0);
    await expect.poll(() => held.waiting.length).toBe(48);
    const cancelled = requireAnswer(await tenant.client.cancelRun({ params: { runId } }), "cancel");
    const { counts } = cancelled;
    expect(cancelled.state).toBe("running");
    expect(counts.cancelled).toBeGreaterThan(0);
    expect(counts.unfinished).toBeGreaterThanOrEqual(48);
    expect(counts.unfinished + counts.cancelled).toBe(200);
    const release = setInterval(held.letGo, 10);
    await expect.poll(async () => (await get(tenant, runId)).state).toBe("cancelled");
    clearInterval(release);
    const end = await get(tenant, runId);
    expect(end).toMatchObject({
      verdict: "passed",
      counts: { passed: counts.unfinished, cancelled: counts.cancelled },
    });
    const latest = await tenant.client.listLatestExecutions({ query: { testIds: id } });
    expect(latest.ok && latest.value.items).toMatchObject([{ state: "finished", verdict: "passed" }]);
    expect((await tenant.client.cancelRun({ params: { runId } })).status).toBe(200);
    const over = await start(tenant, { source: { tests: [(await tenant.createTest({ name: "x" })).id] } });
    expect((await tenant.client.cancelRun({ params: { runId: over.id } })).status).toBe(409);
  });

  async function readEvents(response: Response) {
    const text = await response.text();
    return [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, event, data]) => ({
      event,
      value: JSON.parse(data!) as RunSummary & { items?: RunMember[] },
    }));
  }

  test(`${engine.name}: a run is watched to its end, and each change is told once`, async () => {
    const held = hold();
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest({ data: Array.from({ length: 30 }, (_, n) => ({ n: String(n) })) });
    const { id: runId } = await start(tenant, { source: { tests: [id] } }, 0);
    await expect.poll(() => held.waiting.length).toBe(30);
    const watching = await tenant.client.watchRun({ params: { runId } });
    if (!watching.ok) throw new Error(watching.problem.detail);
    expect(watching.response.headers.get("content-type")).toBe("text/event-stream");
    const reading = readEvents(watching.response);
    held.letGo();
    const events = await reading;
    expect(events[0]).toMatchObject({ event: "run", value: { id: runId, state: "running" } });
    expect(events.at(-1)).toMatchObject({ event: "run", value: { state: "finished", verdict: "passed" } });
    const told = events.flatMap(({ value }) => value.items ?? []);
    const ends = told.filter(({ state }) => state === "finished").map(({ position }) => position);
    expect(ends.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    const texts = told.map((member) => JSON.stringify(member));
    expect(new Set(texts).size).toBe(texts.length);
  });

  test(`${engine.name}: a run worked on by another process is watched and waited for as well`, async () => {
    target.answer(answerJson({}));
    const portal = await createExecutionWorld(world.database, { work: false });
    const tenant = await portal.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    const waited = await start(tenant, { source: { tests: [id] } });
    expect(waited).toMatchObject({ state: "finished", verdict: "passed" });
    const { id: runId } = await start(tenant, { source: { tests: [id] } }, 0);
    const watching = await tenant.client.watchRun({ params: { runId } });
    if (!watching.ok) throw new Error(watching.problem.detail);
    const events = await readEvents(watching.response);
    expect(events.at(-1)).toMatchObject({ event: "run", value: { state: "finished" } });
    await portal.stop();
  });

  test(`${engine.name}: runs are listed newest first, page by page, and filtered`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id: one } = await tenant.createTest({ name: "one" });
    const { id: two } = await tenant.createTest({ name: "two" });
    const ids: string[] = [];
    for (const [status, tests] of [
      [200, [one]],
      [500, [two]],
      [200, [one, two]],
    ] as const) {
      target.answer(answerJson({}, status));
      ids.unshift((await start(tenant, { source: { tests: [...tests] } })).id);
    }
    const list = async (query: NonNullable<Parameters<Tenant["client"]["listRuns"]>[0]>["query"]) => {
      const page = requireAnswer(await tenant.client.listRuns({ query }), "list");
      return { ids: page.items.map(({ id }) => id), nextCursor: page.nextCursor };
    };
    const first = await list({ limit: 2 });
    expect(first.ids).toEqual(ids.slice(0, 2));
    expect((await list({ limit: 2, cursor: first.nextCursor! })).ids).toEqual(ids.slice(2));
    expect((await list({ verdict: "failed" })).ids).toEqual([ids[1]]);
    expect((await list({ testId: one })).ids).toEqual([ids[0], ids[2]]);
    expect((await list({ testId: two, apiId: tenant.apiId })).ids).toEqual([ids[0], ids[1]]);
    expect((await list({ from: "2100-01-01T00:00:00Z" })).ids).toEqual([]);
    expect((await tenant.client.listRuns({ query: { cursor: "x" } })).status).toBe(400);
    expect((await tenant.client.listRuns({ query: { from: "x" } })).status).toBe(400);
  });

  test(`${engine.name}: nobody starts, sees or cancels runs without token, scope, or in another organization`, async () => {
    target.answer(answerJson({}));
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
