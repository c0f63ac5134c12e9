import { afterAll, beforeAll, expect, test } from "vitest";
import { requireAnswer } from "../../kit/client/client.ts";
import type { Event } from "../../kit/contract/event.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { startTarget } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;
  let world: ExecutionWorld;
  let target: Awaited<ReturnType<typeof startTarget>>;
  const counted = new Map<string, number>();
  beforeAll(async () => {
    database = await engine.open();
    target = await startTarget(async (_request, response) => void response.end("ok"));
    const receive = async ({ organizationId, payload }: Event) => {
      const { executions } = payload as { executions: number };
      counted.set(organizationId, (counted.get(organizationId) ?? 0) + executions);
      return { ok: true, status: 204, value: undefined, response: new Response(null) } as const;
    };
    const types = ["executions.counted"];
    world = await createExecutionWorld(database, { consumers: [{ name: "counter", types, receive }] });
  });
  afterAll(async () => {
    await world.stop();
    await target.close();
    await database.close();
  });

  test(`${engine.name}: executions are told as they count: failed tests run again by hand are not among them`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const passing = await tenant.createTest();
    const failing = await tenant.createTest({
      assertions: [{ source: "statusCode", comparison: "equals", target: 201 }],
      retry: { attempts: 3, backoff: "fixed", delayMilliseconds: 0 },
    });
    const start = async (testId: string, trigger: "manual" | "ci") =>
      requireAnswer(
        await tenant.client.startRun({ query: { wait: 30 }, body: { source: { tests: [testId] }, trigger } }),
        "run",
      );
    await start(passing.id, "manual");
    await start(passing.id, "manual");
    await start(failing.id, "manual");
    await start(failing.id, "manual");
    await start(failing.id, "ci");
    const waiting = () =>
      database.inSchema<ExecutionTables>(schemaName).selectFrom("event_deliveries").select("sequence").execute();
    while ((await waiting()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(counted.get(tenant.organizationId)).toBe(4);
  });
}
