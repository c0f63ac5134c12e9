import { beforeEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type IncidentTenant, openIncidentWorld } from "../testing/incident-world.ts";
import { failed } from "../testing/reported-runs.ts";

const passed = undefined;
const day = 24 * 60 * 60_000;

for (const engine of testEngines()) {
  const world = await openIncidentWorld(engine);
  let tenant: IncidentTenant;
  let channelId: string;
  beforeEach(async () => {
    tenant = await world.createTenantAtNoon();
    channelId = (await tenant.createHook()).id;
  });

  const unresolved = () => tenant.listIncidents({ state: "unresolved" });
  async function mute(title: string, until: Date) {
    const { id } = (await unresolved()).find((one) => one.title === title)!;
    const body = { until: until.toISOString() };
    return requireValue(await tenant.client.muteIncident({ params: { incidentId: id }, body }), "mute");
  }
  const deliveries = async () =>
    requireValue(await tenant.client.listDeliveries({ params: { channelId }, query: {} }), "deliveries").items.map(
      ({ title, state }) => `${state}: ${title}`,
    );

  /** Two tests with one message that is deferred until seven. */
  async function breakInQuietHours() {
    const quietHours = { from: "22:00", to: "07:00", timeZone: "UTC" };
    await tenant.createRule({ channelIds: [channelId], quietHours });
    world.clock.moveTo(new Date("2026-03-10T23:00:00Z"));
    const [muted, other] = [tenant.knownTest("muted"), tenant.knownTest("other")];
    await tenant.run([
      [muted, failed],
      [other, failed],
    ]);
    return { muted, other };
  }

  test(`${engine.name}: muting one incident in quiet hours does not delay the others in the same message`, async () => {
    const { muted, other } = await breakInQuietHours();
    expect(await deliveries()).toEqual(["held: muted fails, and 1 more"]);
    await mute("muted fails", new Date("2026-04-08T12:00:00Z"));
    world.clock.moveTo(new Date("2026-03-11T07:01:00Z"));
    await expect.poll(deliveries).toEqual(["delivered: other fails", "held: muted fails"]);
    expect(await tenant.waitForAlerts(1)).toEqual(["incident.opened: other fails"]);
    const { id } = (await unresolved()).find(({ title }) => title === "other fails")!;
    expect(await tenant.entriesOf(id)).toEqual([
      "opened: other failed.",
      "held: Held for Hook.",
      "alerted: Alerted Hook.",
    ]);

    await tenant.run([[other, passed]]);
    await tenant.waitForAlerts(2);
    world.clock.moveTo(new Date("2026-04-08T12:01:00Z"));
    expect(await tenant.waitForAlerts(3)).toContain("incident.opened: muted fails");
    await tenant.run([[muted, passed]]);
    expect((await tenant.waitForAlerts(4))[3]).toBe("incident.resolved: Resolved: muted fails");
  });

  test(`${engine.name}: a muted incident that is resolved before its alert is never reported, whatever else its message contains`, async () => {
    const { muted } = await breakInQuietHours();
    await mute("muted fails", new Date(world.clock.now().getTime() + 2 * day));
    world.clock.moveTo(new Date("2026-03-11T07:01:00Z"));
    await expect.poll(deliveries).toContain("delivered: other fails");
    await tenant.run([[muted, passed]]);
    expect((await deliveries()).sort()).toEqual(["delivered: other fails", "dropped: muted fails"]);
    expect(await tenant.waitForAlerts(1)).toHaveLength(1);
  });

  const evening = new Date("2026-03-10T18:00:00Z");
  async function muteBroken() {
    await tenant.createRule({ channelIds: [channelId] });
    const known = tenant.knownTest("order");
    await tenant.run([[known, failed]]);
    await tenant.waitForAlerts(1);
    await mute("order fails", evening);
    return known;
  }

  test(`${engine.name}: a mute survives a brief recovery, until its end time`, async () => {
    const known = await muteBroken();
    await tenant.run([[known, passed]]);
    await tenant.run([[known, failed]]);
    const [again] = await unresolved();
    expect(again).toMatchObject({ state: "muted", mutedUntil: evening.toISOString() });
    expect(await tenant.entriesOf(again!.id)).toEqual([
      "opened: order failed.",
      "muted: Muted still, since its cause was.",
      "held: Held for Hook.",
    ]);
    expect((await deliveries())[0]).toBe("held: order fails");
    world.clock.moveTo(new Date("2026-03-10T18:01:00Z"));
    await tenant.waitForAlerts(3);
    expect((await deliveries())[0]).toMatch(/^(waiting|delivered): order fails$/);
    await tenant.run([[known, passed]]);
    await tenant.run([[known, failed]]);
    expect((await unresolved())[0]).toMatchObject({ state: "opened", mutedUntil: null });
  });

  test(`${engine.name}: a mute survives a recovery and a new failure that are reported together`, async () => {
    const known = await muteBroken();
    world.runs.beforeNextResponse(async () => void (await tenant.run([[known, failed]])));
    await tenant.run([[known, passed]]);
    expect((await tenant.listIncidents()).map(({ state }) => state)).toEqual(["muted", "resolved"]);
  });

  test(`${engine.name}: a mute that a user ended, or whose incident a user resolved, does not continue`, async () => {
    const known = await muteBroken();
    const params = { incidentId: (await unresolved())[0]!.id };
    requireValue(await tenant.client.resolveIncident({ params }), "resolve");
    await tenant.run([[known, failed]]);
    expect((await unresolved())[0]).toMatchObject({ state: "opened" });
    await mute("order fails", evening);
    await tenant.run([[known, passed]]);
    await tenant.run([[known, failed]]);
    const again = (await unresolved())[0]!;
    expect(again.state).toBe("muted");
    requireValue(await tenant.client.unmuteIncident({ params: { incidentId: again.id } }), "unmute");
    await tenant.run([[known, passed]]);
    await tenant.run([[known, failed]]);
    expect((await unresolved())[0]).toMatchObject({ state: "opened" });
  });
}
