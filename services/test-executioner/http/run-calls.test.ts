import { uuidv7 } from "uuidv7";
import { afterAll, expect, test, vi } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createRunWorld, type Tenant } from "../testing/run-world.ts";
import { respondJson } from "../testing/target.ts";

for (const engine of testEngines()) {
  const { world, target, begin, start, get, close } = await createRunWorld(await engine.open());
  afterAll(close);

  test(`${engine.name}: a run counts tests and executions separately, and its verdict is the worst`, async () => {
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
    expect(run.members.items.map(({ position, verdict }) => [position, verdict])).toEqual([
      [1, "passed"],
      [2, "failed"],
      [3, "passed"],
      [4, "passed"],
    ]);
    expect(run.apis).toMatchObject([{ apiId: tenant.apiId, apiName: "Target", baseUrl: target.baseUrl }]);
    const whole = await get(tenant, run.id);
    expect(run).toEqual(whole);
    expect(whole.firstFailures).toMatchObject([
      { position: 2, row: 2, verdict: "failed", reason: "Expected status code 200, got 404." },
    ]);
    expect(whole.reason).toBe("Expected status code 200, got 404.");
    const failed = await get(tenant, run.id, { verdict: "failed" });
    expect(failed.members.items.map(({ position }) => position)).toEqual([2]);
    const first = await get(tenant, run.id, { limit: 3 });
    const second = await get(tenant, run.id, { limit: 3, cursor: first.members.nextCursor! });
    expect([...first.members.items, ...second.members.items].map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    expect(second.members.nextCursor).toBeNull();
  });

  test(`${engine.name}: failures are listed among the others during a run, and separately afterwards`, async () => {
    const held: (() => void)[] = [];
    target.answer((request, response) => {
      if (request.url === "/?n=2") held.push(() => void response.end("{}"));
      else response.writeHead(404).end("{}");
    });
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest({
      request: { query: [{ name: "n", value: "{{n}}", enabled: true }] } as never,
      data: [{ n: "1" }, { n: "2" }],
    });
    const run = await begin(tenant, { source: { tests: [id] }, order: "sequential" });
    const listPositions = async (query: object) =>
      (await get(tenant, run.id, query)).members.items.map(({ position }) => position);
    await vi.waitUntil(() => held.length > 0, { timeout: 300_000 });
    expect(await listPositions({ failing: "whileUnfinished" })).toEqual([1, 2]);
    expect(await listPositions({ failing: "false" })).toEqual([2]);
    for (const result of held) result();
    await world.settle();
    expect(await listPositions({ failing: "whileUnfinished" })).toEqual([2]);
    expect(await listPositions({ failing: "true" })).toEqual([1]);
  });

  test(`${engine.name}: a run over two APIs pins the document of each and is found by either`, async () => {
    target.answer(respondJson({}));
    const tenant = await world.createTenant(target.baseUrl);
    const registry = world.apiRegistry({ token: tenant.token });
    const document = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Other", version: "1" },
      servers: [{ url: target.baseUrl }],
      paths: { "/": { get: { responses: { "200": { description: "ok" } } } } },
    });
    const other = requireValue(await registry.registerApi({ body: { source: { document } } }), "register");
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
    const run = await start(tenant, { source: { tests: [own, requireValue(second, "create").id] } });
    expect(run.apis.map(({ apiName }) => apiName)).toEqual(["Target", "Other"]);
    const documents = await Promise.all(
      [tenant.apiId, other.id].map(
        async (apiId) => requireValue(await registry.getApi({ params: { apiId } }), "api").document.id,
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

  test(`${engine.name}: cancelling a run cancels members that have not started, and no others`, async () => {
    const held = target.hold();
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest({ data: Array.from({ length: 200 }, (_, n) => ({ n: String(n) })) });
    const { id: runId } = await begin(tenant, { source: { tests: [id] } });
    await expect.poll(() => held.waiting.length).toBe(48);
    const cancelled = requireValue(await tenant.client.cancelRun({ params: { runId } }), "cancel");
    const { counts } = cancelled;
    expect(cancelled.state).toBe("cancelling");
    expect(counts.cancelled).toBeGreaterThan(0);
    expect(counts.unfinished).toBeGreaterThanOrEqual(48);
    expect(counts.unfinished + counts.cancelled).toBe(200);
    // Requests that the worker had claimed and not sent are not sent either.
    await expect.poll(async () => (await get(tenant, runId)).counts).toMatchObject({ unfinished: 48, cancelled: 152 });
    held.letGo();
    await expect.poll(async () => (await get(tenant, runId)).state).toBe("cancelled");
    const end = await get(tenant, runId, { limit: 200 });
    expect(end).toMatchObject({ verdict: "passed", counts: { passed: 48, cancelled: 152 } });
    const started = end.members.items.filter(({ startedAt }) => startedAt !== null);
    expect(started).toHaveLength(48);
    const latest = await tenant.client.listLatestExecutions({ query: { testIds: id } });
    expect(latest.ok && latest.value.items).toMatchObject([{ state: "finished", verdict: "passed" }]);
    expect((await tenant.client.cancelRun({ params: { runId } })).status).toBe(200);
    const over = await start(tenant, { source: { tests: [(await tenant.createTest({ name: "x" })).id] } });
    expect((await tenant.client.cancelRun({ params: { runId: over.id } })).status).toBe(409);
  });

  test(`${engine.name}: a run that stops at its first failure lets concurrent members run to their end`, async () => {
    const waiting = new Map<string, () => void>();
    target.answer(async ({ url = "" }, response) => {
      await new Promise<void>((resolve) => waiting.set(url, resolve));
      response.writeHead(url === "/slow" ? 200 : 500).end("{}");
    });
    const tenant = await world.createTenant(target.baseUrl);
    const tests: string[] = [];
    for (const name of ["slow", "bad"]) tests.push((await tenant.createTest({ name, path: `/${name}` })).id);
    const { id: runId } = await begin(tenant, { source: { tests }, order: "parallel", stopOnFailure: true });
    await expect.poll(() => waiting.size).toBe(2);
    waiting.get("/bad")!();
    const getCounts = async () => (await get(tenant, runId)).counts;
    await expect.poll(async () => (await getCounts()).failed).toBe(1);
    expect(await getCounts()).toMatchObject({ skipped: 0, unfinished: 1 });
    waiting.get("/slow")!();
    await expect.poll(getCounts).toMatchObject({ passed: 1, failed: 1, skipped: 0, unfinished: 0 });
  });

  test(`${engine.name}: a run whose members have all started is cancelled, too: it runs to its end and is marked`, async () => {
    const held = target.hold();
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest({ name: "only" });
    const { id: runId } = await begin(tenant, { source: { tests: [id] } });
    await expect.poll(() => held.waiting.length).toBe(1);
    const cancelled = requireValue(await tenant.client.cancelRun({ params: { runId } }), "cancel");
    expect(cancelled).toMatchObject({ state: "cancelling", verdict: null, counts: { cancelled: 0, unfinished: 1 } });
    const again = requireValue(await tenant.client.cancelRun({ params: { runId } }), "cancel");
    expect(again.state).toBe("cancelling");
    const next = await begin(tenant, { source: { tests: [id] }, joinUnfinished: true });
    expect(next.id).not.toBe(runId);
    await expect.poll(() => held.waiting.length).toBe(2);
    held.letGo();
    await expect.poll(async () => (await get(tenant, runId)).state).toBe("cancelled");
    expect(await get(tenant, runId)).toMatchObject({ verdict: "passed", counts: { passed: 1, unfinished: 0 } });
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
      target.answer(respondJson({}, status));
      ids.unshift((await start(tenant, { source: { tests: [...tests] } })).id);
    }
    const list = async (query: NonNullable<Parameters<Tenant["client"]["listRuns"]>[0]>["query"]) => {
      const page = requireValue(await tenant.client.listRuns({ query }), "list");
      return { ids: page.items.map(({ id }) => id), nextCursor: page.nextCursor };
    };
    const first = await list({ limit: 2 });
    expect(first.ids).toEqual(ids.slice(0, 2));
    expect((await list({ limit: 2, cursor: first.nextCursor! })).ids).toEqual(ids.slice(2));
    expect((await list({ verdict: "failed" })).ids).toEqual([ids[1]]);
    expect((await list({ testId: one })).ids).toEqual([ids[0], ids[2]]);
    expect((await list({ testId: two, apiId: tenant.apiId })).ids).toEqual([ids[0], ids[1]]);
    const pages = [await list({ testId: one, limit: 1 })];
    pages.push(await list({ testId: one, limit: 1, cursor: pages[0]!.nextCursor! }));
    expect(pages.map((page) => page.ids)).toEqual([[ids[0]], [ids[2]]]);
    expect(pages[1]!.nextCursor).toBeNull();
    expect((await list({ testId: one, verdict: "failed" })).ids).toEqual([]);
    for (const unknown of [{ apiId: uuidv7() }, { testId: uuidv7() }, { testCircleId: uuidv7() }]) {
      expect((await tenant.client.listRuns({ query: { testId: one, ...unknown } })).status).toBe(404);
    }
    expect((await list({ from: "2100-01-01T00:00:00Z" })).ids).toEqual([]);
    const middle = requireValue(await tenant.client.getRun({ params: { runId: ids[1]! }, query: {} }), "run");
    expect((await list({ to: middle.queuedAt })).ids).toEqual([ids[2]]);
    expect((await list({ from: middle.queuedAt })).ids).toEqual(ids.slice(0, 2));
    const ended = { from: middle.finishedAt!, active: "true" as const };
    expect((await list(ended)).ids, "active at its end").toEqual(ids.slice(0, 2));
    expect((await list({ ...ended, testId: one })).ids).toEqual([ids[0]]);
    const after = new Date(Date.parse(middle.finishedAt!) + 1).toISOString();
    expect((await list({ ...ended, from: after })).ids).toEqual([ids[0]]);
    expect((await tenant.client.listRuns({ query: { cursor: "x" } })).status).toBe(400);
    expect((await tenant.client.listRuns({ query: { from: "x" } })).status).toBe(400);
  });

  test(`${engine.name}: runs of a test are found behind many executions of each, and while they are running`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest({ data: Array.from({ length: 40 }, (_, n) => ({ n: String(n) })) });
    const { id: other } = await tenant.createTest();
    const source = { tests: [id] };
    const ids: string[] = [];
    for (const tests of [[id], [other], [id, other], [id]]) {
      const run = await start(tenant, { source: { tests } });
      if (tests.includes(id)) ids.unshift(run.id);
    }
    const held = target.hold();
    ids.unshift((await begin(tenant, { source })).id);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { testId: id, limit: 1, cursor };
      const page = requireValue(await tenant.client.listRuns({ query }), "list");
      found.push(...page.items.map((run) => run.id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    held.letGo();
    expect(found).toEqual(ids);
  });
}
