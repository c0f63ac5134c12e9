import { afterAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createRequireApi } from "../http/apis.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { createLocatedWorld } from "../testing/located-world.ts";
import { createLocationReports } from "./location-reports.ts";
import { silentSince } from "./silent-locations.ts";

for (const engine of testEngines()) {
  const { world, target, makeLocated, close } = await createLocatedWorld(await engine.open());
  afterAll(close);

  const reporting = () => {
    const published: Record<string, { silent: { apiIds: string[]; hasCalled: boolean } | null; ending: string }[]> = {};
    let minutes = 0;
    const clock = { now: () => new Date(Date.now() + minutes * 60_000) };
    const reports = createLocationReports({
      db: world.database.inSchema<ExecutionTables>(schemaName),
      clock,
      publisher: {
        async publish(_transaction, events) {
          for (const { type, payload } of events) {
            if (type !== "location.watched") continue;
            published[payload.locationId] = [...(published[payload.locationId] ?? []), payload];
          }
        },
      },
      testRegistry: world.testRegistry,
      serviceToken: world.identities.serviceToken,
      requireApi: createRequireApi({ apiRegistry: world.apiRegistry, serviceToken: world.identities.serviceToken }),
    });
    return {
      published,
      forget: reports.forget,
      async after(later: number) {
        minutes = later;
        await reports.report(silentSince(clock.now()));
      },
    };
  };
  test(`${engine.name}: a location is reported once it is silent while a test waits there, and again when an agent calls`, async () => {
    const { tenant, locationId, agent, start } = await makeLocated();
    await agent.take();
    const { published, after } = reporting();
    await after(6);
    // Nothing is sent from there.
    expect(published[locationId]).toBeUndefined();
    await start();
    await after(4);
    expect(published[locationId]).toBeUndefined();
    await after(8);
    await after(9);
    expect(published[locationId]).toMatchObject([{ silent: { apiIds: [tenant.apiId], hasCalled: true } }]);
    const stored = world.database.inSchema<ExecutionTables>(schemaName);
    const findReported = async () => {
      const row = stored.selectFrom("locations").select("reported_silent_at").where("id", "=", locationId);
      return (await row.executeTakeFirstOrThrow()).reported_silent_at;
    };
    expect(await findReported()).not.toBeNull();
    // It was reported for a time that has not come.
    await stored
      .updateTable("locations")
      .set({ reported_silent_at: new Date() })
      .where("id", "=", locationId)
      .execute();
    await after(0);
    expect(await findReported()).not.toBeNull();
    await agent.take();
    // The process's own look may come first.
    await after(0);
    expect(await findReported()).toBeNull();
  });

  test(`${engine.name}: a location is needed by an enabled schedule of a circle, of a test in one, or of an environment`, async () => {
    const { tenant, locationId, testId } = await makeLocated();
    const registry = world.testRegistry({ token: tenant.token });
    const daily = { cron: "0 7 * * *", timeZone: "UTC" };
    const schedule = async (input: object) => {
      const { id: testCircleId } = await tenant.createCircle({ members: [{ testId }], ...input } as never);
      return requireValue(await registry.createSchedule({ params: { testCircleId }, body: daily }), "schedule");
    };
    const replaceEnvironments = async (place: object) => {
      const items = [{ name: "Inside", baseUrl: target.baseUrl, variables: {}, ...place }];
      const params = { apiId: tenant.apiId };
      const client = world.apiRegistry({ token: tenant.token });
      requireValue(await client.replaceEnvironments({ params, body: { items } }), "environments");
    };
    const isReported = async () => {
      const { published, after, forget } = reporting();
      await after(6);
      const isFound = published[locationId] !== undefined;
      await forget({ organizationId: tenant.organizationId, locationId, name: "Berlin" });
      return isFound;
    };
    expect(await isReported()).toBe(false);
    const { id: scheduleId, version } = await schedule({ locationId });
    expect(await isReported()).toBe(true);
    const paused = { params: { scheduleId }, body: { ...daily, enabled: false } };
    requireValue(await registry.changeSchedule({ ...paused, headers: { "if-match": `"${version}"` } }), "paused");
    expect(await isReported()).toBe(false);
    await replaceEnvironments({});
    await schedule({ environments: { [tenant.apiId]: "Inside" } });
    expect(await isReported()).toBe(false);
    await replaceEnvironments({ locationId });
    expect(await isReported()).toBe(true);
    await replaceEnvironments({ locationId: null });
    expect(await isReported()).toBe(false);
    const { id: own } = await tenant.createTest({ locationId });
    await schedule({ members: [{ testId: own }] });
    expect(await isReported()).toBe(true);
  });
}
