import { afterAll, beforeAll, expect, test } from "vitest";
import type { Event } from "#contracts/kit/event.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { noLimits, planWith } from "../../kit/testing/plans.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { connectAsScheduler, createCircle, listOccurrences, occurring } from "../testing/occurring.ts";
import { startTarget } from "../testing/target.ts";
import { toTheEnd } from "../testing/to-the-end.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;
  let world: ExecutionWorld;
  let target: Awaited<ReturnType<typeof startTarget>>;
  const counted = new Map<string, number>();
  const finished: { runId: string; state: string; verdict: string | null }[] = [];
  const skipped: { organizationId: string; month: string }[] = [];
  beforeAll(async () => {
    database = await engine.open();
    target = await startTarget(async (_request, response) => void response.end("ok"));
    const receive = async ({ type, organizationId, payload }: Event) => {
      const accepted = { ok: true, status: 204, value: undefined, response: new Response(null) } as const;
      if (type === "runs.skipped") {
        skipped.push({ organizationId, ...(payload as { month: string }) });
        return accepted;
      }
      if (type === "run.finished") {
        finished.push(payload as (typeof finished)[number]);
        return accepted;
      }
      const { executions } = payload as { executions: number };
      counted.set(organizationId, (counted.get(organizationId) ?? 0) + executions);
      return accepted;
    };
    const types = ["executions.counted", "run.finished", "runs.skipped"];
    world = await createExecutionWorld(database, {
      consumers: [{ name: "counter", types, deadlineMilliseconds: 10_000, receive }],
    });
  });
  afterAll(async () => {
    await world.stop();
    await target.close();
    await database.close();
  });

  async function untilDelivered() {
    const db = database.inSchema<ExecutionTables>(schemaName);
    const waiting = async () => (await db.selectFrom("event_deliveries").select("sequence").execute()).length;
    await expect.poll(waiting).toBe(0);
  }

  test(`${engine.name}: the end of a run is reported once: after its last result, when cancelled, when its test is deleted`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id, version } = await tenant.createTest({
      data: Array.from({ length: 120 }, (_, n) => ({ n: String(n) })),
    });
    const body = { source: { tests: [id] } };
    const passed = requireValue(await toTheEnd(tenant.client).startRun({ body }), "run");
    const held = target.hold();
    const start = async () => requireValue(await tenant.client.startRun({ body }), "run");
    const [cancelled, deleted] = [await start(), await start()];
    await expect.poll(() => held.waiting.length).toBe(48);
    requireValue(await tenant.client.cancelRun({ params: { runId: cancelled.id } }), "cancel");
    const params = { testId: id };
    const registry = world.testRegistry({ token: tenant.token });
    requireValue(await registry.deleteTest({ params, headers: { "if-match": `"${version}"` } }), "delete");
    held.letGo();
    const listReported = ({ id: runId }: { id: string }) => finished.filter((run) => run.runId === runId);
    await expect.poll(() => listReported(deleted).length).toBe(1);
    await untilDelivered();
    expect(listReported(passed)).toMatchObject([{ state: "finished", verdict: "passed", apiIds: [tenant.apiId] }]);
    expect(listReported(cancelled)).toMatchObject([{ state: "cancelled" }]);
    expect(listReported(deleted)).toHaveLength(1);
  });

  test(`${engine.name}: executions are reported as they count: manual repetitions of failed tests are not among them`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const passing = await tenant.createTest();
    const failing = await tenant.createTest({
      assertions: [{ source: "statusCode", comparison: "equals", target: 201 }],
      retry: { attempts: 3, backoff: "fixed", delayMilliseconds: 0 },
    });
    const start = async (testId: string, trigger: "manual" | "ci") => {
      const client = trigger === "manual" ? tenant.user : tenant.client;
      return requireValue(await toTheEnd(client).startRun({ body: { source: { tests: [testId] }, trigger } }), "run");
    };
    await start(passing.id, "manual");
    await start(passing.id, "manual");
    await start(failing.id, "manual");
    await start(failing.id, "manual");
    await start(failing.id, "ci");
    await untilDelivered();
    expect(counted.get(tenant.organizationId)).toBe(4);
  });

  test(`${engine.name}: a scheduled run without executions left in its plan is reported`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const circle = await createCircle(world, tenant);
    const scheduler = await connectAsScheduler(world);
    world.choosePlan(planWith({ executionsPerMonth: 1 }));
    for (const time of ["2026-06-01T07:00:00.000Z", "2026-06-01T08:00:00.000Z"]) {
      await scheduler.record(occurring(tenant, circle, time));
      await world.settle();
    }
    world.choosePlan(noLimits);
    await untilDelivered();
    expect((await listOccurrences(tenant)).map(({ state }) => state).sort()).toEqual(["skipped", "started"]);
    const month = new Date().toISOString().slice(0, 7);
    expect(skipped).toEqual([{ organizationId: tenant.organizationId, month }]);
  });
}
