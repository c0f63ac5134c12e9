import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { findPlan, planTable } from "../../kit/plan/plan-table.ts";
import { bothEngines } from "../../kit/testing/databases.ts";
import { noLimits, planWith } from "../../kit/testing/plans.ts";
import { createPlans } from "../store/plan-quota.ts";
import { schemaName, table } from "../store/tables.ts";
import { respondJson, startTarget, type Target } from "../testing/target.ts";
import { toTheEnd } from "../testing/to-the-end.ts";
import { createExecutionWorld } from "../testing/world.ts";

for (const engine of bothEngines()) {
  let database: Database;
  let target: Target;
  let world: Awaited<ReturnType<typeof createExecutionWorld>>;
  beforeAll(async () => {
    database = await engine.open();
    target = await startTarget(respondJson({}));
    world = await createExecutionWorld(database);
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
    await target.close();
  });

  async function getMonth(organizationId: string) {
    return (await findPlan(database.kysely, schemaName, organizationId))?.month;
  }

  async function open(executionsPerMonth: number) {
    world.choosePlan(noLimits);
    const tenant = await world.createTenant(target.baseUrl);
    const made = await tenant.createTest();
    world.choosePlan(planWith({ executionsPerMonth }));
    const used = async () => (await findPlan(database.kysely, schemaName, tenant.organizationId))?.used;
    const requested = { params: { testId: made.id } };
    const start = () => tenant.client.runTest(requested);
    const startAndWait = () => toTheEnd(tenant.client).runTest(requested);
    return { ...tenant, made, used, start, startAndWait };
  }

  test(`${engine.name}: T05: of fifty runs started at once with one execution left, one starts`, async () => {
    const { start, startAndWait, used } = await open(2);
    expect((await startAndWait()).ok).toBe(true);
    const results = await Promise.all(Array.from({ length: 50 }, () => start()));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toMatchObject({
      status: 402,
      problem: { code: "plan_limit_reached", limit: 2, used: 2 },
    });
    await world.settle();
    expect(await used()).toBe(2);
  });

  test(`${engine.name}: a run that does not fit is refused entirely, with the numbers`, async () => {
    const { client, startAndWait, used, apiId, createTest } = await open(3);
    expect((await startAndWait()).ok).toBe(true);
    for (let number = 0; number < 2; number += 1) await createTest();
    const result = await client.startRun({ query: {}, body: { source: { apiId, include: "all" } } });
    expect(result).toMatchObject({ status: 402, problem: { limit: 3, used: 1 } });
    expect(!result.ok && result.problem.detail).toContain(
      "The Free plan runs 3 executions a month. 1 are used, and this run has 3: the 2 that are left do not suffice.",
    );
    expect(await used()).toBe(1);
    expect((await startAndWait()).ok).toBe(true);
  });

  test(`${engine.name}: failures that a user repeats are not counted, nor executions with internal errors or that never ran`, async () => {
    const { user, used, createTest } = await open(5);
    const broken = await createTest({
      assertions: [{ source: "statusCode", comparison: "equals", target: 500 }],
    });
    const run = () => toTheEnd(user).runTest({ params: { testId: broken.id }, body: {} });
    for (let number = 0; number < 8; number += 1) expect(await run()).toMatchObject({ value: { verdict: "failed" } });
    expect(await used()).toBe(1);
  });

  test(`${engine.name}: a failed test, or each of its rows, is repeated free of charge ten times a day, even in parallel`, async () => {
    const { user, used, createTest, organizationId } = await open(100);
    const assertions = [{ source: "statusCode" as const, comparison: "equals" as const, target: 500 }];
    const one = await createTest({ assertions });
    const rows = await createTest({ assertions, data: [{ n: "1" }, { n: "2" }] });
    const source = { tests: [one.id, rows.id] };
    const run = () => toTheEnd(user).startRun({ body: { source } });
    await run();
    expect(await used()).toBe(3);
    await Promise.all(Array.from({ length: 12 }, run));
    expect(await used()).toBe(3 + 2 * 3);
    await sql`update ${table("last_verdicts")} set free_day = free_day - 1 where organization_id = ${organizationId}`.execute(
      database.kysely,
    );
    await run();
    expect(await used()).toBe(3 + 2 * 3);
  });

  test(`${engine.name}: what a program starts counts, even if the program says that it is manual`, async () => {
    const { client, used, createTest, apiId } = await open(100);
    const broken = await createTest({
      assertions: [{ source: "statusCode", comparison: "equals", target: 500 }],
    });
    const trigger = "manual" as const;
    const params = { testId: broken.id };
    for (let number = 0; number < 2; number += 1) await toTheEnd(client).runTest({ params, body: { trigger } });
    await toTheEnd(client).startRun({ body: { source: { tests: [broken.id] }, trigger } });
    await toTheEnd(client).runTestsOfApi({ params: { apiId }, body: { testIds: [broken.id], trigger } });
    expect(await used()).toBe(4);
  });

  test(`${engine.name}: executions cancelled before they start free their quota`, async () => {
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

  test(`${engine.name}: counting restarts with each month, in UTC`, async () => {
    const { start, startAndWait, used, organizationId } = await open(1);
    expect((await startAndWait()).ok).toBe(true);
    expect((await start()).ok).toBe(false);
    const month = await getMonth(organizationId);
    expect(month).toBe(new Date().toISOString().slice(0, 7));
    await world.settle();
    // The counted executions were counted in an earlier month.
    await sql`update ${planTable(schemaName)} set month = '2020-12' where organization_id = ${organizationId}`.execute(
      database.kysely,
    );
    expect((await startAndWait()).ok).toBe(true);
    expect([await used(), await getMonth(organizationId)]).toEqual([1, month]);
    expect((await start()).ok).toBe(false);
  });

  test(`${engine.name}: a recount, as in the migration, equals the sum counted run by run`, async () => {
    const { client, user, used, createTest, startAndWait, organizationId } = await open(50);
    const broken = await createTest({ assertions: [{ source: "statusCode", comparison: "equals", target: 500 }] });
    for (let number = 0; number < 3; number += 1) await startAndWait();
    for (const starter of [user, user, client])
      await toTheEnd(starter).runTest({ params: { testId: broken.id }, body: { trigger: "ci" } });
    await world.settle();
    const counted = [await used(), await getMonth(organizationId)];
    expect(counted[0]).toBe(5);
    await sql`drop table ${planTable(schemaName)}`.execute(database.kysely);
    await sql`alter table ${table("unfinished_executions")} drop column reserves`.execute(database.kysely);
    await createPlans(database.kysely);
    const { rows } = await sql<{ used: number; month: string }>`
      select used, month from ${planTable(schemaName)} where organization_id = ${organizationId}`.execute(
      database.kysely,
    );
    expect(rows.map(({ used, month }) => [Number(used), month])).toEqual([counted]);
  });
}
