import { beforeEach, expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { type IncidentTenant, openIncidentWorld } from "../testing/incident-world.ts";
import { type Came, failed, refused } from "../testing/reported-runs.ts";

const passed = undefined;
const timedOut: Came = {
  ...refused,
  causeCode: "timeout",
  causePhase: "wait",
  reason: "There was no complete answer within 5000 ms.",
};
const hour = 3_600_000;

for (const engine of testEngines()) {
  const world = await openIncidentWorld(engine);
  let tenant: IncidentTenant;
  beforeEach(async () => {
    tenant = await world.createTenantAtNoon();
    await tenant.watchAll();
  });
  const titles = async () => (await tenant.listIncidents({ state: "unresolved" })).map(({ title }) => title).sort();

  test(`${engine.name}: an endpoint that times out is an incident of its test, and hides no other`, async () => {
    const [report, exports, books] = ["GET /report", "GET /export", "GET /books"].map((name) => tenant.knownTest(name));
    await tenant.run([
      [report!, timedOut],
      [exports!, passed],
      [books!, passed],
    ]);
    expect(await titles()).toEqual(["GET /report fails"]);
    world.clock.advance(48 * hour);
    await tenant.run([
      [report!, timedOut],
      [exports!, { ...timedOut, causeCode: "connection_reset" }],
      [books!, passed],
    ]);
    expect(await titles()).toEqual(["GET /export fails", "GET /report fails"]);
    expect(await tenant.waitForAlerts(2)).toEqual([
      "incident.opened: GET /report fails",
      "incident.opened: GET /export fails",
    ]);
  });

  test(`${engine.name}: the trouble of one place is one incident, and every incident says which places see it`, async () => {
    const berlin = "0198c1f4-7c1b-7a52-9d2e-3f1a5b6c7d8e";
    const since = "2026-03-10T11:00:00.000Z";
    const places = [
      { locationId: null, name: "the portal", state: "passing" as const, since: null },
      { locationId: berlin, name: "Berlin", state: "failing" as const, since },
    ];
    const troubled = { ...refused, places, trouble: { locationId: berlin, name: "Berlin" } };
    const [one, other, own] = ["one", "other", "own"].map((name) => tenant.knownTest(name));
    await tenant.run([
      [one!, { ...troubled, host: "a.example.com" }],
      [other!, { ...troubled, host: "b.example.com" }],
      [own!, { ...failed, places }],
    ]);
    expect(await titles()).toEqual(["Berlin can't reach several hosts", "own fails"]);
    const incidents = await tenant.listIncidents({});
    expect(incidents.find(({ cause }) => cause.kind === "place")).toMatchObject({
      ...{ cause: { kind: "place", locationId: berlin }, failing: 2, places },
    });
    await tenant.waitForAlerts(1);
    const { data } = JSON.parse(world.hook.requests.at(-1)!.text);
    expect(data.incidents[0].places).toEqual(places);
    await tenant.run([
      [one!, passed],
      [other!, passed],
      [own!, passed],
    ]);
    expect(await titles()).toEqual([]);
  });

  test(`${engine.name}: a host that can't be resolved or connected to is one incident`, async () => {
    const codes = ["dns_failed", "connection_refused", "connection_failed", "target_not_allowed"];
    await tenant.run([
      ...codes.map((causeCode) => [tenant.knownTest(causeCode), { ...refused, causeCode }] satisfies [unknown, Came]),
      [tenant.knownTest("no connection in time"), { ...timedOut, causePhase: "connect" }],
      [tenant.knownTest("cut while connecting"), { ...timedOut, causeCode: "connection_reset", causePhase: "tls" }],
    ]);
    expect(await titles()).toEqual(["api.example.com is not reachable"]);
  });

  test(`${engine.name}: a step that lacks values of a slow step belongs to the incident of that step`, async () => {
    const [login, order] = ["log in", "order"].map((name) => tenant.knownTest(name));
    const after = { testId: login!.id, testName: "log in" };
    await tenant.run([
      [login!, timedOut],
      [order!, { ...failed, host: null, after }],
    ]);
    expect(await titles()).toEqual(["log in fails"]);
  });
}
