import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repetitions, reportFigure } from "../../../tests/support/endurance.ts";
import { openEmbeddedDatabase } from "../../kit/database/database.ts";
import { createEmbeddedFolder, testEngines } from "../../kit/testing/databases.ts";
import { type Disturbing, disturbWorkers, expectAllEnded, listEnds } from "../testing/disturbed-workers.ts";
import { startTarget, type Target } from "../testing/target.ts";
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
  const disturb = ({ replaceWorker }: Disturbing) => replaceWorker();
  const executions = await disturbWorkers({ target, rounds: kills, disturb });
  reportFigure(`executions on PostgreSQL: ${executions}, kills: ${kills}, lost or doubled: 0`);
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
