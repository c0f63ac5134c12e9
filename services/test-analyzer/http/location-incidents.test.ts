import { uuidv7 } from "uuidv7";
import { beforeEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type IncidentTenant, openIncidentWorld } from "../testing/incident-world.ts";

const since = "2026-03-10T11:51:00.000Z";
const locationId = uuidv7();
const testCircleId = uuidv7();

for (const engine of testEngines()) {
  const world = await openIncidentWorld(engine);
  let tenant: IncidentTenant;
  beforeEach(async () => {
    tenant = await world.createTenantAtNoon();
    await tenant.watchAll();
  });

  const report = (silent: object | null, ending = "An agent of Berlin calls again.") =>
    tenant.receive({
      id: uuidv7(),
      type: "location.watched",
      organizationId: tenant.organizationId,
      occurredAt: world.clock.now().toISOString(),
      payload: { locationId, locationName: "Berlin", silent, ending },
    } as never);
  const otherApi = uuidv7();
  const getSilent = (changes: object = {}) => ({
    ...{ since, hasCalled: true, apiIds: [tenant.apiId, otherApi], testCircleIds: [testCircleId], ...changes },
  });

  test(`${engine.name}: a silent location is one incident, alerted once, until an agent calls again`, async () => {
    await report(getSilent());
    await report(getSilent());
    const [incident, ...others] = await tenant.listIncidents({});
    expect(others).toEqual([]);
    expect(incident).toMatchObject({
      title: "No agent of Berlin calls",
      cause: { kind: "location", locationId, hasCalled: true },
      reason: "Tests that are sent from Berlin are not run. None has failed for it.",
      ...{ state: "opened", since, runId: null, failing: 0, affected: 0, testCircleIds: [testCircleId] },
    });
    expect([...incident!.apiIds].sort()).toEqual([tenant.apiId, otherApi].sort());
    const params = { incidentId: incident!.id };
    const whole = requireValue(await tenant.client.getIncident({ params }), "incident");
    expect(whole).toMatchObject({ tests: [], notified: [{ name: "Hook" }], notNotified: null });
    for (const filter of [{ apiId: otherApi }, { testCircleId }]) {
      expect((await tenant.listIncidents(filter)).map(({ id }) => id)).toEqual([incident!.id]);
    }
    await report(null);
    expect(await tenant.waitForAlerts(2)).toEqual([
      "incident.opened: No agent of Berlin calls",
      "incident.resolved: Resolved: No agent of Berlin calls",
    ]);
    const { data } = JSON.parse(world.hook.requests.findLast(({ text }) => text.includes("incident.opened"))!.text);
    expect(data.incidents[0].locationUrl).toMatch(new RegExp(`/administration/locations/${locationId}$`));
    expect((await tenant.listIncidents({}))[0]).toMatchObject({ state: "resolved", resolved: { by: null } });
    await report(getSilent({ hasCalled: false }));
    expect((await tenant.listIncidents({})).map(({ title, state }) => [title, state])).toEqual([
      ["No agent of Berlin has called yet", "opened"],
      ["No agent of Berlin calls", "resolved"],
    ]);
  });
}
