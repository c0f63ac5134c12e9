import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import type { ExecutionTables } from "../store/tables.ts";
import { respondJson, startTarget, type Target } from "../testing/target.ts";
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

  test(`${engine.name}: executions are listed newest first, page by page, and filtered`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const good = await tenant.createTest({
      assertions: [{ source: "statusCode", comparison: "equals", target: "{{expected}}" }],
    });
    const ids: string[] = [];
    for (const expected of ["200", "500", "200", "200", "500"]) {
      ids.unshift((await tenant.run(good.id, { variables: { expected } })).id);
    }
    const params = { testId: good.id };
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await tenant.client.listExecutions({ params, query: { limit: 2, cursor } });
      if (!page.ok) throw new Error(page.problem.detail);
      seen.push(...page.value.items.map(({ id }) => id));
      cursor = page.value.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(ids);
    const failed = await tenant.client.listExecutions({ params, query: { verdict: "failed" } });
    expect(failed.ok && failed.value.items.map(({ id }) => id)).toEqual([ids[0], ids[3]]);
    const none = await tenant.client.listExecutions({ params, query: { trigger: "manual" } });
    expect(none.ok && none.value.items).toEqual([]);
    const third = await tenant.client.getExecution({ params: { executionId: ids[2]! } });
    const from = third.ok ? third.value.queuedAt : "";
    const since = await tenant.client.listExecutions({ params, query: { from } });
    expect(since.ok && since.value.items.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    const until = await tenant.client.listExecutions({ params, query: { to: from } });
    expect(until.ok && until.value.items.map(({ id }) => id)).toEqual(ids.slice(3));
  });

  test(`${engine.name}: unreadable requests are 400, another organization's executions are 404 or empty`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const other = await world.createTenant(target.baseUrl);
    const { id: testId } = await tenant.createTest();
    const execution = await tenant.run(testId);
    const params = { executionId: execution.id };
    const forged = [
      ["x", "y"],
      ["2026-13-45T00:00:00.000Z", uuidv7()],
      [1, null],
    ].map((values) => Buffer.from(JSON.stringify(values)).toString("base64url"));
    for (const cursor of ["x", ...forged]) {
      expect((await tenant.client.listExecutions({ params: { testId }, query: { cursor } })).status).toBe(400);
    }
    const far = "+200000-01-01T00:00:00Z";
    expect((await tenant.client.listExecutions({ params: { testId }, query: { from: far } })).status).toBe(400);
    expect((await tenant.client.listExecutions({ params: { testId }, query: { from: "x" } })).status).toBe(400);
    expect((await tenant.client.listLatestExecutions({ query: { testIds: "x" } })).status).toBe(400);
    const many = Array.from({ length: 201 }, () => uuidv7()).join(",");
    expect((await tenant.client.summarizeApis({ query: { apiIds: many } })).status).toBe(400);
    expect((await tenant.client.getExecution({ params: { executionId: uuidv7() } })).status).toBe(404);
    for (const call of ["getExecution", "watchExecution", "cancelExecution"] as const) {
      const result = await other.client[call]({ params });
      expect(result.status, call).toBe(404);
      expect((await world.connect()[call]({ params })).status, call).toBe(401);
    }
    const ofTest = { params: { testId } };
    const ofApi = { params: { apiId: tenant.apiId } };
    for (const refused of [
      await other.client.listExecutions({ ...ofTest, query: {} }),
      await other.client.deleteExecutionsOfTest(ofTest),
    ]) {
      expect(refused).toMatchObject({ status: 404, problem: { detail: "No such test." } });
    }
    for (const refused of [
      await other.client.listLatestOfApi({ ...ofApi, query: {} }),
      await other.client.watchApi(ofApi),
      await other.client.deleteExecutionsOfApi(ofApi),
    ]) {
      expect(refused).toMatchObject({ status: 404, problem: { detail: "No such API." } });
    }
    const latest = await other.client.listLatestExecutions({ query: { testIds: testId } });
    expect(latest.ok && latest.value.items).toEqual([]);
    const summary = await other.client.summarizeApis({ query: { apiIds: tenant.apiId } });
    expect(summary.ok && summary.value.items).toMatchObject([{ passed: 0, lastFinishedAt: null }]);
    expect((await tenant.client.getExecution({ params })).status).toBe(200);
    const reader = world.connect(
      world.identities.tokenFor({ organizationId: tenant.organizationId, scopes: ["tests:read"] }),
    );
    expect((await reader.getExecution({ params })).status).toBe(200);
    expect((await reader.cancelExecution({ params })).status).toBe(403);
    expect((await reader.deleteExecutionsOfTest({ params: { testId } })).status).toBe(403);
  });

  test(`${engine.name}: only an execution that has not started is cancelled, and then nothing is sent for it`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const held: (() => void)[] = [];
    const finish = () => {
      for (const release of held.splice(0)) release();
    };
    target.answer(async (_, response) => {
      await new Promise<void>((resolve) => {
        held.push(resolve);
      });
      response.end("{}");
    });
    const { id: testId } = await tenant.createTest();
    const others = await Promise.all(
      Array.from({ length: 60 }, (_, index) => tenant.createTest({ name: `o${index}` })),
    );
    const before = target.requests.length;
    const all = await tenant.client.runTestsOfApi({
      params: { apiId: tenant.apiId },
      query: {},
      body: { testIds: [...others.map(({ id }) => id), testId] },
    });
    const last = all.ok ? all.value.items.at(-1)! : undefined;
    const cancelled = await tenant.client.cancelExecution({ params: { executionId: last!.id } });
    // More than an organization may run at once were queued; the last of them is at most claimed, and then the
    // cancellation is too late.
    const wasQueued = cancelled.ok;
    if (wasQueued) expect(cancelled.value.state).toBe("cancelled");
    else expect(cancelled.status).toBe(409);
    target.answer(respondJson({}));
    const freeing = setInterval(() => finish(), 5);
    await expect
      .poll(async () => {
        finish();
        const summary = await tenant.client.summarizeApis({ query: { apiIds: tenant.apiId } });
        return summary.ok && summary.value.items[0]!.unfinished;
      })
      .toBe(0);
    clearInterval(freeing);
    const end = await tenant.client.getExecution({ params: { executionId: last!.id } });
    expect(end.ok && end.value.state).toBe(wasQueued ? "cancelled" : "finished");
    expect(target.requests.length - before).toBeLessThanOrEqual(wasQueued ? 60 : 61);
    const again = await tenant.client.cancelExecution({ params: { executionId: last!.id } });
    expect(again.status).toBe(wasQueued ? 200 : 409);
  });

  test(`${engine.name}: deleting leaves no row of the test or the API`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    target.answer(respondJson({}));
    const first = await tenant.createTest();
    const second = await tenant.createTest({ name: "b" });
    const stored = await tenant.run(first.id);
    await tenant.run(second.id);
    const db = world.database.inSchema<ExecutionTables>("test_executioner");
    const count = async (name: keyof ExecutionTables) => {
      const own = db.selectFrom(name).where("organization_id", "=", tenant.organizationId);
      const { count } = await own.select((row) => row.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
      return count;
    };
    expect((await tenant.client.deleteExecutionsOfTest({ params: { testId: second.id } })).status).toBe(204);
    expect((await tenant.client.getExecution({ params: { executionId: stored.id } })).status).toBe(200);
    expect(await count("executions")).toBe(1);
    expect((await tenant.client.deleteExecutionsOfApi({ params: { apiId: tenant.apiId } })).status).toBe(204);
    for (const name of ["executions", "execution_details", "latest_executions", "test_snapshots", "runs"] as const) {
      expect(await count(name), name).toBe(0);
    }
  });

  test(`${engine.name}: an execution is watched from queued to finished, then the stream ends`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    let finish: () => void = () => {};
    target.answer(async (_, response) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      response.end("{}");
    });
    const before = target.requests.length;
    const { id } = await tenant.createTest();
    const started = await tenant.client.runTest({ params: { testId: id }, query: {}, body: {} });
    const executionId = started.ok ? started.value.id : "";
    const watching = await tenant.client.watchExecution({ params: { executionId } });
    if (!watching.ok) throw new Error(watching.problem.detail);
    expect(watching.response.headers.get("content-type")).toBe("text/event-stream");
    await expect.poll(() => target.requests.length).toBe(before + 1);
    setTimeout(() => finish(), 300);
    const text = await watching.response.text();
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, value]) => JSON.parse(value!) as { state: string });
    expect(events.at(0)!.state).not.toBe("finished");
    expect(events.at(-1)).toMatchObject({ id: executionId, state: "finished", verdict: "passed" });
  });

  test(`${engine.name}: an API's watcher receives every test once, the totals, and the end`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    target.answer(respondJson({}));
    await Promise.all(Array.from({ length: 40 }, (_, index) => tenant.createTest({ name: `w${index}` })));
    await tenant.client.runTestsOfApi({ params: { apiId: tenant.apiId }, query: {}, body: {} });
    const watching = await tenant.client.watchApi({ params: { apiId: tenant.apiId } });
    if (!watching.ok) throw new Error(watching.problem.detail);
    const text = await watching.response.text();
    const finished = new Set<string>();
    for (const [, value] of text.matchAll(/^event: latest\ndata: (.*)$/gm)) {
      const { items } = JSON.parse(value!) as { items: { testId: string; state: string }[] };
      for (const item of items) if (item.state === "finished") finished.add(item.testId);
    }
    expect(finished.size).toBe(40);
    const summaries = [...text.matchAll(/^event: summary\ndata: (.*)$/gm)];
    expect(JSON.parse(summaries.at(-1)![1]!)).toMatchObject({ passed: 40, unfinished: 0 });
  });

  test(`${engine.name}: a watcher that disconnects ends its stream`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    target.answer(async (_, response) => {
      await finished;
      response.end("{}");
    });
    const { id } = await tenant.createTest();
    const started = await tenant.client.runTest({ params: { testId: id }, query: {}, body: {} });
    const leaving = new AbortController();
    const watching = await tenant.client.watchApi({ params: { apiId: tenant.apiId }, signal: leaving.signal });
    if (!watching.ok) throw new Error(watching.problem.detail);
    const reading = watching.response.text();
    leaving.abort();
    await reading.catch(() => {});
    // The stream has ended, and not because there was nothing more to send.
    const executionId = started.ok ? started.value.id : "";
    const execution = await tenant.client.getExecution({ params: { executionId } });
    expect(execution.ok && execution.value.state).not.toBe("finished");
    expect(execution.ok).toBe(true);
    finish();
    target.answer(respondJson({}));
  });
}
