import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repetitions, reportFigure } from "../../../tests/support/endurance.ts";
import { type Database, openEmbeddedDatabase, openPostgresDatabase } from "../../kit/database/database.ts";
import { createEmbeddedFolder, createTestDatabase, testEngines } from "../../kit/testing/databases.ts";
import { startTarget, type Target } from "../testing/target.ts";
import { watchClaims } from "../testing/watched-claims.ts";
import { startWorker } from "../testing/worker.ts";
import { createExecutionWorld } from "../testing/world.ts";

const kills = repetitions(1, 10);

let target: Target;
beforeAll(async () => {
  target = await startTarget(async (_, response) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
    response.end("{}");
  });
});
afterAll(() => target.close());

interface Ends {
  id: string;
  state: string;
  verdict: string | null;
  cause: string | null;
  details: number;
}

async function listEnds(database: Database): Promise<Map<string, Ends>> {
  const { rows } = await sql<Ends>`
    select id, state, verdict, cause,
      (select count(*)::int from test_executioner.execution_details where execution_id = execution.id) as details
    from test_executioner.executions execution
    union all
    select id, state, null, null, 0 from test_executioner.unfinished_executions`.execute(database.kysely);
  return new Map(rows.map((row) => [row.id, row]));
}

function expectAllEnded(ends: Map<string, Ends>, ids: string[]) {
  for (const id of ids) {
    const end = ends.get(id);
    expect(end, id).toMatchObject({ state: "finished", details: 1 });
    if (end!.verdict === "passed") continue;
    expect(end!.verdict).toBe("errored");
    expect(JSON.parse(end!.cause!)).toMatchObject({ code: "worker_lost" });
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test("J01: on a folder, kills neither lose nor duplicate executions", async () => {
  const folder = await createEmbeddedFolder();
  const accepted: string[] = [];
  for (let number = 0; number < kills; number += 1) {
    const worker = startWorker(folder.path, target.baseUrl, "25");
    accepted.push(...(await worker.accepted));
    await pause(Math.random() * 400);
    await worker.kill();
  }
  const last = startWorker(folder.path, target.baseUrl, "0", "--finish");
  expect(await last.ended).toBe(0);
  const database = await openEmbeddedDatabase(folder.path);
  const ends = await listEnds(database);
  await database.close();
  folder.remove();
  expect(accepted.length).toBe(25 * kills);
  expectAllEnded(ends, accepted);
  reportFigure(`executions on a folder: ${accepted.length}, kills: ${kills}, lost or doubled: 0`);
});

test("J01: on PostgreSQL, kills among two workers neither lose nor duplicate executions", async () => {
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url);
  const world = await createExecutionWorld(database, { work: false, withAnalyzer: true });
  const tenant = await world.createTenant(target.baseUrl);
  for (let index = 0; index < 40; index += 1) await tenant.createTest({ name: `t${index}`, path: `/t${index}` });
  const claims = await watchClaims(database);
  const startNamed = (name: string) => {
    const location = new URL(url);
    location.searchParams.set("application_name", name);
    // No lease expires, even on the busiest machine.
    return { name, ...startWorker(location.href, "--lease", "600") };
  };
  const accepted: string[] = [];
  const killed: string[] = [];
  const before = target.requests.length;
  let workers = [startNamed("worker 1"), startNamed("worker 2")];
  await Promise.all(workers.map((worker) => worker.accepted));
  for (let number = 0; number < kills; number += 1) {
    const run = await tenant.client.runTestsOfApi({ params: { apiId: tenant.apiId }, query: {}, body: {} });
    accepted.push(...(run.ok ? run.value.items.map(({ id }) => id) : []));
    await pause(Math.random() * 1_200);
    const [doomed, other] = workers as [(typeof workers)[0], (typeof workers)[0]];
    await doomed.kill();
    killed.push(doomed.name);
    await claims.endLeases(doomed.name);
    workers = [other, startNamed(`worker ${number + 3}`)];
    // Otherwise both would sometimes be dead at once, which is a longer version of the same test.
    await workers[1]!.accepted;
  }
  await expect
    .poll(async () => [...(await listEnds(database)).values()].filter(({ state }) => state !== "finished").length)
    .toBe(0);
  const ends = await listEnds(database);
  for (const worker of workers) await worker.kill();
  const claimed = await claims.list();
  await world.stop();
  await database.close();
  await drop();
  expect(accepted.length).toBe(40 * kills);
  expectAllEnded(ends, accepted);
  // No execution is taken from a live worker, and each claim sends the request at most once.
  expect(claimed.flatMap(({ workers }) => workers.slice(0, -1)).filter((name) => !killed.includes(name))).toEqual([]);
  const sent = target.requests.slice(before).map(({ url }) => url);
  for (const path of new Set(sent)) {
    const takings = claimed.filter((one) => one.path === path).flatMap(({ workers }) => workers);
    expect(sent.filter((url) => url === path).length, path).toBeLessThanOrEqual(takings.length);
  }
  reportFigure(`executions on PostgreSQL: ${accepted.length}, kills: ${kills}, lost or doubled: 0`);
});

test("J11: an execution whose third worker is also lost ends errored, and a late result does not change that", async () => {
  const [engine] = testEngines();
  const database = await engine.open();
  const world = await createExecutionWorld(database, { leaseSeconds: 2 });
  const tenant = await world.createTenant(target.baseUrl);
  const { id } = await tenant.createTest();
  let finish: () => void = () => {};
  target.answer(async (_, response) => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    response.end("{}");
  });
  const before = target.requests.length;
  const started = await tenant.client.runTest({ params: { testId: id }, query: {}, body: {} });
  const executionId = started.ok ? started.value.id : "";
  await expect.poll(() => target.requests.length).toBe(before + 1);
  // The state after two lost workers and the third's silence.
  await sql`update test_executioner.unfinished_executions
    set claims = 3, fencing_token = fencing_token + 1, leased_until = now() - interval '1 hour'`.execute(
    database.kysely,
  );
  const read = async () => {
    const execution = await tenant.client.getExecution({ params: { executionId } });
    return execution.ok ? execution.value : undefined;
  };
  const lost = { state: "finished", verdict: "errored", cause: { code: "worker_lost" } };
  await expect.poll(read).toMatchObject(lost);
  finish();
  await pause(500);
  expect(await read()).toMatchObject(lost);
  await world.stop();
  await database.close();
});

test("J07: results that a worker writes after its execution was taken over change nothing", async () => {
  const [engine] = testEngines();
  const database = await engine.open();
  const world = await createExecutionWorld(database);
  const tenant = await world.createTenant(target.baseUrl);
  const { id } = await tenant.createTest();
  let finish: () => void = () => {};
  target.answer(async (_, response) => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    response.end("{}");
  });
  const before = target.requests.length;
  const started = await tenant.client.runTest({ params: { testId: id }, query: {}, body: {} });
  const executionId = started.ok ? started.value.id : "";
  await expect.poll(() => target.requests.length).toBe(before + 1);
  // Another worker claims it, as after the lease of a frozen one.
  await sql`update test_executioner.unfinished_executions set fencing_token = fencing_token + 1`.execute(
    database.kysely,
  );
  finish();
  await pause(500);
  const still = await tenant.client.getExecution({ params: { executionId } });
  expect(still.ok && still.value).toMatchObject({ state: "running", verdict: null, attempts: [] });
  await world.stop();
  await database.close();
});
