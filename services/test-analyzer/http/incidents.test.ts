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

  test(`${engine.name}: a broken test is one incident and one alert, however often it fails, and one more message when it is resolved`, async () => {
    await tenant.watchAll();
    const book = tenant.knownTest("Get a book");
    await tenant.run([[book, passed]]);
    expect(await tenant.listIncidents()).toEqual([]);
    const since = new Date(world.clock.now().getTime() + minute).toISOString();
    const first = await tenant.run([[book, failed]]);
    expect(await only()).toMatchObject({
      ...{ title: "Get a book fails", cause: { kind: "test", testId: book.id }, severity: "high", state: "opened" },
      ...{ reason: "Expected 200, got 503.", since, failing: 1, affected: 1, runId: first, apiIds: [tenant.apiId] },
    });
    const second = await tenant.run([[book, failed]]);
    expect(await only()).toMatchObject({ runId: second, since });
    await tenant.run([[book, passed]]);
    const { state, resolved, failing } = await only();
    expect([state, resolved?.by, failing]).toEqual(["resolved", null, 0]);
    expect(await tenant.waitForAlerts(2)).toEqual([
      "incident.opened: Get a book fails",
      "incident.resolved: Resolved: Get a book fails",
    ]);
  });

  test(`${engine.name}: a test that passed while its failure was being read has no open incident`, async () => {
    await tenant.watchAll();
    const book = tenant.knownTest("Get a book");
    world.runs.beforeNextResponse(async () => void (await tenant.run([[book, passed]])));
    await tenant.run([[book, failed]]);
    expect((await only()).state).toBe("resolved");
    expect(await tenant.waitForAlerts(2)).toEqual([
      "incident.opened: Get a book fails",
      "incident.resolved: Resolved: Get a book fails",
    ]);
  });

  test(`${engine.name}: what passes elsewhere leaves the incident open, and every answer and alert says what resolves it`, async () => {
    await tenant.watchAll({ remindHours: 1 });
    const [book, other] = [tenant.knownTest("Get a book"), tenant.knownTest("Other")];
    const circle = { testCircleId: uuidv7() };
    const recovering = async () =>
      requireValue(await tenant.client.listRecoveringTests({ query: { apiIds: tenant.apiId } }), "recovering").items;
    await tenant.run([[book, failed]], circle);
    await tenant.run([[other, passed]]);
    expect([(await only()).recovery, await recovering()]).toEqual([null, []]);

    const runId = await tenant.run([[book, passed]], { trigger: "manual" });
    const recovery = {
      ...{ at: world.clock.now().toISOString(), runId, apiId: tenant.apiId, byHand: true },
      ...{ resolves: "next_run", nextRunAt: null },
    };
    const incident = await only();
    expect(incident).toMatchObject({ state: "opened", failing: 1, recovery });
    const { tests } = requireValue(await tenant.client.getIncident({ params: { incidentId: incident.id } }), "get");
    expect(tests).toMatchObject([{ state: "failing", recovery }]);
    expect(await recovering()).toMatchObject([{ testId: book.id, incidentId: incident.id, recovery }]);
    world.clock.advance(61 * minute);
    expect(await tenant.waitForAlerts(2)).toHaveLength(2);
    expect(JSON.parse(world.hook.requests.at(-1)!.text).data.incidents[0].recovery).toMatchObject({ byHand: true });

    await tenant.run([[book, failed]], circle);
    expect([(await only()).recovery, await recovering()]).toEqual([null, []]);
    await tenant.run([[book, passed]], { trigger: "manual" });
    const resolvedBy = await tenant.run([[book, passed]], circle);
    expect(await only()).toMatchObject({
      ...{ state: "resolved", recovery: null },
      resolved: { by: null, run: { runId: resolvedBy, apiId: tenant.apiId } },
    });
    expect(await recovering()).toEqual([]);
  });

  test(`${engine.name}: an incident has recovered once all of its tests have, and an unsteady one says that it takes more`, async () => {
    const [one, other] = [tenant.knownTest("one"), tenant.knownTest("other")];
    const circle = { testCircleId: uuidv7() };
    await tenant.run(
      [
        [one, refused],
        [other, refused],
      ],
      circle,
    );
    await tenant.run([[one, passed]], { trigger: "manual" });
    expect((await only()).recovery).toBeNull();
    await tenant.run([[other, passed]], { trigger: "ci" });
    expect((await only()).recovery).toMatchObject({ byHand: false, resolves: "next_run" });

    const shaky = tenant.knownTest("shaky");
    for (const result of [passed, failed, passed, failed, passed]) await tenant.run([[shaky, result]], circle);
    const [newest] = await unresolved();
    expect(newest).toMatchObject({ title: "shaky fails", unsteady: true, recovery: { resolves: "steady" } });
  });

  test(`${engine.name}: what recovers links to the run that resolved it and to the incident`, async () => {
    await tenant.watchAll();
    const book = tenant.knownTest("Get a book", { environmentUsed: "Staging" });
    const circle = { testCircleId: uuidv7() };
    const failedRun = await tenant.run([[book, failed]], circle);
    const goodRun = await tenant.run([[book, passed]], circle);
    await tenant.waitForAlerts(2);
    const { id } = await only();
    const { data } = JSON.parse(world.hook.requests.findLast(({ text }) => text.includes("incident.resolved"))!.text);
    const pages = `https://portal.example.com/test-management`;
    expect(data.incidents).toMatchObject([
      {
        incidentUrl: `${pages}/incidents/${id}`,
        runUrl: `${pages}/${tenant.apiId}/runs/${failedRun}`,
        resolvedRunUrl: `${pages}/${tenant.apiId}/runs/${goodRun}`,
        tests: [{ environment: "Staging", testCircleName: "Nightly" }],
      },
    ]);
  });

  test(`${engine.name}: the alert says what broke, the actual result, since when, and where to look`, async () => {
    await tenant.watchAll();
    const runId = await tenant.run([[tenant.knownTest("Get a book"), failed]]);
    await tenant.waitForAlerts(1);
    const { data } = JSON.parse(world.hook.requests.at(-1)!.text);
    expect(data.incidents).toMatchObject([
      {
        ...{ title: "Get a book fails", reason: "Expected 200, got 503.", since: world.clock.now().toISOString() },
        runUrl: `https://portal.example.com/test-management/${tenant.apiId}/runs/${runId}`,
        tests: [{ name: "Get a book", method: "get", path: "/Get a book", apiName: "Bookshop" }],
      },
    ]);
  });

  test(`${engine.name}: all failures by one host are one incident, across circles and APIs`, async () => {
    await tenant.watchAll();
    const [one, other] = [tenant.knownTest("one"), tenant.knownTest("other", { apiId: uuidv7() })];
    const circle = { testCircleId: uuidv7() };
    await tenant.run([
      [one, refused],
      [tenant.knownTest("well"), passed],
    ]);
    await tenant.run([[other, { ...refused, causeCode: "dns_failed" }]], circle);
    expect(await only()).toMatchObject({
      ...{ title: "api.example.com is not reachable", cause: { kind: "host", host: "api.example.com" }, failing: 2 },
      testCircleIds: [circle.testCircleId],
    });
    await tenant.run([[one, passed]]);
    expect((await unresolved())[0]).toMatchObject({ failing: 1, affected: 2 });
    await tenant.run([[other, passed]], circle);
    expect(await unresolved()).toEqual([]);
    expect(await tenant.waitForAlerts(2)).toHaveLength(2);
    expect(await tenant.entriesOf((await only()).id)).toEqual([
      "opened: one failed.",
      "alerted: Alerted Hook.",
      "joined: other fails for the same reason.",
      "well: one passes again.",
      "well: other passes again.",
      "resolved: No test fails for this reason anymore.",
      "alerted: Notified Hook that it is resolved.",
    ]);
  });

  test(`${engine.name}: a refused credential and an invalid certificate are one incident each`, async () => {
    const credentialId = uuidv7();
    const names = ["a", "b", "c", "d"].map((name) => tenant.knownTest(name));
    const unauthorized = { ...failed, statusCode: 401, credentialId };
    const untrusted = { ...refused, causeCode: "tls_failed" };
    await tenant.run([
      [names[0]!, unauthorized],
      [names[1]!, unauthorized],
      [names[2]!, untrusted],
      [names[3]!, untrusted],
    ]);
    expect((await unresolved()).map(({ title, failing }) => [title, failing]).sort()).toEqual([
      ["TLS with api.example.com fails", 2],
      ["api.example.com refuses a credential", 2],
    ]);
  });

  test(`${engine.name}: steps after the first failed one are in its incident, whatever its cause`, async () => {
    await tenant.watchAll();
    const [login, order, pay] = ["log in", "order", "pay"].map((name) => tenant.knownTest(name));
    const after = { testId: login!.id, testName: "log in" };
    await tenant.run([
      [login!, failed],
      [order!, { ...failed, after }],
      [pay!, { ...failed, after }],
    ]);
    expect(await only()).toMatchObject({ title: "log in fails", failing: 3, reason: failed.reason });
    await tenant.run([
      [login!, passed],
      [order!, passed],
      [pay!, passed],
    ]);
    await tenant.run([
      [login!, refused],
      [order!, { ...failed, after }],
    ]);
    expect((await unresolved()).map(({ title, failing }) => [title, failing])).toEqual([
      ["api.example.com is not reachable", 2],
    ]);
    expect(await tenant.waitForAlerts(3)).toHaveLength(3);
  });

  test(`${engine.name}: a test that continues to fail with another cause moves to it once the shared cause is resolved, and stays there`, async () => {
    const [one, other] = [tenant.knownTest("one"), tenant.knownTest("other")];
    await tenant.run([
      [one, refused],
      [other, refused],
    ]);
    await tenant.run([
      [one, failed],
      [other, passed],
    ]);
    expect((await tenant.listIncidents()).map(({ title, state }) => [title, state])).toEqual([
      ["one fails", "opened"],
      ["api.example.com is not reachable", "resolved"],
    ]);
    await tenant.run([[one, refused]]);
    await tenant.run([[one, failed]]);
    expect((await unresolved()).map(({ title }) => title)).toEqual(["one fails"]);
  });

  test(`${engine.name}: a rule that waits for runs opens an incident with the last of them, and earlier ones are silent`, async () => {
    await tenant.watchAll({ afterRuns: 3 });
    const known = tenant.knownTest("order");
    const since = new Date(world.clock.now().getTime() + 4 * minute).toISOString();
    for (const came of [failed, failed, passed, failed, failed]) await tenant.run([[known, came]]);
    expect(await tenant.listIncidents()).toEqual([]);
    await tenant.run([[known, failed]]);
    expect(await only()).toMatchObject({ since, state: "opened" });
    expect(await tenant.waitForAlerts(1)).toHaveLength(1);
  });

  test(`${engine.name}: a rule that waits for minutes opens an incident when they are over, without another run`, async () => {
    await tenant.watchAll({ afterMinutes: 30 });
    const known = tenant.knownTest("order");
    for (let runs = 0; runs < 12; runs += 1) await tenant.run([[known, failed]]);
    world.clock.advance(18 * minute);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await tenant.listIncidents()).toEqual([]);
    world.clock.advance(minute);
    expect(await tenant.waitForAlerts(1)).toEqual(["incident.opened: order fails"]);
    expect(await only()).toMatchObject({ state: "opened" });
  });

  test(`${engine.name}: a flapping test is one incident until five good results in a row`, async () => {
    await tenant.watchAll();
    const known = tenant.knownTest("order");
    for (const came of [passed, failed, passed, failed]) await tenant.run([[known, came]]);
    expect((await unresolved())[0]).toMatchObject({ unsteady: true });
    for (const came of [passed, failed, passed, passed, failed, passed]) await tenant.run([[known, came]]);
    expect(await tenant.listIncidents()).toHaveLength(2);
    for (let good = 1; good < 4; good += 1) await tenant.run([[known, passed]]);
    expect(await unresolved()).toHaveLength(1);
    await tenant.run([[known, passed]]);
    expect(await unresolved()).toEqual([]);
    expect(await tenant.waitForAlerts(4)).toEqual([
      "incident.opened: order fails",
      "incident.resolved: Resolved: order fails",
      "incident.opened: order fails",
      "incident.resolved: Resolved: order fails",
    ]);
  });

  test(`${engine.name}: resolving manually ends the incident for all tests; later failures are a new incident`, async () => {
    await tenant.watchAll();
    const known = tenant.knownTest("order");
    await tenant.run([[known, failed]]);
    const params = { incidentId: (await only()).id };
    world.clock.advance(minute);
    const resolved = requireValue(await tenant.client.resolveIncident({ params }), "resolve");
    expect(resolved).toMatchObject({ state: "resolved", resolved: { by: { name: "tester" } }, failing: 0 });
    for (const again of [
      await tenant.client.resolveIncident({ params }),
      await tenant.client.acknowledgeIncident({ params }),
      await tenant.client.unmuteIncident({ params }),
    ]) {
      expect(again.status).toBe(409);
    }
    await tenant.run([[known, failed]]);
    expect(await unresolved()).toHaveLength(1);
    expect(await tenant.waitForAlerts(3)).toEqual([
      "incident.opened: order fails",
      "incident.resolved: Resolved by tester: order fails",
      "incident.opened: order fails",
    ]);
  });

  test(`${engine.name}: a test that is deleted or leaves its circle no longer fails`, async () => {
    const testCircleId = uuidv7();
    const [deleted, left, stays] = ["gone", "left", "stays"].map((name) => tenant.knownTest(name));
    await tenant.run(
      [
        [deleted!, failed],
        [left!, failed],
        [stays!, failed],
      ],
      { testCircleId },
    );
    await tenant.receiveDeleted("tests.deleted", { apiId: tenant.apiId, testIds: [deleted!.id] });
    const titles = async () => (await unresolved()).map(({ title }) => title).sort();
    expect(await titles()).toEqual(["left fails", "stays fails"]);
    // One part says nothing about the others.
    await tenant.run([[stays!, failed]], { testCircleId, isWhole: false });
    expect(await titles()).toEqual(["left fails", "stays fails"]);
    await tenant.run([[stays!, failed]], { testCircleId });
    expect(await titles()).toEqual(["stays fails"]);
    await tenant.receiveDeleted("circle.deleted", { testCircleId, name: "Nightly" });
    expect(await titles()).toEqual([]);
  });

  test(`${engine.name}: a run event waits while the executioner is unavailable`, async () => {
    world.runs.away(true);
    world.clock.advance(minute);
    const event = world.runs.add(tenant.organizationId, [[tenant.knownTest("order"), failed]]);
    expect((await tenant.internal.receiveEvent({ body: event })).status).toBe(503);
    expect(await tenant.listIncidents()).toEqual([]);
    world.runs.away(false);
    await tenant.receive(event);
    expect(await tenant.listIncidents()).toHaveLength(1);
  });
}
