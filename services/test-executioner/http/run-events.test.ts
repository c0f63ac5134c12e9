import { afterAll, expect, test, vi } from "vitest";
import type { RunMember, RunSummary } from "#contracts/test-executioner/runs.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createRunWorld } from "../testing/run-world.ts";
import { respondJson } from "../testing/target.ts";
import { createExecutionWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  const { world, target, begin, start, close } = await createRunWorld(await engine.open());
  afterAll(close);

  async function readEvents(response: Response) {
    const text = await response.text();
    return [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, event, data]) => ({
      event,
      value: JSON.parse(data!) as RunSummary & { items?: RunMember[] },
    }));
  }

  test(`${engine.name}: a run is watched to its end, and each change is sent once`, async () => {
    const held = target.hold();
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest({ data: Array.from({ length: 30 }, (_, n) => ({ n: String(n) })) });
    const { id: runId } = await begin(tenant, { source: { tests: [id] } });
    await expect.poll(() => held.waiting.length).toBe(30);
    const watching = await tenant.client.watchRun({ params: { runId }, query: {} });
    if (!watching.ok) throw new Error(watching.problem.detail);
    expect(watching.response.headers.get("content-type")).toBe("text/event-stream");
    const reading = readEvents(watching.response);
    held.letGo();
    const events = await reading;
    expect(events[0]).toMatchObject({ event: "run", value: { id: runId, state: "running" } });
    expect(events.at(-1)).toMatchObject({ event: "run", value: { state: "finished", verdict: "passed" } });
    const received = events.flatMap(({ value }) => value.items ?? []);
    const ends = received.filter(({ state }) => state === "finished").map(({ position }) => position);
    expect(ends.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    const texts = received.map((member) => JSON.stringify(member));
    expect(new Set(texts).size).toBe(texts.length);
  });

  test(`${engine.name}: a watcher of a part of a run receives that part, and the first failures at any position`, async () => {
    const held = target.hold();
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest({
      request: { query: [{ name: "n", value: "{{n}}", enabled: true }] } as never,
      data: Array.from({ length: 12 }, (_, n) => ({ n: String(n + 1) })),
    });
    const { id: runId } = await begin(tenant, { source: { tests: [id] }, order: "sequential" });
    await vi.waitUntil(() => held.waiting.length > 0, { timeout: 300_000 });
    const watching = await tenant.client.watchRun({ params: { runId }, query: { from: 2, to: 3 } });
    if (!watching.ok) throw new Error(watching.problem.detail);
    const reading = readEvents(watching.response);
    held.letGo();
    target.answer(({ url }, response) => void response.writeHead(/n=(4|5)$/.test(url!) ? 200 : 500).end("{}"));
    const received = (await reading).flatMap(({ value }) => value.items ?? []);
    const ended = received.filter(({ state }) => state === "finished").map(({ position }) => position);
    expect(ended).toEqual([2, 3, 6, 7, 8]);
    expect([...new Set(received.map(({ position }) => position))]).toEqual([2, 3, 6, 7, 8]);
  });

  test(`${engine.name}: a run executed by another process can be watched and waited for as well`, async () => {
    target.answer(respondJson({}));
    const portal = await createExecutionWorld(world.database, { work: false });
    const tenant = await portal.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    const waited = await start(tenant, { source: { tests: [id] } });
    expect(waited).toMatchObject({ state: "finished", verdict: "passed" });
    const { id: runId } = await begin(tenant, { source: { tests: [id] } });
    const watching = await tenant.client.watchRun({ params: { runId }, query: {} });
    if (!watching.ok) throw new Error(watching.problem.detail);
    const events = await readEvents(watching.response);
    expect(events.at(-1)).toMatchObject({ event: "run", value: { state: "finished" } });
    await portal.stop();
  });

  test(`${engine.name}: a watcher receives nothing more once the session or the token has ended`, async () => {
    const held = target.hold();
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    const { id: runId } = await begin(tenant, { source: { tests: [id] } });
    const { organizationId } = tenant;
    const leaving = world.identities.tokenFor({ organizationId });
    const streams = await Promise.all([
      world.connect(leaving).watchRun({ params: { runId }, query: {} }),
      world.connect(leaving).watchApi({ params: { apiId: tenant.apiId } }),
      tenant.client.watchRun({ params: { runId }, query: {} }),
    ]);
    const [run, api, staying] = streams.map((result) => {
      if (!result.ok) throw new Error(result.problem.detail);
      return readEvents(result.response);
    });
    await expect.poll(() => held.waiting.length).toBe(1);
    world.identities.outdate(leaving.token);
    expect((await run)!.at(-1)?.value.state).not.toBe("finished");
    await api;
    held.letGo();
    expect((await staying)!.at(-1)).toMatchObject({ event: "run", value: { state: "finished" } });
  });
}
