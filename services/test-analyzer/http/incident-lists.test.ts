import { uuidv7 } from "uuidv7";
import { beforeEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type IncidentTenant, openIncidentWorld } from "../testing/incident-world.ts";
import { failed } from "../testing/reported-runs.ts";

const minute = 60_000;
const passed = undefined;

for (const engine of testEngines()) {
  const world = await openIncidentWorld(engine);
  let tenant: IncidentTenant;
  beforeEach(async () => {
    tenant = await world.createTenantAtNoon();
  });

  const titles = async (query: object) =>
    (await tenant.listIncidents(query)).map(({ title }) => title.replace(" fails", ""));
  async function readOnly() {
    const [only] = await tenant.listIncidents();
    return requireValue(await tenant.client.getIncident({ params: { incidentId: only!.id } }), "get");
  }

  test(`${engine.name}: incidents are sorted by severity, then newest first, page by page`, async () => {
    const severities = [
      { tag: "pay", severity: "critical" as const },
      { tag: "slow", severity: "low" as const },
    ];
    await tenant.createRule({ severities });
    const tags: Record<string, string[]> = { a: ["pay"], b: ["slow"], c: [], d: ["pay"], e: ["slow"] };
    for (const [name, ofTest] of Object.entries(tags)) {
      await tenant.run([[tenant.knownTest(name, { tags: ofTest }), failed]]);
    }
    expect(await titles({ sort: "severity", state: "unresolved" })).toEqual(["d", "a", "c", "e", "b"]);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { sort: "severity" as const, limit: 2, cursor: cursor ?? undefined };
      const page = requireValue(await tenant.client.listIncidents({ query }), "list");
      seen.push(...page.items.map(({ title }) => title[0]!));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(["d", "a", "c", "e", "b"]);
  });

  test(`${engine.name}: incidents are found by a failed test, and by a moment at which they were open`, async () => {
    const [one, other] = [tenant.knownTest("one"), tenant.knownTest("other")];
    await tenant.run([[one, failed]]);
    const began = world.clock.now().toISOString();
    await tenant.run([[one, passed]]);
    await tenant.run([[other, failed]]);
    const now = world.clock.now().toISOString();
    world.clock.advance(minute);
    const later = world.clock.now().toISOString();
    expect(await titles({ testIds: one.id })).toEqual(["one"]);
    expect(await titles({ testIds: `${one.id},${other.id}` })).toEqual(["other", "one"]);
    expect(await titles({ testIds: uuidv7() })).toEqual([]);
    expect(await titles({ at: began })).toEqual(["one"]);
    expect(await titles({ at: now })).toEqual(["other"]);
    expect(await titles({ at: later, testIds: one.id })).toEqual([]);
  });

  test(`${engine.name}: an incident lists the notified channels and the state of their deliveries`, async () => {
    const hook = await tenant.createHook();
    await tenant.createRule({ channelIds: [hook.id] });
    await tenant.run([[tenant.knownTest("order"), failed]]);
    await tenant.waitForAlerts(1);
    const at = world.clock.now().toISOString();
    const notified = { channelId: hook.id, name: "Hook", kind: "webhook", at, notBefore: null };
    const { notified: before, notNotified } = await readOnly();
    // Received, but the sender may need a moment more to record it.
    expect(before).toMatchObject([{ ...notified, state: expect.stringMatching(/^(waiting|delivered)$/) }]);
    expect(notNotified).toBeNull();
  });

  test(`${engine.name}: an incident without notified channels gives the reason`, async () => {
    const known = tenant.knownTest("order");
    await tenant.run([[known, failed]]);
    const because = async () => (await readOnly()).notNotified;
    expect(await because()).toEqual({ because: "no_rule", scope: null });
    const rule = await tenant.createRule({});
    const scope = { kind: "organization" as const };
    expect(await because()).toEqual({ because: "no_channel", scope });
    const hook = await tenant.createHook();
    const params = { ruleId: rule.id };
    requireValue(await tenant.client.changeRule({ params, body: { scope, channelIds: [hook.id] } }), "change");
    expect(await because()).toEqual({ because: "later", scope });
    const url = "https://hooks.example.com";
    const off = { kind: "webhook" as const, name: "Hook", enabled: false, url };
    requireValue(await tenant.client.changeChannel({ params: { channelId: hook.id }, body: off }), "switch off");
    expect(await because()).toEqual({ because: "switched_off", scope });
  });

  test(`${engine.name}: incidents are listed newest first by state, API and circle, page by page`, async () => {
    const testCircleId = uuidv7();
    const other = uuidv7();
    await tenant.run([[tenant.knownTest("a"), failed]]);
    await tenant.run([[tenant.knownTest("b", { apiId: other }), failed]], { testCircleId });
    const third = tenant.knownTest("c");
    await tenant.run([[third, failed]]);
    await tenant.run([[third, passed]]);
    expect(await titles({})).toEqual(["c", "b", "a"]);
    expect(await titles({ state: "unresolved" })).toEqual(["b", "a"]);
    expect(await titles({ state: "resolved" })).toEqual(["c"]);
    expect(await titles({ state: "muted" })).toEqual([]);
    expect(await titles({ apiId: other })).toEqual(["b"]);
    expect(await titles({ testCircleId })).toEqual(["b"]);
    const first = requireValue(await tenant.client.listIncidents({ query: { state: "opened", limit: 1 } }), "list");
    expect([first.items[0]!.title, first.total]).toEqual(["b fails", 2]);
    expect(await titles({ state: "opened", limit: 1, cursor: first.nextCursor })).toEqual(["a"]);
    const { tests } = requireValue(
      await tenant.client.getIncident({ params: { incidentId: first.items[0]!.id } }),
      "get",
    );
    expect(tests).toMatchObject([{ testName: "b", testCircleId, testCircleName: "Nightly", state: "failing" }]);
  });

  test(`${engine.name}: T01: another organization's incidents are not found, and a viewer changes none`, async () => {
    await tenant.run([[tenant.knownTest("order"), failed]]);
    const params = { incidentId: (await readOnly()).id };
    const stranger = await world.createTenant();
    expect(await stranger.listIncidents()).toEqual([]);
    const { token } = world.tokenFor({ organizationId: tenant.organizationId, scopes: ["tests:read"] });
    const viewer = world.connect({ token });
    const body = { until: new Date(world.clock.now().getTime() + minute).toISOString() };
    for (const [client, status] of [
      [stranger.client, 404],
      [viewer, 403],
    ] as const) {
      const results = [
        await client.acknowledgeIncident({ params }),
        await client.muteIncident({ params, body }),
        await client.unmuteIncident({ params }),
        await client.resolveIncident({ params }),
      ];
      expect(results.map((result) => result.status)).toEqual(Array(4).fill(status));
    }
    expect((await stranger.client.getIncident({ params })).status).toBe(404);
    expect((await stranger.client.listIncidentEntries({ params, query: {} })).status).toBe(404);
    expect((await viewer.getIncident({ params })).status).toBe(200);
  });
}
