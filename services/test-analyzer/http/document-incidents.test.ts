import { uuidv7 } from "uuidv7";
import { beforeEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type IncidentTenant, openIncidentWorld } from "../testing/incident-world.ts";

const since = "2026-03-10T11:00:00.000Z";
const changed = { reason: "Version 3: 1 operation breaks. DELETE /books/{bookId} was removed.", since };
const unavailable = { reason: "the address answered 503.", since };
const nothing = { changed: null, unavailable: null, ending: "The address serves the registered version.", by: null };

for (const engine of testEngines()) {
  const world = await openIncidentWorld(engine);
  let tenant: IncidentTenant;
  beforeEach(async () => {
    tenant = await world.createTenantAtNoon();
    await tenant.watchAll();
  });

  const report = (state: Partial<typeof nothing> | object) =>
    tenant.receive({
      id: uuidv7(),
      type: "document.watched",
      organizationId: tenant.organizationId,
      occurredAt: world.clock.now().toISOString(),
      payload: { apiId: tenant.apiId, apiName: "Bookshop", ...nothing, ...state },
    });

  test(`${engine.name}: a changed document is one incident with its reasons, alerted once, until it is over`, async () => {
    await report({ changed });
    const again = { ...changed, reason: "Version 4: 2 operations break." };
    await report({ changed: again });
    const [incident, ...others] = await tenant.listIncidents({ apiId: tenant.apiId });
    expect(others).toEqual([]);
    expect(incident).toMatchObject({
      title: "The document of Bookshop changed",
      cause: { kind: "document", apiId: tenant.apiId, problem: "changed" },
      ...{ reason: again.reason, state: "opened", since, runId: null, apiIds: [tenant.apiId], failing: 0 },
    });
    const params = { incidentId: incident!.id };
    expect(requireValue(await tenant.client.getIncident({ params }), "incident")).toMatchObject({
      tests: [],
      notified: [{ name: "Hook" }],
    });
    await report({});
    expect(await tenant.waitForAlerts(2)).toEqual([
      "incident.opened: The document of Bookshop changed",
      "incident.resolved: Resolved: The document of Bookshop changed",
    ]);
    const { data } = JSON.parse(world.hook.requests.findLast(({ text }) => text.includes("incident.opened"))!.text);
    expect(data.incidents[0]).toMatchObject({
      documentUrl: expect.stringMatching(new RegExp(`/api-management/${tenant.apiId}/details/watch$`)),
    });
    expect(data.incidents[0]).not.toHaveProperty("runUrl");
    expect(await tenant.entriesOf(incident!.id)).toEqual([
      `opened: ${changed.reason}`,
      "alerted: Alerted Hook.",
      `renewed: ${again.reason}`,
      `resolved: ${nothing.ending}`,
      "alerted: Notified Hook that it is resolved.",
    ]);
  });

  test(`${engine.name}: an unreadable address is a cause of its own, which a person's decision does not end`, async () => {
    await report({ changed });
    await report({ changed, unavailable });
    expect((await tenant.listIncidents({ state: "unresolved" })).map(({ title }) => title).sort()).toEqual([
      "The document of Bookshop can't be read",
      "The document of Bookshop changed",
    ]);
    await report({ unavailable, ending: "The version was dismissed.", by: { id: uuidv7(), name: "Ada" } });
    expect(await tenant.listIncidents({ state: "unresolved" })).toMatchObject([{ cause: { problem: "unavailable" } }]);
    expect(await tenant.listIncidents({ state: "resolved" })).toMatchObject([{ resolved: { by: { name: "Ada" } } }]);
    await tenant.receiveDeleted("api.deleted", { apiId: tenant.apiId });
    expect(await tenant.listIncidents({ state: "unresolved" })).toEqual([]);
  });

  test(`${engine.name}: a muted cause stays muted when the document changes again`, async () => {
    await report({ changed });
    const [incident] = await tenant.listIncidents({});
    const until = "2026-03-11T12:00:00.000Z";
    const params = { incidentId: incident!.id };
    requireValue(await tenant.client.muteIncident({ params, body: { until } }), "mute");
    await report({});
    await report({ changed });
    expect(await tenant.listIncidents({ state: "muted" })).toMatchObject([{ mutedUntil: until }]);
  });
}
