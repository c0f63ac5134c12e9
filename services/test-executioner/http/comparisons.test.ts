import { afterAll, afterEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createRunWorld, type Tenant } from "../testing/run-world.ts";
import { respondJson } from "../testing/target.ts";

for (const engine of testEngines()) {
  const { world, target, begin, start, levelTimes, close } = await createRunWorld(await engine.open());
  afterEach(() => world.settle());
  afterAll(close);

  const compare = async (tenant: Tenant, runId: string, query: object = {}) => {
    await levelTimes();
    return requireValue(await tenant.client.compareRun({ params: { runId }, query }), "compare");
  };
  let results = 0;
  /** Every response has a unique number, like ids and times. */
  const result = (price: number, status = 200) =>
    target.answer((_, response) => {
      results += 1;
      response.writeHead(status).end(JSON.stringify({ at: results, price }));
    });

  test(`${engine.name}: a circle's run is compared with the previous one; members that always differ are masked once known`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id: testId } = await tenant.createTest({ name: "price" });
    const { id: testCircleId } = await tenant.createCircle({ members: [{ testId }, { testId }] });
    const run = async () => (await start(tenant, { source: { testCircleId } })).id;
    result(1);
    const ids = [await run()];
    expect(await compare(tenant, ids[0]!)).toEqual({ before: null, items: [], nextCursor: null });
    ids.push(await run());
    const second = await compare(tenant, ids[1]!);
    expect(second).toMatchObject({
      before: { runId: ids[0], verdict: "passed" },
      counts: { verdict: 0, statusCode: 0, added: 0, gone: 0 },
      items: [
        { position: 1, before: { position: 1 } },
        { position: 2, before: { position: 2 } },
      ],
    });
    expect(second.items[0]).toMatchObject({
      changes: ["body"],
      body: { differences: [{ pointer: "/at" }], masked: [] },
    });
    ids.push(await run());
    expect((await compare(tenant, ids[2]!)).items[1]).toMatchObject({
      changes: [],
      body: { differences: [], differenceCount: 0, masked: ["/at"] },
    });
    result(2, 500);
    ids.push(await run());
    const last = await compare(tenant, ids[3]!, { limit: 1 });
    expect(last).toMatchObject({ before: { runId: ids[2] }, counts: { verdict: 2, statusCode: 2 } });
    expect(last.items).toMatchObject([
      {
        ...{ testName: "price", verdict: "failed", statusCode: 500, before: { verdict: "passed", statusCode: 200 } },
        changes: ["verdict", "statusCode", "body"],
        body: { differences: [{ pointer: "/price", before: "1", after: "2" }], masked: ["/at"] },
      },
    ]);
    const rest = await compare(tenant, ids[3]!, { limit: 1, cursor: last.nextCursor });
    expect(rest).toMatchObject({ items: [{ position: 2 }], nextCursor: null });
    expect(rest.counts).toBeUndefined();

    expect(last.items[0]!.body!.hidden).toMatchObject([{ pointer: "/at" }]);
    const chosen = await compare(tenant, ids[3]!, { before: ids[0], limit: 1 });
    expect(chosen).toMatchObject({ before: { runId: ids[0] }, items: [{ before: { verdict: "passed" } }] });
    expect((await compare(tenant, ids[2]!, { only: "changed" })).items).toEqual([]);
    expect(await compare(tenant, ids[3]!, { only: "changed", limit: 1 })).toMatchObject({
      items: [{ position: 1 }],
      nextCursor: last.nextCursor,
    });

    const again = await start(tenant, { source: { runId: ids[3]!, only: "failed" } });
    expect(await compare(tenant, again.id)).toMatchObject({
      before: { runId: ids[3] },
      items: [{ changes: [], body: { masked: ["/at"] } }, { changes: [] }],
    });
  });

  test(`${engine.name}: added and removed members are counted, and a run of another source is not compared`, async () => {
    result(1);
    const tenant = await world.createTenant(target.baseUrl);
    const [a, b] = [await tenant.createTest({ name: "a" }), await tenant.createTest({ name: "b", tags: ["x"] })];
    const selection = { kind: "selection" as const, apiId: tenant.apiId, tag: "x" };
    const { id: testCircleId } = await tenant.createCircle({ members: [selection] });
    await start(tenant, { source: { testCircleId } });
    const registry = world.testRegistry({ token: tenant.token });
    for (const [test, tags] of [
      [a, ["x"]],
      [b, []],
    ] as const) {
      requireValue(
        await registry.changeTest({ params: { testId: test.id }, body: { ...test, tags: [...tags] } }),
        "change",
      );
    }
    await start(tenant, { source: { tests: [a.id] } });
    const run = await start(tenant, { source: { testCircleId } });
    expect(await compare(tenant, run.id)).toMatchObject({
      counts: { verdict: 0, added: 1, gone: 1 },
      items: [{ testName: "a", before: null, changes: [], body: null }],
      gone: [{ testName: "b", verdict: "passed", position: 1 }],
    });
    expect((await compare(tenant, run.id, { only: "changed" })).items).toMatchObject([{ testName: "a" }]);
    const several = await start(tenant, { source: { tests: [a.id, b.id] } });
    expect((await compare(tenant, several.id)).before).toBeNull();
    const stranger = await world.createTenant(target.baseUrl);
    expect((await stranger.client.compareRun({ params: { runId: run.id }, query: {} })).status).toBe(404);
    const { id: own } = await stranger.createTest();
    const theirs = await start(stranger, { source: { tests: [own] } });
    const over = { params: { runId: theirs.id }, query: { before: run.id } };
    expect((await stranger.client.compareRun(over)).status).toBe(404);
    const held = target.hold();
    const goingOn = await begin(stranger, { source: { tests: [own] } });
    const unfinished = { params: { runId: theirs.id }, query: { before: goingOn.id } };
    expect((await stranger.client.compareRun(unfinished)).status).toBe(409);
    await expect.poll(() => held.waiting.length).toBe(1);
    held.letGo();
  });

  test(`${engine.name}: runs of a test and of an API are compared, too; a body that is too long is not`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id: testId } = await tenant.createTest();
    target.answer(respondJson({ v: 1 }));
    await start(tenant, { source: { tests: [testId] } });
    await start(tenant, { source: { apiId: tenant.apiId } });
    target.answer(respondJson({ v: 2 }));
    const ofTest = await start(tenant, { source: { tests: [testId] } });
    const ofApi = await start(tenant, { source: { apiId: tenant.apiId } });
    for (const { id } of [ofTest, ofApi]) {
      expect((await compare(tenant, id)).items).toMatchObject([{ body: { differences: [{ pointer: "/v" }] } }]);
    }
    target.answer(respondJson({ v: "x".repeat(700_000) }));
    const long = await start(tenant, { source: { tests: [testId] } });
    expect((await compare(tenant, long.id)).items).toMatchObject([{ changes: [], body: null }]);
  });
}
