import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { respondJson, startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;
  let target: Target;
  let letGo: () => void;
  beforeAll(async () => {
    database = await engine.open();
    target = await startTarget(respondJson({}));
  });
  afterAll(async () => {
    await database.close();
    await target.close();
  });
  beforeEach(() => {
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    target.requests.length = 0;
    // The first row gets a response at once, the others wait.
    target.answer(async (request, response) => {
      if (!request.url!.endsWith("n=0")) await gate;
      response.end("{}");
    });
  });

  const rows = (count: number) => ({
    request: { query: [{ name: "n", value: "{{n}}", enabled: true }] } as never,
    data: Array.from({ length: count }, (_, n) => ({ n: String(n) })),
  });
  const listUnfinished = () =>
    database
      .inSchema<ExecutionTables>(schemaName)
      .selectFrom("unfinished_executions")
      .select(["position", "state", "claims", "leased_until"])
      .orderBy("position")
      .execute();

  test(`${engine.name}: J09: a stopping worker returns unfinished executions, uncounted, and the next one ends them`, async () => {
    const world = await createExecutionWorld(database, { stopSeconds: 1 });
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest(rows(60));
    const run = requireValue(await tenant.client.startRun({ query: {}, body: { source: { tests: [id] } } }), "start");
    await expect.poll(() => target.requests.length).toBe(49);
    await world.stop();
    const left = await listUnfinished();
    expect(left.map(({ position }) => position)).toEqual(Array.from({ length: 59 }, (_, index) => index + 2));
    const handedBack = { state: "queued", claims: 0, leased_until: null };
    for (const row of left) expect(row).toMatchObject(handedBack);
    letGo();
    const next = await createExecutionWorld(database);
    const read = async () => {
      const { rows: found } = await sql<{ state: string; passed: number }>`
        select state, passed from test_executioner.runs where id = ${run.id}::uuid`.execute(database.kysely);
      return found[0];
    };
    await expect.poll(read).toEqual({ state: "finished", passed: 60 });
    await next.stop();
  });

  test(`${engine.name}: a sequential run continues in its slot, and gives it up once all slots are taken`, async () => {
    const world = await createExecutionWorld(database);
    const held = target.hold();
    const urls = () => target.requests.map(({ url }) => url);
    const inOrder = await world.createTenant(target.baseUrl);
    const tests = [];
    for (const path of ["/first", "/second", "/third"]) tests.push((await inOrder.createTest({ path })).id);
    const body = { source: { tests }, order: "sequential" as const };
    requireValue(await inOrder.client.startRun({ query: {}, body }), "start");
    await expect.poll(urls).toEqual(["/first"]);
    held.waiting.shift()!();
    await expect.poll(urls).toEqual(["/first", "/second"]);
    // More executions of its own organization are under way than of the last one, so its third has no turn.
    for (const [tenant, underWay] of [
      [inOrder, 48],
      [await world.createTenant(target.baseUrl), 96],
      [await world.createTenant(target.baseUrl), 128],
    ] as const) {
      const { id } = await tenant.createTest(rows(60));
      requireValue(await tenant.client.startRun({ query: {}, body: { source: { tests: [id] } } }), "start");
      await expect.poll(() => held.waiting.length).toBe(underWay);
    }
    const countTaken = async () => (await listUnfinished()).filter((row) => row.leased_until !== null).length;
    await expect.poll(countTaken).toBeGreaterThan(128);
    held.waiting.shift()!();
    await expect.poll(() => target.requests.length).toBe(130);
    expect(urls()).not.toContain("/third");
    held.letGo();
    await expect.poll(async () => (await listUnfinished()).length).toBe(0);
    expect(urls().filter((url) => url === "/third")).toEqual(["/third"]);
    await world.stop();
  });

  test(`${engine.name}: J07: a worker whose lease expired writes nothing; the one that took over does`, async () => {
    const world = await createExecutionWorld(database, { leaseSeconds: 2 });
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest({ ...rows(2), name: "held" });
    const run = requireValue(await tenant.client.startRun({ query: {}, body: { source: { tests: [id] } } }), "start");
    await expect.poll(() => target.requests.length).toBe(2);
    await expect.poll(async () => (await listUnfinished()).length).toBe(1);
    // The effect of an expired lease on the row: it is claimed again, here by the same process.
    await sql`update test_executioner.unfinished_executions
      set state = 'queued', leased_until = null, fencing_token = fencing_token + 1`.execute(database.kysely);
    await expect.poll(() => target.requests.length).toBe(3);
    letGo();
    const end = async () => requireValue(await tenant.client.getRun({ params: { runId: run.id }, query: {} }), "get");
    await expect.poll(async () => (await end()).state).toBe("finished");
    expect((await end()).counts).toMatchObject({ passed: 2, executions: 2 });
    const { rows: written } = await sql<{ count: number }>`
      select count(*)::int as count from test_executioner.execution_details details
      join test_executioner.executions execution on execution.id = details.execution_id
      where execution.run_id = ${run.id}::uuid`.execute(database.kysely);
    expect(written).toEqual([{ count: 2 }]);
    await world.stop();
  });

  test(`${engine.name}: members that a worker has leased and not begun are cancelled with their run, other runs' are not`, async () => {
    const world = await createExecutionWorld(database);
    const { client, createTest } = await world.createTenant(target.baseUrl);
    const [first, second] = [await createTest(rows(60)), await createTest(rows(60))];
    const start = async (testId: string) =>
      requireValue(await client.startRun({ query: {}, body: { source: { tests: [testId] } } }), "start").id;
    const read = async (runId: string) => requireValue(await client.getRun({ params: { runId }, query: {} }), "get");
    const countLeased = async () => (await listUnfinished()).filter((row) => row.leased_until !== null).length;
    const cancelled = await start(first.id);
    // The first row's and 48 more; the rest of the run waits in this process.
    await expect.poll(() => target.requests.length).toBe(49);
    await expect.poll(countLeased).toBe(59);
    const other = await start(second.id);
    await expect.poll(countLeased).toBeGreaterThan(59);
    requireValue(await client.cancelRun({ params: { runId: cancelled } }), "cancel");
    await expect.poll(async () => (await read(cancelled)).counts).toMatchObject({ cancelled: 11, unfinished: 48 });
    letGo();
    await expect.poll(async () => (await read(other)).state).toBe("finished");
    expect((await read(other)).counts).toMatchObject({ cancelled: 0, passed: 60 });
    await expect.poll(async () => (await read(cancelled)).state).toBe("cancelled");
    expect(target.requests).toHaveLength(49 + 60);
    await world.stop();
  });
}
