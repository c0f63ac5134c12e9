import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { movableClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { movableSettings } from "../../kit/testing/settings.ts";
import { findDetails, parseVerifications } from "../store/details.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { respondJson, startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

const day = 86_400_000;
const items = { items: Array.from({ length: 20 }, (_, id) => ({ id, name: "A mug of stoneware" })), total: 20 };

for (const engine of testEngines()) {
  let database: Database;
  let world: ExecutionWorld;
  let target: Target;
  const settings = movableSettings();
  const clock = movableClock(new Date());
  beforeAll(async () => {
    database = await engine.open();
    target = await startTarget(respondJson(items));
    world = await createExecutionWorld(database, { settings, clock });
  });
  afterAll(async () => {
    await world.stop();
    await target.close();
    await database.close();
  });

  const db = () => database.inSchema<ExecutionTables>(schemaName);

  async function createTest() {
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest({
      assertions: [
        { source: "jsonPath", property: "$.total", comparison: "equals", target: 20 },
        { source: "responseTime", comparison: "lessThan", target: 60_000 },
      ],
    });
    return {
      ...tenant,
      testId: id,
      run: () => tenant.run(id),
      /** Of the test's executions, the oldest first: how each is stored. */
      async listStored() {
        const rows = await db()
          .selectFrom("execution_details")
          .select(["execution_id", "base_id", "attempts"])
          .where("organization_id", "=", tenant.organizationId)
          .orderBy("execution_id")
          .execute();
        return rows.map(({ base_id, attempts }) => ({
          base: base_id === null ? null : rows.findIndex(({ execution_id }) => execution_id === base_id),
          hasBody: attempts.includes("stoneware"),
        }));
      },
    };
  }
  const whole = { base: null, hasBody: true };
  const passed = { verdict: "passed" };

  test(`${engine.name}: of a test that passes with the same response again, only what differs is stored, and all is read`, async () => {
    const { run, organizationId, listStored } = await createTest();
    const first = await run();
    clock.advance(60_000);
    const second = await run();
    expect(await listStored()).toEqual([whole, { base: 0, hasBody: false }]);
    expect(first.sameResponseAs).toBeUndefined();
    expect(second.sameResponseAs).toEqual({ id: first.id, finishedAt: first.finishedAt });
    const [own] = second.attempts;
    expect(JSON.parse(own!.response!.body!)).toEqual(items);
    expect(own!.startedAt > first.attempts[0]!.startedAt).toBe(true);
    expect(own!.durationMilliseconds).not.toBe(first.attempts[0]!.durationMilliseconds);
    const judged = parseVerifications((await findDetails(db(), organizationId, second.id))!);
    expect(judged.find(({ source }) => source === "responseTime")!.actual).toBeCloseTo(own!.phases!.total, 0);
  });

  test(`${engine.name}: a changed response, the first one after it, and every failure are stored completely`, async () => {
    const { run, listStored } = await createTest();
    await run();
    target.answer(respondJson({ ...items, added: true }));
    await expect(run()).resolves.toMatchObject(passed);
    target.answer(respondJson({ ...items, total: 21 }));
    await expect(run()).resolves.toMatchObject({ verdict: "failed" });
    await expect(run()).resolves.toMatchObject({ verdict: "failed" });
    target.answer(respondJson(items));
    await expect(run()).resolves.toMatchObject(passed);
    await expect(run()).resolves.toMatchObject(passed);
    expect(await listStored()).toEqual([whole, whole, whole, whole, whole, { base: 4, hasBody: false }]);
  });

  test(`${engine.name}: one in as many as the operator says, and one a day, is stored though nothing has changed`, async () => {
    const { run, listStored } = await createTest();
    settings.set({ passedBodiesEvery: 3 });
    for (let times = 0; times < 4; times += 1) await run();
    const follower = (base: number) => ({ base, hasBody: false });
    expect(await listStored()).toEqual([whole, follower(0), follower(0), whole]);
    clock.advance(day + 1);
    await run();
    settings.set({ passedBodiesEvery: 1 });
    await run();
    expect((await listStored()).slice(4)).toEqual([whole, whole]);
    settings.set({ passedBodiesEvery: 20 });
  });

  test(`${engine.name}: reports, comparisons and what a test would notice have the response that is stored elsewhere`, async () => {
    const { run, client, testId, listStored } = await createTest();
    await run();
    const { runId } = await run();
    expect((await listStored())[1]).toMatchObject({ base: 0 });
    const har = await client.reportRun({ params: { runId }, headers: { accept: "application/har+json" } });
    expect(await (har as { response: Response }).response.text()).toContain("stoneware");
    expect(requireValue(await client.getTestNotices({ params: { testId } }), "notices").state).toBe("found");
    target.answer(respondJson({ ...items, total: 22 }));
    const failed = await run();
    target.answer(respondJson(items));
    const since = requireValue(await client.compareExecution({ params: { executionId: failed.id } }), "comparison");
    expect(JSON.stringify(since)).toContain("22");
  });

  test(`${engine.name}: an execution whose stored response was deleted has none, and is still there`, async () => {
    const { run, client } = await createTest();
    const { id } = await run();
    const second = await run();
    await db().deleteFrom("execution_details").where("execution_id", "=", id).execute();
    const read = requireValue(await client.getExecution({ params: { executionId: second.id } }), "execution");
    expect(read).toMatchObject({ ...passed, attempts: [] });
    expect(read.sameResponseAs).toBeUndefined();
  });
}
