import { afterAll, expect, test } from "vitest";
import { type CirclePlaces, getLeastPlaces } from "#contracts/test-registry/circle-places.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { passedResult } from "../testing/agent.ts";
import { createLocatedWorld } from "../testing/located-world.ts";

test("a rule needs as many places as it takes for a test to fail", () => {
  const least = [{ rule: "any" }, { rule: "inTurn" }, { rule: "all" }, { rule: "atLeast", minimum: 3 }] as const;
  expect(least.map(getLeastPlaces)).toEqual([1, 1, 2, 3]);
});

for (const engine of testEngines()) {
  const { makeLocated, begin, get, listMembers, close } = await createLocatedWorld(await engine.open());
  afterAll(close);

  async function makeBoth() {
    const made = await makeLocated();
    const { tenant, testId, locationId } = made;
    const { id: paris } = requireValue(await tenant.user.createLocation({ body: { name: "Paris" } }), "a location");
    const circleFrom = async (name: string, places: CirclePlaces) =>
      await tenant.createCircle({ name, members: [{ testId }], places });
    const deleteParis = async () =>
      requireValue(await tenant.user.deleteLocation({ params: { locationId: paris } }), "deletion");
    const tryRun = (testCircleId: string) => tenant.client.startRun({ body: { source: { testCircleId } } });
    return { ...made, berlin: locationId, paris, circleFrom, deleteParis, tryRun };
  }

  test(`${engine.name}: after a location is deleted a circle continues from its other places, as its run says`, async () => {
    const { tenant, agent, berlin, paris, circleFrom, deleteParis } = await makeBoth();
    const circle = await circleFrom("All", { portal: true, locationIds: [paris, berlin], rule: "all" });
    await deleteParis();
    const { id: runId } = await begin(tenant, { source: { testCircleId: circle.id } });
    const { items } = await agent.take({ waitSeconds: 5 });
    await agent.report(items.map((task) => passedResult(task, { verdict: "failed" })));
    await expect.poll(async () => (await get(tenant, runId)).state).toBe("finished");
    expect(await get(tenant, runId)).toMatchObject({
      verdict: "regional",
      places: { rule: "all", ids: [null, berlin], deletedIds: [paris], seriesSize: 1 },
    });
    expect((await listMembers(tenant, runId)).map(({ locationId }) => locationId)).toEqual([undefined, berlin]);
  });

  test(`${engine.name}: what deleting a location does to circles is known before, audited, and happens`, async () => {
    const { tenant, testId, berlin, paris, circleFrom, deleteParis, tryRun } = await makeBoth();
    const locationIds = [berlin, paris];
    const any = await circleFrom("Any", { portal: false, locationIds, rule: "any" });
    const all = await circleFrom("Both", { portal: false, locationIds, rule: "all" });
    const three = await circleFrom("Three", { portal: true, locationIds, rule: "atLeast", minimum: 3 });
    const only = await tenant.createCircle({ name: "Zone", members: [{ testId }], locationId: paris });
    await circleFrom("Elsewhere", { portal: true, locationIds: [berlin], rule: "any" });
    const before = requireValue(
      await tenant.user.describeLocationDeletion({ params: { locationId: paris } }),
      "what it would do",
    );
    const apiIds = [tenant.apiId];
    expect(before).toEqual({
      total: 4,
      circles: [
        { testCircleId: any.id, name: "Any", apiIds, continues: true, placesLeft: 1, placesNeeded: 1 },
        { testCircleId: all.id, name: "Both", apiIds, continues: false, placesLeft: 1, placesNeeded: 2 },
        { testCircleId: three.id, name: "Three", apiIds, continues: false, placesLeft: 2, placesNeeded: 3 },
        { testCircleId: only.id, name: "Zone", apiIds, continues: false, placesLeft: 0, placesNeeded: 1 },
      ],
    });
    await deleteParis();
    const audited = await tenant.user.listAuditRecords({ query: { kind: "location" } });
    const deleted = requireValue(audited, "records").items.find(({ operation }) =>
      operation.includes("deleteLocation"),
    );
    expect(deleted?.before).toEqual({
      name: "Paris",
      description: "",
      circlesThatContinue: [{ testCircleId: any.id, name: "Any", placesLeft: 1 }],
      circlesThatAreRefused: [
        { testCircleId: all.id, name: "Both", placesLeft: 1 },
        { testCircleId: three.id, name: "Three", placesLeft: 2 },
        { testCircleId: only.id, name: "Zone", placesLeft: 0 },
      ],
    });
    const said = await Promise.all([any, all, three, only].map(async ({ id }) => await tryRun(id)));
    expect(said.map((response) => (response.ok ? "started" : response.problem.detail))).toEqual([
      "started",
      "Of the circle's places only 1 is left, since locations were deleted, and its rule needs 2. Choose its places again.",
      "Of the circle's places only 2 are left, since locations were deleted, and its rule needs 3. Choose its places again.",
      "There is no such location. Choose another one for the environment, circle or run.",
    ]);
    const gone = await tenant.user.describeLocationDeletion({ params: { locationId: paris } });
    expect(gone).toMatchObject({ ok: false, problem: { code: "not_found" } });
  });

  test(`${engine.name}: places that take turns continue without a deleted one, and what only it sent is not repeated`, async () => {
    const { tenant, berlin, paris, agent, circleFrom, deleteParis, tryRun } = await makeBoth();
    const circle = await circleFrom("Turns", { portal: false, locationIds: [paris, berlin], rule: "inTurn" });
    const first = requireValue(await tryRun(circle.id), "a run");
    await deleteParis();
    await expect.poll(async () => (await get(tenant, first.id)).state).toBe("finished");
    expect((await listMembers(tenant, first.id)).map(({ verdict }) => verdict)).toEqual(["skipped"]);
    const next = requireValue(await tryRun(circle.id), "a run");
    const { items } = await agent.take({ waitSeconds: 5 });
    await agent.report(items.map((task) => passedResult(task)));
    await expect.poll(async () => (await get(tenant, next.id)).state).toBe("finished");
    expect((await listMembers(tenant, next.id)).map(({ locationId }) => locationId)).toEqual([berlin]);
    const again = await tenant.client.startRun({ body: { source: { runId: first.id, from: 1 } } });
    expect(again).toMatchObject({
      ok: false,
      problem: { detail: "The location that this run was sent from was deleted. Run its circle instead." },
    });
  });
}
