import { afterAll, afterEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createRunWorld } from "../testing/run-world.ts";
import { respondJson } from "../testing/target.ts";

interface Page {
  items: unknown[];
  nextCursor: string | null;
}

/** All items of a list, read by pages of two. */
async function readAll<One>(open: (page: { limit: number; cursor?: string }) => Promise<Page>): Promise<One[]> {
  const items: One[] = [];
  let cursor: string | undefined;
  do {
    const page = await open({ limit: 2, cursor });
    items.push(...(page.items as One[]));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return items;
}

const sorts = ["-started", "started", "verdict", "-verdict"] as const;
const statuses = [200, 500, 200, 500, 200];
/** By position in `statuses`. */
const expected = {
  "-started": [4, 3, 2, 1, 0],
  started: [0, 1, 2, 3, 4],
  verdict: [3, 1, 4, 2, 0],
  "-verdict": [4, 2, 0, 3, 1],
};

for (const engine of testEngines()) {
  const { world, target, start, close } = await createRunWorld(await engine.open());
  afterEach(() => world.settle());
  afterAll(close);

  test(`${engine.name}: runs and executions are sorted by start and by verdict, page by page`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { client, apiId } = tenant;
    const { id: testId } = await tenant.createTest();
    const ids: string[] = [];
    for (const status of statuses) {
      target.answer(respondJson({}, status));
      ids.push((await start(tenant, { source: { tests: [testId] } })).id);
    }
    for (const sort of sorts) {
      const runs = await readAll<{ id: string }>(async (page) =>
        requireValue(await client.listRuns({ query: { apiId, sort, ...page } }), "runs"),
      );
      expect(runs.map(({ id }) => ids.indexOf(id))).toEqual(expected[sort]);
      const executions = await readAll<{ runId: string }>(async (page) =>
        requireValue(await client.listExecutions({ params: { testId }, query: { sort, ...page } }), "executions"),
      );
      expect(executions.map(({ runId }) => ids.indexOf(runId))).toEqual(expected[sort]);
    }
    const forged = { sort: "verdict" as const, cursor: "WyJhIl0" };
    expect((await client.listRuns({ query: { apiId, ...forged } })).status).toBe(400);
    expect((await client.listExecutions({ params: { testId }, query: forged })).status).toBe(400);
  });

  test(`${engine.name}: the last whole run of each circle is listed by time and by verdict, page by page`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { client, apiId } = tenant;
    const { id: testId } = await tenant.createTest();
    const circles: string[] = [];
    for (const status of statuses) {
      const { id } = await tenant.createCircle({ members: [{ testId }] });
      circles.push(id);
      target.answer(respondJson({}, 700 - status));
      await start(tenant, { source: { testCircleId: id } });
      target.answer(respondJson({}, status));
      await start(tenant, { source: { testCircleId: id } });
    }
    await tenant.createCircle({ members: [{ testId }] });
    const list = async (query: object) =>
      await readAll<{ testCircleId: string }>(async (page) =>
        requireValue(await client.listLatestCircleRuns({ query: { ...query, ...page } }), "circles"),
      );
    const inOrder = async (query: object) =>
      (await list(query)).map(({ testCircleId }) => circles.indexOf(testCircleId));
    expect(await inOrder({})).toEqual(expected["-started"]);
    expect(await inOrder({ sort: "lastRun", apiId })).toEqual(expected.started);
    expect(await inOrder({ sort: "verdict" })).toEqual(expected.verdict);
    expect(await inOrder({ sort: "-verdict" })).toEqual(expected["-verdict"]);
    const forged = await client.listLatestCircleRuns({ query: { sort: "verdict", cursor: "WyJhIl0" } });
    expect(forged.status).toBe(400);
  });
}
