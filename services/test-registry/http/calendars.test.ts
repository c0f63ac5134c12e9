import ICAL from "ical.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createCircle, createSchedule, type Tenant } from "../testing/scheduled-circle.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

const [engine] = testEngines();
let world: Awaited<ReturnType<typeof createTestRegistryWorld>>;
beforeAll(async () => {
  world = await createTestRegistryWorld(engine);
});
afterAll(() => world.close());

const renew = async ({ client }: Tenant) => requireValue(await client.renewCalendar(), "renew").token;

/** Without a sign-in. */
async function read(calendarToken: string, query = {}) {
  const response = await world.connect().readCalendar({ params: { calendarToken }, query });
  return { status: response.status, text: response.ok ? await response.response.text() : "" };
}

function parseEvents(text: string) {
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

test("the URL alone gives access to the runs of 35 days, each at its instant, without paused schedules", async () => {
  const tenant = world.createTenant();
  const name = 'Shop, früh; "alles"\\ 日本'.repeat(8);
  const circle = await createCircle(tenant, name);
  const { id } = await createSchedule(tenant, circle, { name: "Morning" });
  await createSchedule(tenant, circle, { enabled: false });
  const { status, text } = await read(await renew(tenant));
  expect(status).toBe(200);
  const events = parseEvents(text);
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

test("lines have at most 75 bytes and RFC 5545 line ends, whatever the circle's name", async () => {
  const tenant = world.createTenant();
  await createSchedule(tenant, await createCircle(tenant, `BEGIN:VEVENT ${"日本語".repeat(90)}`));
  const { text } = await read(await renew(tenant));
  expect(text.split("\r\n").every((line) => Buffer.byteLength(line) <= 75 && !line.includes("\n"))).toBe(true);
  expect(parseEvents(text)).toHaveLength(25);
});

const createWindow = async (
  { client }: Tenant,
  body: Parameters<Tenant["client"]["createMaintenanceWindow"]>[0]["body"],
) => requireValue(await client.createMaintenanceWindow({ body }), "create a window").id;

test("skipped runs are omitted, and the maintenance window is an entry", async () => {
  const tenant = world.createTenant();
  const circle = await createCircle(tenant, "Checkout");
  await createSchedule(tenant, circle);
  const other = await createCircle(tenant, "Search");
  await createSchedule(tenant, other);
  const moved = await createWindow(tenant, {
    name: "Move",
    testCircleId: circle,
    times: { kind: "once", from: "2026-03-02T05:00:00Z", to: "2026-03-03T06:00:00Z" },
  });
  const token = await renew(tenant);
  const events = parseEvents((await read(token)).text);
  const getDays = (summary: string) =>
    events.filter((event) => event.summary === summary).map(({ start }) => start.toISOString().slice(0, 13));
  // 06:00 UTC of the third is 07:00 in Berlin: the window has just ended.
  expect(getDays("Checkout").slice(0, 2)).toEqual(["2026-03-03T06", "2026-03-04T06"]);
  expect(getDays("Search").slice(0, 2)).toEqual(["2026-03-02T06", "2026-03-03T06"]);
  expect(events.filter(({ summary }) => summary.startsWith("Maintenance"))).toEqual([
    {
      summary: "Maintenance: Move",
      description: "Scheduled runs of its circle are skipped.",
      start: new Date("2026-03-02T05:00:00Z"),
      uid: `${moved}/2026-03-02T05:00:00.000Z`,
    },
  ]);
  const names = async (query: object) => new Set(parseEvents((await read(token, query)).text).map((e) => e.summary));
  expect(await names({ testCircleId: other })).toEqual(new Set(["Search"]));
  expect(await names({ testCircleId: circle })).toEqual(new Set(["Checkout", "Maintenance: Move"]));
});

test("runs skipped by a recurring window are excluded from the count and mentioned", async () => {
  const tenant = world.createTenant();
  await createSchedule(tenant, await createCircle(tenant, "Often"), { cron: "*/5 * * * *" });
  await createWindow(tenant, {
    name: "Backup",
    times: { kind: "repeating", cron: "0 3 * * *", timeZone: "Europe/Berlin", durationMinutes: 60 },
  });
  const events = parseEvents((await read(await renew(tenant))).text);
  expect(events[1]).toMatchObject({
    summary: "Often (276 runs)",
    description: "Starts at 00:00 in Europe/Berlin. 12 more are skipped by a maintenance window.",
  });
  const backups = events
    .filter(({ summary }) => summary === "Maintenance: Backup")
    .map(({ start }) => start.getUTCHours());
  // 03:00 in Berlin, before and after its clocks are set forward on 29 March.
  expect([backups.length, backups[0], backups.at(-1)]).toEqual([expect.any(Number), 2, 1]);
});

test("runs outside active hours are not in a calendar", async () => {
  const tenant = world.createTenant();
  const days = ["monday", "tuesday"] as const;
  await createSchedule(tenant, await createCircle(tenant, "Office"), {
    cron: "0 * * * *",
    activeHours: { from: "09:00", to: "11:00", days: [...days] },
  });
  const hours = parseEvents((await read(await renew(tenant))).text).map(
    ({ start }) => `${start.getUTCDay()} ${start.getUTCHours()}`,
  );
  // 09:00 and 10:00 in Berlin, in winter and in summer.
  expect(new Set(hours)).toEqual(new Set(["1 8", "1 9", "2 8", "2 9", "1 7", "2 7"]));
});

test("a schedule that runs all day is one entry per day", async () => {
  const tenant = world.createTenant();
  await createSchedule(tenant, await createCircle(tenant, "Often"), { cron: "*/5 * * * *" });
  const { text } = await read(await renew(tenant));
  expect(parseEvents(text)[1]?.summary).toBe("Often (288 runs)");
});

test("a calendar can be limited to one circle or API", async () => {
  const tenant = world.createTenant();
  const circles = [await createCircle(tenant, "One"), await createCircle(tenant, "Two")];
  for (const circle of circles) await createSchedule(tenant, circle);
  const token = await renew(tenant);
  const names = async (query: object) => new Set(parseEvents((await read(token, query)).text).map((e) => e.summary));
  expect(await names({ testCircleId: circles[1] })).toEqual(new Set(["Two"]));
  expect((await names({ apiId: tenant.apiId })).size).toBe(2);
});

test("a URL ends when it is renewed or deleted, or its user disabled; its token is stored as a hash", async () => {
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
  requireValue(await tenant.client.deleteCalendar(), "delete");
  requireValue(await tenant.client.deleteCalendar(), "delete");
  expect((await read(second)).status).toBe(404);
  expect(await tenant.client.getCalendar()).toMatchObject({ value: { calendar: null } });
});

test("each organization's URL contains only its own schedules", async () => {
  const owner = world.createTenant();
  await createSchedule(owner, await createCircle(owner, "Private"));
  const other = world.createTenant();
  expect(parseEvents((await read(await renew(other))).text)).toEqual([]);
});
