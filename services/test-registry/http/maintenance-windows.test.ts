import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createCircle } from "../testing/scheduled-circle.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

const [engine] = testEngines();
let world: Awaited<ReturnType<typeof createTestRegistryWorld>>;
beforeAll(async () => {
  world = await createTestRegistryWorld(engine);
});
afterAll(() => world.close());

const once = { kind: "once" as const, from: "2026-03-01T11:00:00Z", to: "2026-03-01T13:00:00Z" };
const weekly = { kind: "repeating" as const, cron: "0 2 * * 6", timeZone: "Europe/Berlin", durationMinutes: 90 };

test("windows are created, changed and deleted, and return their current or next time", async () => {
  const tenant = world.createTenant();
  const create = async (body: Parameters<typeof tenant.client.createMaintenanceWindow>[0]["body"]) =>
    requireValue(await tenant.client.createMaintenanceWindow({ body }), "create");
  const now = await create({ name: "Now", apiId: tenant.apiId, times: once });
  expect(now).toMatchObject({ version: 1, next: { from: "2026-03-01T11:00:00.000Z", isOn: true } });
  const testCircleId = await createCircle(tenant);
  const deploy = await create({ name: "Deploy", testCircleId, times: weekly });
  expect(deploy.next).toEqual({ from: "2026-03-07T01:00:00.000Z", to: "2026-03-07T02:30:00.000Z", isOn: false });
  const over = await create({ name: "Over", times: { ...once, to: "2026-03-01T11:30:00Z" } });
  expect(over.next).toBeNull();
  const list = async (query: object) =>
    requireValue(await tenant.client.listMaintenanceWindows({ query }), "list").items.map(({ name }) => name);
  expect(await list({})).toEqual(["Over", "Deploy", "Now"]);
  expect(await list({ query: "dep" })).toEqual(["Deploy"]);
  expect(await list({ testCircleId })).toEqual(["Deploy"]);
  const params = { maintenanceWindowId: now.id };
  const body = { name: "Later", times: weekly };
  const change = (ifMatch: string) =>
    tenant.client.changeMaintenanceWindow({ params, body, headers: { "if-match": ifMatch } });
  expect(requireValue(await change('"1"'), "change")).toMatchObject({ name: "Later", version: 2 });
  expect((await change('"1"')).status).toBe(412);
  expect(requireValue(await tenant.client.getMaintenanceWindow({ params }), "get").times).toEqual(weekly);
  requireValue(await tenant.client.deleteMaintenanceWindow({ params }), "delete");
  expect(await list({})).toEqual(["Over", "Deploy"]);
});

test("a window is deleted with its circle", async () => {
  const tenant = world.createTenant();
  const testCircleId = await createCircle(tenant);
  const body = { name: "w", testCircleId, times: once };
  const { id } = requireValue(await tenant.client.createMaintenanceWindow({ body }), "create");
  requireValue(await tenant.client.deleteCircle({ params: { testCircleId } }), "delete");
  expect((await tenant.client.getMaintenanceWindow({ params: { maintenanceWindowId: id } })).status).toBe(404);
});

test("a window is deleted with its API, those of others remain", async () => {
  const tenant = world.createTenant();
  const { apiId, organizationId } = tenant;
  const create = async (body: object) =>
    requireValue(await tenant.client.createMaintenanceWindow({ body: { name: "w", times: once, ...body } }), "create");
  await create({ apiId });
  const remaining = [await create({}), await create({ apiId: world.registerApi(organizationId) })];
  const deleted = { id: uuidv7(), organizationId, occurredAt: new Date().toISOString() };
  const body = { ...deleted, type: "api.deleted" as const, payload: { apiId } };
  const token = await world.identities.serviceToken(organizationId);
  requireValue(await world.connect({ token }).receiveEvent({ body }), "tell");
  const { items } = requireValue(await tenant.client.listMaintenanceWindows({ query: {} }), "list");
  expect(items.map(({ id }) => id).sort()).toEqual(remaining.map(({ id }) => id).sort());
});

test("another organization's windows, circles and APIs look absent", async () => {
  const owner = world.createTenant();
  const { id } = requireValue(
    await owner.client.createMaintenanceWindow({ body: { name: "w", times: once } }),
    "create",
  );
  const { client } = world.createTenant();
  for (const maintenanceWindowId of [id, uuidv7()]) {
    const params = { maintenanceWindowId };
    const responses = [
      await client.getMaintenanceWindow({ params }),
      await client.changeMaintenanceWindow({ params, body: { name: "x", times: once } }),
      await client.deleteMaintenanceWindow({ params }),
    ];
    for (const response of responses) expect(response.status).toBe(404);
  }
  expect(await client.listMaintenanceWindows({ query: {} })).toMatchObject({ value: { items: [] } });
  for (const foreign of [{ apiId: owner.apiId }, { testCircleId: await createCircle(owner) }]) {
    const response = await client.createMaintenanceWindow({ body: { name: "w", times: once, ...foreign } });
    expect(response).toMatchObject({ status: 422, problem: { errors: [{ path: Object.keys(foreign)[0] }] } });
  }
});

test("a preview lists a window's times, including the current one, and its errors", async () => {
  const { client } = world.createTenant();
  const preview = (times: typeof once | typeof weekly) => client.previewMaintenanceWindow({ body: { times } });
  const { from, to } = once;
  const toIso = (text: string) => new Date(text).toISOString();
  expect(requireValue(await preview(once), "preview").items).toEqual([{ from: toIso(from), to: toIso(to) }]);
  expect(requireValue(await preview({ ...once, to: "2026-03-01T11:30:00Z" }), "preview").items).toEqual([]);
  // Clocks go forward on 29 March, which moves the last two.
  expect(requireValue(await preview(weekly), "preview").items.map((span) => span.from.slice(5, 16))).toEqual([
    ...["03-07T01:00", "03-14T01:00", "03-21T01:00", "03-28T01:00", "04-04T00:00"],
  ]);
  expect(await preview({ ...weekly, cron: "x" })).toMatchObject({
    status: 422,
    problem: { errors: [{ path: "times.cron" }] },
  });
});

test("the times of windows in a range are those that apply, never before a window was created", async () => {
  const tenant = world.createTenant();
  const create = async (body: Parameters<typeof tenant.client.createMaintenanceWindow>[0]["body"]) =>
    requireValue(await tenant.client.createMaintenanceWindow({ body }), "create");
  const testCircleId = await createCircle(tenant);
  const other = world.registerApi(tenant.organizationId);
  const nightly = { ...weekly, cron: "0 2 * * *" };
  await create({ name: "All", times: { ...once, from: "2026-02-01T00:00:00Z" } });
  await create({ name: "API", apiId: tenant.apiId, times: nightly });
  await create({ name: "Other API", apiId: other, times: nightly });
  await create({ name: "Circle", testCircleId, times: weekly });
  await create({ name: "Over", times: { kind: "once", from: "2026-02-02T00:00:00Z", to: "2026-02-02T01:00:00Z" } });
  await create({ name: "Always", times: { ...nightly, cron: "*/5 * * * *", durationMinutes: 1 } });
  const range = { from: "2026-01-01T00:00:00.000Z", to: "2026-03-04T00:00:00.000Z" };
  const list = async (query: object) => {
    const { items } = requireValue(
      await tenant.client.listMaintenanceWindowTimes({ query: { ...range, ...query } }),
      "times",
    );
    return items.map(({ name, from }) => `${name} ${from.slice(0, 13)}`);
  };
  expect(await list({})).toEqual(["All 2026-02-01T00"]);
  expect(await list({ apiId: tenant.apiId })).toEqual([
    ...["All 2026-02-01T00", "API 2026-03-02T01", "API 2026-03-03T01"],
  ]);
  expect(await list({ testCircleId, to: "2026-03-09T00:00:00.000Z" })).toEqual(
    expect.arrayContaining(["All 2026-02-01T00", "Circle 2026-03-07T01"]),
  );
  expect(await list({ every: "true" })).toContain("Other API 2026-03-02T01");
  const ask = async (query: object) =>
    (await tenant.client.listMaintenanceWindowTimes({ query: { ...range, ...query } })).status;
  expect(await ask({ to: range.from })).toBe(400);
  expect(await ask({ from: "2025-01-01T00:00:00.000Z" })).toBe(400);
  expect(await ask({ testCircleId: uuidv7() })).toBe(404);
  const stranger = world.createTenant();
  const theirs = requireValue(
    await stranger.client.listMaintenanceWindowTimes({ query: { ...range, every: "true" } }),
    "times",
  );
  expect(theirs.items).toEqual([]);
});
