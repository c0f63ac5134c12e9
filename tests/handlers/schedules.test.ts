import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { makeTests } from "../support/made-tests.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
let visitor: Visitor;
let apiId: string;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  visitor = await portal.signIn();
  ({ apiId } = await makeTests(portal.backend, targetApi));
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

async function createCircle(name: string) {
  const body = { name, members: [{ kind: "selection" as const, apiId }] };
  return requireValue(await portal.backend.testRegistry.createCircle({ body }), "circle");
}

/** In Berlin, so that its days differ from those of the viewer, who has no zone set. */
async function createSchedule(circle: { id: string }, body: object) {
  const created = await portal.backend.testRegistry.createSchedule({
    params: { testCircleId: circle.id },
    body: { timeZone: "Europe/Berlin", ...body },
  });
  return requireValue(created, "schedule");
}

test("a window is planned once or weekly, shows its times before it is saved, is changed, found and deleted", async () => {
  const circle = await createCircle("Checkout");
  let list = await visitor.open("/test-management/maintenance-windows");
  expect(list.text).toContain("No maintenance windows yet");
  let form = await list.follow("Create a window");
  form = await form.submit("Create window", { name: " ", of: "circle", kind: "repeating", cron: "", lasts: "x" });
  expect(form.status).toBe(422);
  expect(form.errors("name")).toContain("Give the window a name");
  expect(form.errors("testCircleId")).toContain("Choose a circle");
  expect(form.errors("cron")).toContain("Enter when it begins");
  expect(form.errors("lasts")).toContain("Enter a number");

  const weekly = { name: "Deployment", of: "circle", testCircleId: circle.id, kind: "repeating", lasts: "1.5" };
  form = await form.submit("Preview", { ...weekly, unit: "hours", cron: "99 2 * * 6" });
  expect([form.status, form.errors("cron")]).toEqual([422, expect.stringMatching(/./)]);
  form = await form.submit("Preview", { cron: "30 23 * * 6", timeZone: "Europe/Berlin" });
  expect(form.text.match(/Sat \d+ \w+ \d+, 23:30 to Sun \d+ \w+ \d+, 01:00 CES?T/g)).toHaveLength(5);
  list = await form.submit("Create window");
  expect(list.text).toContain("Deployment is saved.");
  expect(list.rows("Deployment")[0]).toMatch(/Checkout.*30 23 \* \* 6 Europe\/Berlin, for 90 minutes.*Sat .* 23:30/);

  form = await list.follow("Deployment");
  const once = { kind: "once", of: "all", timeZone: "America/New_York", name: "Move" };
  form = await form.submit("Save", { ...once, from: "2030-07-01T10:00", to: "2030-07-01T09:00" });
  expect([form.status, form.errors("to")]).toEqual([422, expect.stringContaining("It has to end after it has begun")]);
  expect(form.value("from")).toBe("2030-07-01T10:00");
  list = await form.submit("Save", { to: "2030-07-01T12:00" });
  expect(list.rows("Move")[0]).toMatch(/All schedulesOnceMon 1 Jul 2030, 14:00 to 16:00 UTC/);

  const other = await visitor.open(`/test-management/maintenance-windows/create?testCircleId=${circle.id}`);
  list = await other.submit("Create window", {
    ...{ name: "Long ago", kind: "once", from: "2020-01-01T00:00", to: "2020-01-02T00:00" },
  });
  expect(list.rows("Long ago")[0]).toMatch(/Checkout.*Over/);
  expect((await list.submit("Filter", { query: "mov" })).rows("Long ago")).toEqual([]);
  expect((await list.submit("Filter", { query: "nothing" })).text).toContain("No matching windows");
  const requested = await (await list.follow("Move")).follow("Delete");
  expect(requested.text).toContain("Delete Move?");
  list = await requested.submit("Delete window");
  expect(list.text).toContain("The window was deleted.");
  expect(list.rows("Move")).toEqual([]);
});

test("simultaneous changes to a window do not overwrite each other", async () => {
  const times = { kind: "once" as const, from: "2040-01-01T00:00:00Z", to: "2040-01-02T00:00:00Z" };
  const body = { name: "Shared", times };
  const { id } = requireValue(await portal.backend.testRegistry.createMaintenanceWindow({ body }), "window");
  const address = `/test-management/maintenance-windows/${id}/edit`;
  const [mine, theirs] = [await visitor.open(address), await visitor.open(address)];
  await theirs.submit("Save", { name: "Theirs" });
  const refused = await mine.submit("Save", { name: "Mine" });
  expect([refused.status, refused.value("name")]).toEqual([412, "Mine"]);
  expect(refused.text).toContain("Someone else changed this window in the meantime.");
});

test("all schedules are displayed by weeks of the viewer's zone, including occurrences that a window skips", async () => {
  const circle = await createCircle("Bookshop");
  await createSchedule(circle, { cron: "30 0 * * 1", name: "Mondays" });
  await createSchedule(circle, { cron: "*/15 * * * *", name: "Often" });
  await createSchedule(circle, { cron: "0 7 * * *", name: "Resting", enabled: false });
  const times = { kind: "once" as const, from: "2031-01-05T00:00:00Z", to: "2031-01-06T00:00:00Z" };
  const body = { name: "New year", testCircleId: circle.id, times };
  requireValue(await portal.backend.testRegistry.createMaintenanceWindow({ body }), "window");
  // Monday in Berlin is still Sunday in UTC.
  const week = await visitor.open("/test-management/schedules?week=2031-01-01");
  expect(week.heading).toBe("Schedules");
  expect(week.text).toContain("Week of 30 December 2030 to 5 January 2031");
  expect(week.text).toContain("Times in UTC.");
  expect(week.rows("Bookshop: Mondays")[0]).toMatch(/Europe\/Berlin.*23:30 skipped: New year$/);
  expect(week.rows("Bookshop: Often")[0]).toMatch(/every 15 minutes, 96 runs, 00:00 to 23:45.*96 for maintenance$/);
  expect(week.rows("Bookshop: Resting")[0]).toMatch(/Paused/);
  const next = await week.follow("Week after");
  expect(next.text).toContain("Week of 6 to 12 January 2031");
  expect(next.rows("Bookshop: Mondays")[0]).toMatch(/Europe\/Berlin.*23:30$/);
  const running = await next.follow("This week");
  expect(running.text).not.toContain("This week");
  expect((await running.submit("Filter", { query: "resting" })).rows("Often")).toEqual([]);
  expect((await running.submit("Filter", { query: "nothing" })).text).toContain("No matching schedules");

  const schedule = await week.follow("Bookshop: Mondays");
  expect(schedule.text).toContain("None yet.");
  expect((await visitor.open("/dashboard")).text).toMatch(/next run (\d+ \w+ \d{4}, )?\d\d:\d\d UTC/);
});

test("past days show their runs with verdicts and links, and where there are many, the list of all of that day", async () => {
  const circle = await createCircle("Yesterday");
  const schedule = await createSchedule(circle, { cron: "0 7 * * *", name: "Daily" });
  const { org } = decodeJwt<{ org: string }>(portal.backend.token);
  const serviceToken = await portal.serviceToken(org);
  /** As the scheduler does. */
  const record = async (time: string, skipReason?: string) => {
    const start = { scheduledFor: `2026-06-02T${time}:00Z`, isLate: false, skipReason };
    const due = { organizationId: org, scheduleId: schedule.id, version: 1_000, testCircleId: circle.id, missed: [] };
    const request = new Request("http://test-executioner/internal/v1/occurrences", {
      method: "POST",
      headers: { authorization: `Bearer ${serviceToken}`, "content-type": "application/json" },
      body: JSON.stringify({ items: [{ ...due, overlap: "skip", start }] }),
    });
    const response = await portal.ask("test-executioner", request);
    expect(await response.json()).toMatchObject({ items: [{ outcome: "recorded" }] });
  };
  const list = async () => {
    const query = { scheduleId: schedule.id };
    return requireValue(await portal.backend.testExecutioner.listOccurrences({ query }), "occurrences").items;
  };
  for (const time of ["05:00", "06:30", "08:00", "09:15"]) {
    await record(time);
    await expect.poll(async () => (await list())[0]?.run?.verdict ?? undefined).toBeDefined();
  }
  await record("10:00", "In the maintenance window “Move”.");
  const [, last] = await list();
  const week = await visitor.open("/test-management/schedules?week=2026-06-01&query=yesterday");
  const [row] = week.rows("Yesterday: Daily");
  expect(row).not.toContain("05:00");
  const verdict = { passed: "Passed", failed: "Failed" }[last!.run!.verdict as string];
  const words = `${verdict}, Yesterday: Daily, Tue 2`;
  expect(row).toContain(`06:30 ${words} 08:00 ${words} 09:15 ${words}and 1 more of Yesterday: Daily, Tue 2 1 skipped`);
  const run = await week.follow(`09:15 ${verdict}`);
  expect(run.address).toContain(`/executions/${last!.run!.id}/results`);
  const ofDay = await week.follow("and 1 more");
  expect(ofDay.text).toContain("Runs between 2 Jun 2026, 00:00 UTC and 3 Jun 2026, 00:00 UTC.");
  expect(ofDay.address).toContain(`/test-circles/${circle.id}/executions/list`);
});

test("a calendar's address is created, displayed once, read without a session, and revoked by a new one", async () => {
  await createSchedule(await createCircle("Calendar"), { cron: "0 7 * * *" });
  const page = await visitor.open("/test-management/schedules");
  const getAddress = ({ text }: { text: string }) => /https:\/\/\S+\/schedules\.ics/.exec(text)?.[0];
  const read = async (address = "") => {
    const [, calendarToken = ""] = /calendars\/([^/]+)/.exec(address) ?? [];
    return (await portal.backend.testRegistry.readCalendar({ params: { calendarToken }, query: {} })).status;
  };
  expect(getAddress(page)).toBeUndefined();
  const made = await page.submit("Create link");
  const first = getAddress(made);
  expect(first).toMatch(/^https:\/\/portal\.example\.com\/api\/test-registry\/api\/v1\/calendars\//);
  expect(await read(first)).toBe(200);
  const again = await visitor.open("/test-management/schedules");
  expect(getAddress(again)).toBeUndefined();
  const requested = await again.follow("Create a new link");
  expect(requested.text).toContain("subscribed calendars get no more updates");
  const renewed = await requested.submit("Create a new link");
  expect(getAddress(renewed)).toMatch(/schedules\.ics$/);
  expect(getAddress(renewed)).not.toBe(first);
  expect([await read(first), await read(getAddress(renewed))]).toEqual([404, 200]);
  expect(renewed.text).not.toContain("Create a new calendar link?");
});

test("a calendar's address is revoked after asking, also without remaining schedules, and can be created again", async () => {
  const deleted = await portal.signIn();
  const page = await deleted.open("/test-management/schedules");
  const { token } = requireValue(await portal.backend.testRegistry.renewCalendar(), "calendar");
  const status = async () =>
    (await portal.backend.testRegistry.readCalendar({ params: { calendarToken: token }, query: {} })).status;
  expect(await status()).toBe(200);
  const requested = await (await deleted.open(page.address)).follow("Revoke the link");
  expect(requested.text).toContain("subscribed calendars get no more updates");
  expect((await requested.follow("Cancel")).text).not.toContain("Revoke the calendar link?");
  const ended = await requested.submit("Revoke the link");
  expect(ended.text).toContain("Calendar link revoked.");
  expect(ended.text).toContain("Create link");
  expect(await status()).toBe(404);
  expect((await requested.submit("Revoke the link")).text).toContain("Create link");
});

test("the effect of a spread is displayed before it is saved, and afterwards at each time", async () => {
  const circle = await createCircle("Spread");
  const address = `/test-management/${apiId}/test-circles/${circle.id}/schedules/create`;
  const times = { cron: "30 17 * * *", timeZone: "Europe/Berlin", name: "At the end", spread: true };
  const hours = { onlyWithin: true, from: "08:00", to: "18:00" };
  const form = await (await visitor.open(address)).submit("Show next runs", { ...times, ...hours });
  expect(form.text).toContain("Each starts up to 60 min later, by a fixed offset that is shown once it is saved.");
  expect(form.text.match(/17:30 CES?T/g)).toHaveLength(10);
  const saved = await form.submit("Create schedule");
  const { items } = requireValue(
    await portal.backend.testRegistry.listSchedulesOfCircle({ params: { testCircleId: circle.id }, query: {} }),
    "schedules",
  );
  const edit = await saved.follow("At the end");
  expect(edit.text.split(items[0]!.next!.local.slice(11, 16))).toHaveLength(11);
  expect(edit.text).not.toContain("Each starts up to");
});
