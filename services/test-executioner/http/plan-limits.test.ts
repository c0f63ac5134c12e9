import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { findPlan } from "../../kit/plan/plan-table.ts";
import { bothEngines } from "../../kit/testing/databases.ts";
import { noLimits, planWith } from "../../kit/testing/plans.ts";
import { schemaName } from "../store/tables.ts";
import { answerJson, startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld } from "../testing/world.ts";

for (const engine of bothEngines()) {
  let database: Database;
  let target: Target;
  let world: Awaited<ReturnType<typeof createExecutionWorld>>;
  beforeAll(async () => {
    database = await engine.open();
    target = await startTarget(answerJson({}));
    world = await createExecutionWorld(database);
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
    await target.close();
  });

  async function open(executionsPerMonth: number) {
    world.choosePlan(noLimits);
    const tenant = await world.createTenant(target.baseUrl);
    const made = await tenant.createTest();
    world.choosePlan(planWith({ executionsPerMonth }));
    const used = async () => (await findPlan(database.kysely, schemaName, tenant.organizationId))?.used;
    const start = (wait = 0) => tenant.client.runTest({ params: { testId: made.id }, query: { wait }, body: {} });
    return { ...tenant, made, used, start };
  }

  test(`${engine.name}: T05: of fifty runs started at once with one execution left one starts`, async () => {
    const { start, used } = await open(2);
    expect((await start(20)).ok).toBe(true);
    const answers = await Promise.all(Array.from({ length: 50 }, () => start()));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({
      status: 402,
      problem: { code: "plan_limit_reached", limit: 2, used: 2 },
    });
    await world.settle();
    expect(await used()).toBe(2);
  });

  test(`${engine.name}: a run that does not fit is refused whole, with the numbers`, async () => {
    const { client, start, used, apiId, createTest } = await open(3);
    expect((await start(20)).ok).toBe(true);
    for (let number = 0; number < 2; number += 1) await createTest();
    const answer = await client.startRun({ query: {}, body: { source: { apiId, include: "all" } } });
    expect(answer).toMatchObject({ status: 402, problem: { limit: 3, used: 1 } });
    expect(!answer.ok && answer.problem.detail).toContain(
      "The Free plan runs 3 executions a month. 1 are used, and this run has 3: the 2 that are left do not suffice.",
    );
    expect(await used()).toBe(1);
    expect((await start(20)).ok).toBe(true);
  });

  test(`${engine.name}: what failed and is run again by hand is not counted, nor what errored by our fault or never ran`, async () => {
    const { client, used, createTest } = await open(5);
    const broken = await createTest({
      assertions: [{ source: "statusCode", comparison: "equals", target: 500 }],
    });
    const run = () =>
      client.runTest({ params: { testId: broken.id }, query: { wait: 20 }, body: { trigger: "manual" } });
    for (let number = 0; number < 8; number += 1) expect(await run()).toMatchObject({ value: { verdict: "failed" } });
    expect(await used()).toBe(1);
  });

  test(`${engine.name}: what is cancelled before it starts gives back its place`, async () => {
    const { client, used, createTest, apiId } = await open(10);
    for (let number = 0; number < 4; number += 1) await createTest();
    const source = { apiId, include: "all" as const };
    const started = await client.startRun({ query: {}, body: { source, order: "sequential" } });
    if (!started.ok) throw new Error(started.problem.detail);
    await client.cancelRun({ params: { runId: started.value.id } });
    await world.settle();
    const counts = await client.getRun({ params: { runId: started.value.id } });
    const cancelled = counts.ok ? counts.value.counts.cancelled : 0;
    expect(await used()).toBe(5 - cancelled);
  });
}
