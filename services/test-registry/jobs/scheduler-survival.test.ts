import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Occurrence } from "#contracts/test-executioner/occurrences.ts";
import { repetitions, reportFigure } from "../../../tests/support/endurance.ts";
import { requireValue } from "../../kit/client/client.ts";
import { openPostgresDatabase } from "../../kit/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../kit/testing/databases.ts";
import { startNodeProcess } from "../../kit/testing/node-process.ts";
import { startTcpProxy } from "../../kit/testing/tcp-proxy.ts";
import { startTarget, type Target } from "../../test-executioner/testing/target.ts";
import { createExecutionWorld } from "../../test-executioner/testing/world.ts";
import { fastTime } from "../testing/fast-time.ts";
import { createScheduledWorld, type ScheduledWorld } from "../testing/scheduled-world.ts";

const program = fileURLToPath(new URL("../testing/scheduler-process.ts", import.meta.url));
const everyMinute = { cron: "* * * * *" };

let target: Target;
let database: TestDatabase;
let scheduled: ScheduledWorld;
let tenant: Awaited<ReturnType<ScheduledWorld["world"]["createTenant"]>>;
const since = Date.now();
beforeAll(async () => {
  target = await startTarget(async (_, response) => {
    await pause(Math.random() * 100);
    response.end("{}");
  });
  database = await createTestDatabase();
  scheduled = await createScheduledWorld(await openPostgresDatabase(database.url));
  tenant = await scheduled.world.createTenant(target.baseUrl);
});
afterAll(async () => {
  await scheduled.world.stop();
  await scheduled.world.database.close();
  await database.drop();
  await target.close();
});

const startScheduler = (speed: number) => startNodeProcess(program, database.url, String(since), String(speed));

/** Ends them and waits until everything that was started has ended. */
async function pauseAll(): Promise<void> {
  const registry = scheduled.world.testRegistry({ token: tenant.token });
  const { items } = requireValue(await registry.listSchedules({ query: { limit: 200 } }), "list");
  for (const { id } of items) requireValue(await registry.deleteSchedule({ params: { scheduleId: id } }), "delete");
  await expect
    .poll(async () => (await scheduled.listOccurrences(tenant)).filter(({ run }) => run && run.state !== "finished"))
    .toEqual([]);
}

/** Every minute from the first to the last has exactly one outcome; each started one has one run, with a verdict. */
function expectEachOnce(occurrences: Occurrence[]): void {
  const minutes = occurrences.map(({ scheduledFor }) => Date.parse(scheduledFor) / 60_000);
  expect(minutes).toEqual(minutes.map((_, index) => minutes[0]! + index));
  for (const { state, run } of occurrences) {
    if (state === "started") expect(run).toMatchObject({ state: "finished", verdict: expect.any(String) });
    else expect(["skipped", "missed"]).toContain(state);
  }
  const runs = occurrences.flatMap(({ run }) => run?.id ?? []);
  expect(new Set(runs).size).toBe(runs.length);
}

test("J01, J02, J03: three schedulers killed at any time lose and duplicate no time of any schedule", async () => {
  const [kills, schedules, speed] = [repetitions(1, 50), repetitions(10, 20), 60];
  scheduled.moveTo("2026-06-01T06:59:50Z");
  const ids: string[] = [];
  for (let index = 0; index < schedules; index += 1) {
    ids.push((await scheduled.createSchedule(tenant, everyMinute)).id);
  }
  const before = target.requests.length;
  let processes = await Promise.all([1, 2, 3].map(() => startScheduler(speed)));
  for (let number = 0; number < kills; number += 1) {
    await pause(Math.random() * 1_500);
    const [doomed, ...others] = processes;
    await doomed!.kill();
    processes = [...others, await startScheduler(speed)];
  }
  const listAll = () => Promise.all(ids.map((id) => scheduled.listOccurrences(tenant, id)));
  const countStarted = (all: Occurrence[][]) => all.flat().filter(({ state }) => state === "started");
  await expect.poll(async () => countStarted(await listAll()).length).toBeGreaterThan(schedules);
  await pauseAll();
  for (const one of processes) await one.kill();
  const all = await listAll();
  for (const occurrences of all) expectEachOnce(occurrences);
  const recorded = all.flat();
  const started = countStarted(all);
  const { rows } = await sql<{ runs: number }>`select count(*)::int as runs from test_executioner.runs`.execute(
    scheduled.world.database.kysely,
  );
  expect(rows[0]?.runs).toBe(started.length);
  // Sent again only if its process died while it was active.
  expect(target.requests.length - before).toBeLessThanOrEqual(2 * started.length);
  reportFigure(`times of ${schedules} schedules with ${kills} kills: ${recorded.length}, lost or doubled: 0`);
});

test("J08: a database unavailable for ten minutes misses times, all recorded, and one is caught up", async () => {
  const speed = 240;
  const proxy = await startTcpProxy(database.url);
  const through = await openPostgresDatabase(proxy.url, { connectSeconds: 1 });
  scheduled.moveTo(new Date(Date.parse("2026-06-01T06:59:50Z") + (Date.now() - since) * speed).toISOString());
  const { id } = await scheduled.createSchedule(tenant, { cron: "*/2 * * * *" });
  const readTime = fastTime(through, { since, speed });
  const world = await createExecutionWorld(through, { schedule: true, readTime, leaseSeconds: 3 });
  const list = () => scheduled.listOccurrences(tenant, id);
  await expect.poll(async () => (await list()).length).toBeGreaterThan(1);
  await proxy.refuse();
  const before = (await list()).length;
  await pause(2_500);
  await proxy.forward();
  await expect.poll(async () => (await list()).length).toBeGreaterThan(before + 5);
  await pauseAll();
  const occurrences = await list();
  const minutes = occurrences.map(({ scheduledFor }) => Date.parse(scheduledFor) / 120_000);
  expect(minutes).toEqual(minutes.map((_, index) => minutes[0]! + index));
  const missed = occurrences.filter(({ state }) => state === "missed");
  expect(missed.length).toBeGreaterThanOrEqual(4);
  expect(missed[0]?.reason).toMatch(/could not reach its database/);
  await world.stop();
  await through.close();
  await proxy.stop();
});
