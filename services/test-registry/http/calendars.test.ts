import ICAL from "ical.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireAnswer } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createCircle, createSchedule, type Tenant } from "../testing/scheduled-circle.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

const [engine] = testEngines();
let world: Awaited<ReturnType<typeof createTestRegistryWorld>>;
beforeAll(async () => {
  world = await createTestRegistryWorld(engine);
});
afterAll(() => world.close());

const renew = async ({ client }: Tenant) => requireAnswer(await client.renewCalendar(), "renew").token;

/** As anybody who knows the address, without a sign-in. */
async function read(calendarToken: string, query = {}) {
  const answer = await world.connect().readCalendar({ params: { calendarToken }, query });
  return { status: answer.status, text: answer.ok ? await answer.response.text() : "" };
}

function eventsOf(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents("vevent").map((component) => {
    const event = new ICAL.Event(component);
    return {
      summary: event.summary,
      description: event.description,
      start: event.startDate.toJSDate(),
      uid: event.uid,
    };
  });
}

test("who knows the address reads the runs of 35 days, each at its instant, paused schedules left out", async () => {
  const tenant = world.createTenant();
  const name = 'Shop, früh; "alles"\\ 日本'.repeat(8);
  const circle = await createCircle(tenant, name);
  const { id } = await createSchedule(tenant, circle, { name: "Morning" });
  await createSchedule(tenant, circle, { enabled: false });
  const { status, text } = await read(await renew(tenant));
  expect(status).toBe(200);
  const events = eventsOf(text);
  expect(events).toHaveLength(25);
  expect(events[0]).toEqual({
    summary: `${name}: Morning`,
    description: "Starts at 07:00 in Europe/Berlin.",
    start: new Date("2026-03-02T06:00:00Z"),
    uid: `${id}/2026-03-02T06:00:00.000Z`,
  });
  // The clock of Berlin is set forward on 29 March.
  expect(events[20]?.start).toEqual(new Date("2026-03-30T05:00:00Z"));
});

test("lines are of 75 bytes at most and end as RFC 5545 wants, whatever a circle is called", async () => {
  const tenant = world.createTenant();
  await createSchedule(tenant, await createCircle(tenant, `BEGIN:VEVENT ${"日本語".repeat(90)}`));
  const { text } = await read(await renew(tenant));
  expect(text.split("\r\n").every((line) => Buffer.byteLength(line) <= 75 && !line.includes("\n"))).toBe(true);
  expect(eventsOf(text)).toHaveLength(25);
});

test("what runs all day is one entry a day", async () => {
  const tenant = world.createTenant();
  await createSchedule(tenant, await createCircle(tenant, "Often"), { cron: "*/5 * * * *" });
  const { text } = await read(await renew(tenant));
  expect(eventsOf(text)[1]?.summary).toBe("Often (288 runs)");
});

test("a calendar can be of one circle or API", async () => {
  const tenant = world.createTenant();
  const circles = [await createCircle(tenant, "One"), await createCircle(tenant, "Two")];
  for (const circle of circles) await createSchedule(tenant, circle);
  const token = await renew(tenant);
  const names = async (query: object) => new Set(eventsOf((await read(token, query)).text).map((e) => e.summary));
  expect(await names({ testCircleId: circles[1] })).toEqual(new Set(["Two"]));
  expect((await names({ apiId: tenant.apiId })).size).toBe(2);
});

test("an address ends when it is renewed or deleted, or its user disabled; its token is stored as a hash", async () => {
  const tenant = world.createTenant();
  const first = await renew(tenant);
  const second = await renew(tenant);
  expect(first).toMatch(/^[\w-]{43}$/);
  expect([(await read(first)).status, (await read(second)).status, (await read("x")).status]).toEqual([404, 200, 404]);
  const stored = await world.database.kysely.selectFrom("test_registry.calendars").selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(second);
  world.disableUsers(true);
  expect((await read(second)).status).toBe(404);
  world.disableUsers(false);
  expect(await tenant.client.getCalendar()).toMatchObject({ value: { calendar: { createdAt: expect.any(String) } } });
  requireAnswer(await tenant.client.deleteCalendar(), "delete");
  requireAnswer(await tenant.client.deleteCalendar(), "delete");
  expect((await read(second)).status).toBe(404);
  expect(await tenant.client.getCalendar()).toMatchObject({ value: { calendar: null } });
});

test("each organization's address shows its own schedules", async () => {
  const owner = world.createTenant();
  await createSchedule(owner, await createCircle(owner, "Private"));
  const other = world.createTenant();
  expect(eventsOf((await read(await renew(other))).text)).toEqual([]);
});
