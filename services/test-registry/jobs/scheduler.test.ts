import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { PlanStatus } from "#contracts/kit/plan.ts";
import { repetitions, reportFigure } from "../../../tests/support/endurance.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { storePlan } from "../../kit/plan/plan-table.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { planWith } from "../../kit/testing/plans.ts";
import { respondJson, startTarget, type Target } from "../../test-executioner/testing/target.ts";
import { readDueFigures } from "../store/due-schedules.ts";
import { createScheduledWorld, type ScheduledWorld } from "../testing/scheduled-world.ts";

const beforeSeven = "2026-06-01T06:59:30Z";
let database: Database;
let target: Target;
let scheduled: ScheduledWorld;
beforeAll(async () => {
  const [engine] = testEngines();
  database = await engine.open();
  target = await startTarget(respondJson({}));
  scheduled = await createScheduledWorld(database);
});
afterEach(async () => {
  await scheduled.db.deleteFrom("schedules").execute();
  scheduled.moveTo(beforeSeven);
});
afterAll(async () => {
  await scheduled.world.stop();
  await database.close();
  await target.close();
});

async function open() {
  return { ...scheduled, tenant: await scheduled.world.createTenant(target.baseUrl) };
}

/** Each time once, however often it was sent. */
function expectOnce(moments: string[]) {
  expect(new Set(moments).size).toBe(moments.length);
}

async function takeAll({ takeTurn }: Pick<ScheduledWorld, "takeTurn">) {
  while ((await takeTurn()) > 0);
}

test("a due schedule starts at its time and not before, and its next time follows the clock", async () => {
  const { tenant, createSchedule, takeTurn, moveTo, listOccurrences, world, db } = await open();
  const { id } = await createSchedule(tenant);
  expect(await takeTurn()).toBe(0);
  moveTo("2026-06-01T07:00:03Z");
  expect(await readDueFigures(db, new Date("2026-06-01T07:00:03Z"))).toEqual({ due: 1, oldestSeconds: 3 });
  expect(await takeTurn()).toBe(1);
  expect(await takeTurn()).toBe(0);
  expect(await listOccurrences(tenant)).toMatchObject([
    { scheduleId: id, scheduledFor: "2026-06-01T07:00:00.000Z", state: "started", isLate: false },
  ]);
  const schedule = await world.testRegistry({ token: tenant.token }).getSchedule({ params: { scheduleId: id } });
  expect(schedule).toMatchObject({ value: { next: { at: "2026-06-01T07:05:00.000Z" } } });
});

/** A scheduler whose database fails after its statement of this number, as when it restarts before it responds. */
function cutOffAfter(db: ScheduledWorld["db"], number: number): ScheduledWorld["db"] {
  let statements = 0;
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements += 1;
      if (statements === number) throw new Error("Connection terminated unexpectedly");
      return result;
    },
  });
}

test("a scheduler cut off from its database takes its own claims up again at once, and no time is missed", async () => {
  const { tenant, createSchedule, createTaker, moveTo, listOccurrences, takeTurn, db } = await open();
  let cuts = 0;
  for (let number = 1; number < 20; number += 1) {
    const { id } = await createSchedule(tenant, { everySeconds: 300, overlap: "queue" });
    moveTo("2026-06-01T07:00:00Z");
    const take = createTaker(cutOffAfter(db, number));
    const isCutOff = await take().then(
      () => false,
      () => true,
    );
    if (!isCutOff) break;
    cuts += 1;
    // Another one leaves its claims alone.
    expect(await takeTurn()).toBe(0);
    moveTo("2026-06-01T07:00:01Z");
    await take();
    const occurrences = await listOccurrences(tenant, id);
    expect(occurrences.filter(({ state }) => state === "missed")).toEqual([]);
    expect([number, occurrences.length]).toEqual([number, 1]);
    expect((await readDueFigures(db, new Date("2026-06-01T07:00:01Z"))).due).toBe(0);
    await db.deleteFrom("schedules").execute();
    moveTo(beforeSeven);
  }
  // After the claim, while it is described, and when it is settled.
  expect(cuts).toBeGreaterThan(2);
});

test("a start carries its circle, which the executioner does not request", async () => {
  const { tenant, createSchedule, takeTurn, moveTo, world, listOccurrences } = await open();
  const { id } = await createSchedule(tenant);
  const before = world.registryCalls.openCircles;
  moveTo("2026-06-01T07:00:03Z");
  await takeTurn();
  expect(await listOccurrences(tenant, id)).toMatchObject([{ state: "started", run: { state: "queued" } }]);
  expect(world.registryCalls.openCircles).toBe(before);
});

test("a schedule that the plan no longer allows is recorded as skipped with the reason, and resumes automatically", async () => {
  const { tenant, createSchedule, takeTurn, moveTo, listOccurrences, world, db } = await open();
  const { id } = await createSchedule(tenant);
  const client = world.testRegistry({ token: tenant.token });
  const readRefusal = async () =>
    requireValue(await client.getSchedule({ params: { scheduleId: id } }), "schedule").heldBack;
  const notify = (planStatus: PlanStatus) => storePlan(db, "test_registry", tenant.organizationId, planStatus);
  expect(await readRefusal()).toBeNull();
  await notify(planWith({}, 2));
  expect(await readRefusal()).toContain("The Free plan starts a schedule every hour at most");
  moveTo("2026-06-01T07:00:03Z");
  await takeTurn();
  const exceeded = [{ subject: "apis" as const, used: 3, limit: 2 }];
  await notify({ ...planWith({ shortestIntervalSeconds: 60 }, 3), exceeded });
  moveTo("2026-06-01T07:05:03Z");
  await takeTurn();
  await notify(planWith({ shortestIntervalSeconds: 60 }, 4));
  expect(await readRefusal()).toBeNull();
  moveTo("2026-06-01T07:10:03Z");
  await takeTurn();
  expect((await listOccurrences(tenant)).map(({ state, reason }) => [state, reason])).toEqual([
    ["skipped", expect.stringContaining("every hour at most")],
    ["skipped", "There is more than the Free plan allows: 3 APIs of 2."],
    ["started", null],
  ]);
});

test("a time without enough remaining executions is recorded as skipped with the numbers", async () => {
  const { tenant, createSchedule, takeTurn, moveTo, listOccurrences, database } = {
    ...(await open()),
    database: scheduled.db,
  };
  await createSchedule(tenant);
  const planStatus = planWith({ executionsPerMonth: 1, shortestIntervalSeconds: 60 }, 2);
  await storePlan(database, "test_executioner", tenant.organizationId, planStatus);
  for (const moment of ["2026-06-01T07:00:03Z", "2026-06-01T07:05:03Z"]) {
    moveTo(moment);
    await takeTurn();
  }
  const [started, skipped] = await listOccurrences(tenant);
  expect(started?.state).toBe("started");
  expect(skipped).toMatchObject({
    state: "skipped",
    reason: expect.stringContaining("1 are used, and this run has 1"),
  });
});

test("J03: three concurrent schedulers record every time of every schedule once", async () => {
  const [schedules, minutes] = [repetitions(30, 200), repetitions(4, 10)];
  const { tenant, createSchedule, takeTurn, moveTo, listOccurrences } = await open();
  for (let index = 0; index < schedules; index += 1) await createSchedule(tenant, { cron: "* * * * *" });
  for (let minute = 0; minute < minutes; minute += 1) {
    moveTo(`2026-06-01T07:${String(minute).padStart(2, "0")}:00Z`);
    await Promise.all([takeTurn, takeTurn, takeTurn].map((turn) => takeAll({ takeTurn: turn })));
  }
  const occurrences = await listOccurrences(tenant);
  expectOnce(occurrences.map(({ scheduleId, scheduledFor }) => `${scheduleId} ${scheduledFor}`));
  expect(occurrences).toHaveLength(schedules * minutes);
  expect(occurrences.filter(({ state }) => state !== "started" && state !== "skipped")).toEqual([]);
  const runs = occurrences.flatMap(({ run }) => run?.id ?? []);
  expectOnce(runs);
  reportFigure(`times of ${schedules} schedules, three schedulers: ${occurrences.length}, doubled or missed: 0`);
});

test("J04: after 25 hours one run is caught up as late, and 299 times were missed; without catch-up 300", async () => {
  const { tenant, createSchedule, moveTo, listOccurrences, takeTurn } = await open();
  const latest = await createSchedule(tenant);
  const none = await createSchedule(tenant, { catchUp: "none" });
  moveTo("2026-06-02T07:57:00Z");
  await takeAll({ takeTurn });
  const ofLatest = await listOccurrences(tenant, latest.id);
  expect(ofLatest).toHaveLength(300);
  expect(ofLatest.at(-1)).toMatchObject({ state: "started", isLate: true, scheduledFor: "2026-06-02T07:55:00.000Z" });
  expect(ofLatest.filter(({ state }) => state === "missed")).toHaveLength(299);
  const ofNone = await listOccurrences(tenant, none.id);
  expect(ofNone.map(({ state }) => state)).toEqual(Array(300).fill("missed"));
});

test("J05: a database clock set back or forward an hour duplicates nothing and starts nothing early", async () => {
  const { tenant, createSchedule, moveTo, listOccurrences, takeTurn } = await open();
  await createSchedule(tenant);
  const moments = ["07:00:01", "07:05:01", "06:05:01", "06:10:01", "07:05:30", "07:10:01", "08:10:01", "08:15:01"];
  const seen: string[][] = [];
  for (const moment of moments) {
    moveTo(`2026-06-01T${moment}Z`);
    await takeAll({ takeTurn });
    seen.push((await listOccurrences(tenant)).map(({ scheduledFor }) => scheduledFor.slice(11, 16)));
  }
  const after = seen.at(-1)!;
  expectOnce(after);
  expect(after).toEqual([
    ...["07:00", "07:05", "07:10", "07:15", "07:20", "07:25", "07:30", "07:35"],
    ...["07:40", "07:45", "07:50", "07:55", "08:00", "08:05", "08:10", "08:15"],
  ]);
  // While the clock was back nothing happened.
  expect(seen.slice(1, 5).map(({ length }) => length)).toEqual([2, 2, 2, 2]);
  for (const [index, moment] of moments.entries()) {
    if (index >= 5) expect(seen[index]!.every((time) => time <= moment.slice(0, 5))).toBe(true);
  }
});

test("J05: a lease from before the clock was set back does not block a schedule", async () => {
  const { tenant, createSchedule, moveTo, listOccurrences, takeTurn } = await open();
  await createSchedule(tenant);
  moveTo("2026-06-01T07:00:01Z");
  await sql`update test_registry.schedules set claimed_until = '2026-06-01T08:00:00Z'`.execute(database.kysely);
  await takeAll({ takeTurn });
  expect(await listOccurrences(tenant)).toHaveLength(1);
});

test("J14: for a day of late turns the times are those of the schedule, to the second", async () => {
  const { tenant, createSchedule, moveTo, listOccurrences, takeTurn } = await open();
  await createSchedule(tenant, { everySeconds: 1_800, spread: true });
  const start = Date.parse("2026-06-01T07:00:00Z");
  for (let turn = 0; turn < 24 * 6; turn += 1) {
    moveTo(new Date(start + turn * 600_000 + ((turn * 7_919) % 55_000)).toISOString());
    await takeAll({ takeTurn });
  }
  const moments = (await listOccurrences(tenant)).map(({ scheduledFor }) => Date.parse(scheduledFor));
  expect(moments.length).toBeGreaterThanOrEqual(47);
  const first = moments[0]!;
  expect(moments).toEqual(moments.map((_, index) => first + index * 1_800_000));
});

test("J07: a scheduler suspended for longer than its lease changes nothing when it resumes", async () => {
  const { tenant, createSchedule, moveTo, advance, listOccurrences, takeTurn, world, db } = await open();
  await createSchedule(tenant);
  moveTo("2026-06-01T07:00:01Z");
  let goOn = () => {};
  const frozen = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let isFrozen = () => {};
  const reached = new Promise<void>((resolve) => {
    isFrozen = resolve;
  });
  const zombie = takeTurn(async (request) => {
    isFrozen();
    await frozen;
    return await world.service.app.fetch(request);
  });
  await reached;
  advance(31);
  expect(await takeTurn()).toBe(1);
  moveTo("2026-06-01T07:05:01Z");
  expect(await takeTurn()).toBe(1);
  goOn();
  await zombie;
  const { next_at } = await db.selectFrom("schedules").select("next_at").executeTakeFirstOrThrow();
  expect(next_at?.toISOString()).toBe("2026-06-01T07:10:00.000Z");
  expectOnce((await listOccurrences(tenant)).map(({ scheduledFor }) => scheduledFor));
  expect(await listOccurrences(tenant)).toHaveLength(2);
});

test("J13: a change that crashed between the fence and its commit leaves a working schedule", async () => {
  const { tenant, createSchedule, moveTo, listOccurrences, takeTurn, world } = await open();
  const { id } = await createSchedule(tenant);
  const service = world.connect({ token: await world.identities.serviceToken(tenant.organizationId) });
  requireValue(await service.fenceSchedules({ body: { schedules: [{ scheduleId: id, version: 2 }] } }), "fence");
  moveTo("2026-06-01T07:00:01Z");
  expect(await takeTurn()).toBe(1);
  expect(await listOccurrences(tenant)).toEqual([]);
  expect(await takeTurn()).toBe(1);
  expect(await listOccurrences(tenant)).toMatchObject([{ state: "started" }]);
  const schedule = await world.testRegistry({ token: tenant.token }).getSchedule({ params: { scheduleId: id } });
  expect(schedule).toMatchObject({ value: { version: 2 } });
});

test("J13: nothing starts after a schedule is paused or deleted, in any order of events", async () => {
  const races = repetitions(12, 500);
  const { tenant, createSchedule, moveTo, listOccurrences, takeTurn, world } = await open();
  const registry = world.testRegistry({ token: tenant.token });
  let started = 0;
  for (let race = 0; race < races; race += 1) {
    moveTo(beforeSeven);
    const { id } = await createSchedule(tenant);
    moveTo("2026-06-01T07:00:01Z");
    const turn = takeTurn();
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
    const params = { scheduleId: id };
    const body = { cron: "*/5 * * * *", timeZone: "Europe/Berlin", enabled: false };
    const changed = race % 2 === 0 ? registry.changeSchedule({ params, body }) : registry.deleteSchedule({ params });
    expect((await changed).ok).toBe(true);
    // A deleted one without any is answered 404.
    const list = () =>
      listOccurrences(tenant, id).catch((error: Error) => {
        if (!error.message.includes("404 not_found")) throw error;
        return [];
      });
    const before = await list();
    await turn;
    await takeAll({ takeTurn });
    expect(await list()).toHaveLength(before.length);
    started += before.length;
  }
  reportFigure(`pauses and deletions racing with schedulers: ${races}, started before: ${started}, started after: 0`);
});

test("times in a maintenance window of the organization, API or circle are skipped with its name", async () => {
  const { tenant, createSchedule, moveTo, listOccurrences, takeTurn, world } = await open();
  const registry = world.testRegistry({ token: tenant.token });
  const { id, testCircleId } = await createSchedule(tenant);
  const other = await createSchedule(tenant);
  const window = (name: string, hour: string, scope: object) =>
    registry.createMaintenanceWindow({
      body: {
        name,
        ...scope,
        times: { kind: "once", from: `2026-06-01T${hour}:00:00Z`, to: `2026-06-01T${hour}:05:00Z` },
      },
    });
  requireValue(await window("Circle", "07", { testCircleId }), "window");
  requireValue(await window("Api", "08", { apiId: tenant.apiId }), "window");
  requireValue(await window("All", "09", {}), "window");
  for (const hour of ["07", "08", "09"]) {
    moveTo(`2026-06-01T${hour}:00:01Z`);
    await takeAll({ takeTurn });
  }
  const reasons = async (scheduleId: string) =>
    (await listOccurrences(tenant, scheduleId))
      .filter(({ scheduledFor }) => scheduledFor.endsWith(":00:00.000Z"))
      .map(({ state, reason }) => (state === "skipped" ? reason : state));
  const named = (name: string) => `In the maintenance window “${name}”.`;
  expect(await reasons(id)).toEqual([named("Circle"), named("Api"), named("All")]);
  expect(await reasons(other.id)).toEqual(["started", named("Api"), named("All")]);
});

test("while the executioner is unavailable a schedule waits, and starts when it is back", async () => {
  const { tenant, createSchedule, moveTo, advance, listOccurrences, db, takeTurn } = await open();
  await createSchedule(tenant);
  moveTo("2026-06-01T07:00:01Z");
  expect(await takeTurn(() => Promise.reject(new Error("connection refused")))).toBe(1);
  expect(await takeTurn()).toBe(0);
  advance(6);
  expect(await takeTurn()).toBe(1);
  expect(await listOccurrences(tenant)).toMatchObject([{ state: "started", isLate: false }]);
  expect(await db.selectFrom("schedules").select("claimed_until").execute()).toEqual([{ claimed_until: null }]);
});
