import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { beforeEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type IncidentTenant, openIncidentWorld } from "../testing/incident-world.ts";
import { failed, refused } from "../testing/reported-runs.ts";

const minute = 60_000;
const passed = undefined;

for (const engine of testEngines()) {
  const world = await openIncidentWorld(engine);
  let tenant: IncidentTenant;
  beforeEach(async () => {
    tenant = await world.createTenantAtNoon();
  });

  const unresolved = () => tenant.listIncidents({ state: "unresolved" });
  const only = async () => {
    const incidents = await tenant.listIncidents();
    expect(incidents).toHaveLength(1);
    return incidents[0]!;
  };

  test(`${engine.name}: incidents that open in one run are one message per channel`, async () => {
    await tenant.watchAll();
    const tests = Array.from({ length: 12 }, (_, number) => tenant.knownTest(`test ${number}`));
    await tenant.run(tests.map((known) => [known, failed]));
    expect(await tenant.listIncidents()).toHaveLength(12);
    const notified = await tenant.waitForAlerts(1);
    expect(notified).toEqual([expect.stringMatching(/^incident.opened: test \d+ fails, and 11 more$/)]);
    const { data } = JSON.parse(world.hook.requests.at(-1)!.text);
    expect([data.incidents.length, data.more]).toEqual([10, 2]);
    await tenant.run(tests.map((known) => [known, passed]));
    expect(await tenant.waitForAlerts(2)).toHaveLength(2);
  });

  test(`${engine.name}: a member's email gives times in the member's zone`, async () => {
    const username = `ada-${uuidv7().slice(-6)}`;
    const ada = await tenant.addMember({ username });
    await sql`update security_service.users set time_zone = 'Asia/Kolkata' where id = ${ada}`.execute(
      world.database.kysely,
    );
    const body = { kind: "mail" as const, name: "On call", enabled: true, memberIds: [ada], addresses: [] };
    const { id } = await tenant.createChannel(body);
    await tenant.createRule({ channelIds: [id] });
    await tenant.run([[tenant.knownTest("in India", { environmentUsed: "Staging" }), failed]]);
    const email = await world.mailServer.newest(`${username}@example.com`, /in India fails \(Bookshop, Staging\)/);
    expect(email.text).toContain("It has failed since 10 Mar 2026, 17:31 IST. Severity: high.");
    expect(email.text).toContain("Times are those of Asia/Kolkata.");
    const [incident] = await tenant.listIncidents();
    expect(email.text).toContain(`https://portal.example.com/test-management/incidents/${incident!.id}`);
  });

  test(`${engine.name}: the circle's rule takes precedence over the API's, and that over the organization's`, async () => {
    const testCircleId = uuidv7();
    world.circles.add(testCircleId);
    const apiId = await tenant.registerApi('{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{}}');
    const [everyone, team, circle] = [
      await tenant.createHook("Everyone"),
      await tenant.createHook("Team"),
      await tenant.createHook("Circle"),
    ];
    await tenant.createRule({ channelIds: [everyone.id] });
    await tenant.createRule({ scope: { kind: "api", apiId }, channelIds: [team.id] });
    await tenant.createRule({ scope: { kind: "circle", testCircleId }, channelIds: [circle.id], onRecovery: false });
    const [other, own] = [tenant.knownTest("other"), tenant.knownTest("own", { apiId })];
    await tenant.run([[other, failed]]);
    await tenant.run([[own, failed]]);
    await tenant.run([[own, failed]], { testCircleId });
    expect(await tenant.waitForAlerts(1, "Everyone")).toEqual(["incident.opened: other fails"]);
    expect(await tenant.waitForAlerts(1, "Team")).toEqual(["incident.opened: own fails"]);
    // The same cause, but the circle's channel has not been notified.
    expect(await tenant.waitForAlerts(1, "Circle")).toEqual(["incident.opened: own fails"]);
    await tenant.run([[own, passed]]);
    await tenant.run([[own, passed]], { testCircleId });
    await tenant.waitForAlerts(2, "Team");
    expect(await tenant.waitForAlerts(1, "Circle")).toHaveLength(1);
  });

  test(`${engine.name}: the highest severity among a test's tags is the incident's severity`, async () => {
    const severities = [
      { tag: "pay", severity: "critical" as const },
      { tag: "slow", severity: "low" as const },
    ];
    await tenant.createRule({ severity: "medium", severities });
    await tenant.run([[tenant.knownTest("plain"), failed]]);
    await tenant.run([[tenant.knownTest("slow", { tags: ["slow"] }), failed]]);
    await tenant.run([[tenant.knownTest("both", { tags: ["slow", "pay"] }), failed]]);
    expect((await unresolved()).map(({ severity }) => severity)).toEqual(["critical", "low", "medium"]);
  });

  test(`${engine.name}: reminders are sent until a user acknowledges`, async () => {
    await tenant.watchAll({ remindHours: 2 });
    await tenant.run([[tenant.knownTest("order"), failed]]);
    await tenant.waitForAlerts(1);
    world.clock.advance(2 * 60 * minute);
    expect((await tenant.waitForAlerts(2))[1]).toBe("incident.reminder: Still: order fails");
    world.clock.advance(2 * 60 * minute);
    await tenant.waitForAlerts(3);
    const { id } = await only();
    const params = { incidentId: id };
    const first = requireValue(await tenant.client.acknowledgeIncident({ params }), "acknowledge");
    expect(first).toMatchObject({ state: "acknowledged", acknowledged: { by: { name: "tester" } } });
    const { token } = world.tokenFor({ organizationId: tenant.organizationId });
    const second = requireValue(await world.connect({ token }).acknowledgeIncident({ params }), "again");
    expect(second.acknowledged).toEqual(first.acknowledged);
    world.clock.advance(10 * 60 * minute);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await tenant.waitForAlerts(3)).toHaveLength(3);
  });

  test(`${engine.name}: a muted incident is silent until it is resolved, and the resolution is reported`, async () => {
    await tenant.watchAll({ remindHours: 1 });
    const known = tenant.knownTest("order");
    await tenant.run([[known, failed]]);
    await tenant.waitForAlerts(1);
    const params = { incidentId: (await only()).id };
    const until = new Date(world.clock.now().getTime() + 5 * 60 * minute).toISOString();
    for (const bad of [world.clock.now().toISOString(), "2026-05-10T12:00:00.000Z"]) {
      expect(await tenant.client.muteIncident({ params, body: { until: bad } })).toMatchObject({
        status: 422,
        problem: { errors: [{ path: "until" }] },
      });
    }
    const muted = requireValue(await tenant.client.muteIncident({ params, body: { until } }), "mute");
    expect(muted).toMatchObject({ state: "muted", mutedUntil: until });
    world.clock.advance(4 * 60 * minute);
    await tenant.run([[known, failed]]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await tenant.run([[known, passed]]);
    expect(await tenant.waitForAlerts(2)).toEqual([
      "incident.opened: order fails",
      "incident.resolved: Resolved: order fails",
    ]);
  });

  test(`${engine.name}: alerts of a muted incident for other channels are sent when the mute ends`, async () => {
    await tenant.watchAll();
    const testCircleId = uuidv7();
    world.circles.add(testCircleId);
    const circle = await tenant.createHook("Circle");
    await tenant.createRule({ scope: { kind: "circle", testCircleId }, channelIds: [circle.id] });
    await tenant.run([[tenant.knownTest("one"), refused]]);
    const params = { incidentId: (await only()).id };
    const until = new Date(world.clock.now().getTime() + 60 * minute).toISOString();
    await tenant.client.muteIncident({ params, body: { until } });
    await tenant.run([[tenant.knownTest("other"), refused]], { testCircleId });
    const list = { params: { channelId: circle.id }, query: {} };
    expect(requireValue(await tenant.client.listDeliveries(list), "list").items).toMatchObject([{ state: "held" }]);
    requireValue(await tenant.client.unmuteIncident({ params }), "unmute");
    expect(await tenant.waitForAlerts(1, "Circle")).toEqual(["incident.opened: api.example.com is not reachable"]);
  });

  test(`${engine.name}: in quiet hours alerts that are not critical are deferred, and dropped when the incident is resolved first`, async () => {
    const quietHours = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
    await tenant.watchAll({ quietHours, severities: [{ tag: "pay", severity: "critical" }] });
    // 23:00 in Berlin.
    world.clock.moveTo(new Date("2026-03-10T22:00:00Z"));
    const [brief, long, grave] = [
      tenant.knownTest("brief"),
      tenant.knownTest("long"),
      tenant.knownTest("grave", { tags: ["pay"] }),
    ];
    await tenant.run([
      [brief, failed],
      [long, failed],
    ]);
    await tenant.run([[brief, passed]]);
    await tenant.run([[grave, failed]]);
    expect(await tenant.waitForAlerts(1)).toEqual(["incident.opened: grave fails"]);
    world.clock.moveTo(new Date("2026-03-11T05:59:00Z"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await tenant.waitForAlerts(1)).toHaveLength(1);
    world.clock.moveTo(new Date("2026-03-11T06:01:00Z"));
    expect(await tenant.waitForAlerts(2)).toContain("incident.opened: long fails");
    await tenant.run([[long, passed]]);
    expect((await tenant.waitForAlerts(3))[2]).toBe("incident.resolved: Resolved: long fails");
  });
}
