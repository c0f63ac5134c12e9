import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

const [engine] = testEngines();
let world: Awaited<ReturnType<typeof createTestRegistryWorld>>;
let client: ReturnType<typeof world.createTenant>["client"];
beforeAll(async () => {
  world = await createTestRegistryWorld(engine);
  client = world.createTenant().client;
});
afterAll(() => world.close());

const timeZone = "Europe/Berlin";

test("a preview lists the next ten times, in local time too, and effects of clock changes", async () => {
  const body = { cron: "30 2 * * *", timeZone, from: "2026-10-23T12:00:00Z" };
  const preview = requireValue(await client.previewSchedule({ body }), "preview");
  expect(preview.items).toHaveLength(10);
  expect(preview.items.slice(0, 3)).toEqual([
    { at: "2026-10-24T00:30:00.000Z", local: "2026-10-24T02:30:00+02:00" },
    {
      at: "2026-10-25T00:30:00.000Z",
      local: "2026-10-25T02:30:00+02:00",
      note: "25 October 2026: 02:30 occurs twice; the first is used.",
    },
    { at: "2026-10-26T01:30:00.000Z", local: "2026-10-26T02:30:00+01:00" },
  ]);
  expect(preview.clockChanges.map(({ note }) => note)).toEqual([
    "25 October 2026: 02:30 occurs twice; the first is used.",
    "28 March 2027: 02:30 does not exist, 03:00 is taken.",
  ]);
  expect(preview).toMatchObject({ spreadWithinSeconds: 0, shortestStepSeconds: 86_400, runsPerMonth: 30 });
});

test("a preview without a start time starts now", async () => {
  const preview = requireValue(await client.previewSchedule({ body: { everySeconds: 900, timeZone } }), "preview");
  expect(preview.items[0]?.at).toBe("2026-03-01T12:15:00.000Z");
  expect(preview.runsPerMonth).toBe(2_880);
});

test("the spread of a new schedule is previewed as a width, that of an existing one exactly", async () => {
  const body = { cron: "0 7 * * *", timeZone, spread: true };
  expect(requireValue(await client.previewSchedule({ body }), "preview").spreadWithinSeconds).toBe(3_599);
  const ofOne = { ...body, scheduleId: "0198c1f4-7a3e-7c41-9d55-3f0a00000e11" };
  const preview = requireValue(await client.previewSchedule({ body: ofOne }), "preview");
  expect(preview.spreadWithinSeconds).toBe(0);
  expect(preview.items[0]?.local).toBe("2026-03-02T07:00:01+01:00");
});

test("executions per month include the circle's members and data rows", async () => {
  const tenant = world.createTenant();
  const input = { name: "rows", method: "get", path: "/", request: {}, checks: ["not_a_server_error" as const] };
  const data = [{ name: "a" }, { name: "b" }, { name: "c" }];
  const create = async (body: object) =>
    requireValue(
      await tenant.client.createTest({ params: { apiId: tenant.apiId }, body: { ...input, ...body } }),
      "create",
    ).id;
  const members = [await create({ data }), await create({}), await create({ enabled: false })];
  const circle = requireValue(
    await tenant.client.createCircle({
      body: { name: "c", members: [...members, members[1]!].map((testId) => ({ testId })) },
    }),
    "create a circle",
  );
  const body = { cron: "0 7 * * *", timeZone, testCircleId: circle.id };
  const preview = requireValue(await tenant.client.previewSchedule({ body }), "preview");
  expect(preview).toMatchObject({ runsPerMonth: 30, executionsPerMonth: 30 * 5 });
  expect((await client.previewSchedule({ body })).status).toBe(404);
});

test("an invalid recurrence is reported at its field", async () => {
  const errors: [object, string, string | RegExp][] = [
    [{}, "cron", /Enter a cron expression/],
    [{ cron: "0 7 * * *", everySeconds: 60 }, "cron", "Choose a cron expression or an interval"],
    [{ cron: "61 7 * * *" }, "cron", "Invalid value for minute: 61"],
    [{ cron: "0 0 31 2 *" }, "cron", "No such day within ten years"],
    [{ cron: "0 7 * * *", timeZone: "Berlin" }, "timeZone", /No such time zone/],
    [{ everySeconds: 29 }, "everySeconds", "At least 30 seconds"],
    [{ everySeconds: 60, activeHours: { from: "08:00", to: "08:00" } }, "activeHours.to", /no length/],
    [{ everySeconds: 60, activeHours: { from: "8", to: "09:00" } }, "activeHours.from", "Enter a time, e.g. 08:00"],
    [{ cron: "0 7 * * *", activeHours: { from: "08:00", to: "09:00" } }, "activeHours", /never runs/],
  ];
  for (const [given, path, message] of errors) {
    const response = await client.previewSchedule({ body: { timeZone, ...given } });
    expect(response, JSON.stringify(given)).toMatchObject({ status: 422, problem: { errors: [{ path }] } });
    expect(!response.ok && response.problem.errors?.[0]?.message).toMatch(message);
  }
});
