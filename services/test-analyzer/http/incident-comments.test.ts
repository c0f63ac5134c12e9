import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createIncidentWorld, type IncidentTenant, type IncidentWorld } from "../testing/incident-world.ts";
import { failed } from "../testing/reported-runs.ts";

const [engine] = testEngines();
let world: IncidentWorld;
let tenant: IncidentTenant;
let params: { incidentId: string };
let firstRun: string;
beforeAll(async () => {
  world = await createIncidentWorld(engine);
});
afterAll(() => world.close());
beforeEach(async () => {
  tenant = await world.createTenant();
  firstRun = await tenant.run([[tenant.knownTest("order"), failed]]);
  params = { incidentId: (await tenant.listIncidents())[0]!.id };
});

const comments = async () =>
  requireValue(await tenant.client.listIncidentEntries({ params, query: {} }), "entries").items.filter(
    ({ kind }) => kind === "commented",
  );

test("a comment is an entry of the timeline, of a resolved incident too, with its line breaks and its author", async () => {
  const add = async (text: string, headers = {}) =>
    await tenant.client.createIncidentComment({ params, body: { text }, headers });
  const first = requireValue(await add(" The gateway is down.\r\nBack at 15:00. "), "comment");
  expect(first).toMatchObject({
    kind: "commented",
    text: "The gateway is down.\nBack at 15:00.",
    by: { name: "tester" },
  });
  requireValue(await tenant.client.resolveIncident({ params }), "resolve");
  requireValue(await add("<b>It was DNS</b>"), "comment");
  expect((await comments()).map(({ text }) => text)).toEqual(["<b>It was DNS</b>", first.text]);
  const headers = { "idempotency-key": uuidv7() };
  const once = requireValue(await add("Once", headers), "comment");
  expect(requireValue(await add("Once", headers), "again").id).toBe(once.id);
  expect((await add("Twice", headers)).status).toBe(409);
  expect(await comments()).toHaveLength(3);
  for (const text of [" ", "x".repeat(5_001), "\u202ereversed"]) expect((await add(text)).status).toBe(422);
  const audit = await tenant.client.listAuditRecords({ query: {} });
  expect(requireValue(audit, "audit").items[0]).toMatchObject({
    ...{ operation: "createIncidentComment", after: { text: "Once" } },
  });
});

test("users delete their own comments only, and nothing else of the timeline", async () => {
  const body = { text: "Mine" };
  const { id: commentId } = requireValue(await tenant.client.createIncidentComment({ params, body }), "comment");
  const { organizationId } = tenant;
  const colleague = world.connect({ token: world.tokenFor({ organizationId }).token });
  const of = { params: { ...params, commentId } };
  expect((await colleague.deleteIncidentComment(of)).status).toBe(403);
  const { items } = requireValue(await tenant.client.listIncidentEntries({ params, query: {} }), "entries");
  const opened = items.find(({ kind }) => kind === "opened")!;
  const foreign = { params: { ...params, commentId: opened.id } };
  expect((await tenant.client.deleteIncidentComment(foreign)).status).toBe(404);
  expect((await tenant.client.deleteIncidentComment(of)).status).toBe(204);
  expect((await tenant.client.deleteIncidentComment(of)).status).toBe(404);
  expect(await comments()).toEqual([]);
});

test("viewers and other organizations write and delete no comments", async () => {
  const body = { text: "Mine" };
  const { id: commentId } = requireValue(await tenant.client.createIncidentComment({ params, body }), "comment");
  const stranger = await world.createTenant();
  const { organizationId } = tenant;
  const viewer = world.connect({ token: world.tokenFor({ organizationId, scopes: ["tests:read"] }).token });
  for (const [client, status] of [
    [stranger.client, 404],
    [viewer, 403],
  ] as const) {
    expect((await client.createIncidentComment({ params, body })).status).toBe(status);
    expect((await client.deleteIncidentComment({ params: { ...params, commentId } })).status).toBe(status);
  }
  expect(await comments()).toHaveLength(1);
});

test("an incident names the run with which it opened", async () => {
  const { items } = requireValue(await tenant.client.listIncidents({ query: {} }), "list");
  const incident = requireValue(await tenant.client.getIncident({ params: { incidentId: items[0]!.id } }), "get");
  expect(incident.firstRun).toEqual({ runId: firstRun, apiId: tenant.apiId });
});
