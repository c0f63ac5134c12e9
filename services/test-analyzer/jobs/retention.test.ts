import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type AnalyzerTables, schemaName } from "../store/tables.ts";
import { createIncidentWorld, type IncidentTenant, type IncidentWorld } from "../testing/incident-world.ts";
import { failed } from "../testing/reported-runs.ts";
import { retain } from "./retention.ts";

const day = 86_400_000;
const passed = undefined;

for (const engine of testEngines()) {
  let world: IncidentWorld;
  let tenant: IncidentTenant;
  beforeAll(async () => {
    world = await createIncidentWorld(engine);
    world.clock.moveTo(new Date("2026-03-10T12:00:00Z"));
    tenant = await world.createTenant();
  });
  afterAll(() => world.close());

  /** Runs as if this many days later. One row per step, so that there are several steps. */
  async function retainAfter(days: number): Promise<void> {
    const now = new Date(world.clock.now().getTime() + days * day);
    const db = world.database.inSchema<AnalyzerTables>(schemaName);
    await retain({ db, clock: { now: () => now }, limit: 1 }, new AbortController().signal);
  }
  const titles = async () => (await tenant.listIncidents()).map(({ title }) => title);
  async function watched(): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      select described->>'testName' as name from test_analyzer.watched_tests order by 1`.execute(world.database.kysely);
    return rows.map(({ name }) => name);
  }

  test(`${engine.name}: deliveries are deleted after 90 days, resolved incidents after 13 months, and open ones stay`, async () => {
    const { id: channelId } = await tenant.createHook();
    await tenant.createRule({ channelIds: [channelId], afterRuns: 1 });
    const [book, order, pay] = ["book", "order", "pay"].map((name) => tenant.knownTest(name));
    for (const came of [failed, passed] as const) await tenant.run([[book!, came]]);
    for (const came of [failed, passed] as const) await tenant.run([[order!, came]]);
    await tenant.run([[pay!, failed]]);
    await tenant.waitForAlerts(5);
    const deliveries = async () =>
      requireValue(await tenant.client.listDeliveries({ params: { channelId }, query: {} }), "deliveries").items;
    await expect.poll(async () => (await deliveries()).every(({ state }) => state === "delivered")).toBe(true);
    await sql`update test_analyzer.alert_deliveries set state = 'held' where title = 'pay fails'`.execute(
      world.database.kysely,
    );

    await retainAfter(89);
    expect(await deliveries()).toHaveLength(5);
    expect(await watched()).toEqual(["book", "order", "pay"]);
    await retainAfter(91);
    expect((await deliveries()).map(({ title }) => title)).toEqual(["pay fails"]);
    expect(await watched()).toEqual(["pay"]);
    await retainAfter(395);
    expect(await titles()).toEqual(["pay fails", "order fails", "book fails"]);
    await retainAfter(397);
    expect(await titles()).toEqual(["pay fails"]);
    const [open] = await tenant.listIncidents();
    expect(await tenant.entriesOf(open!.id)).toContain("opened: pay failed.");

    // Results judged earlier are not judged again.
    world.clock.advance(120 * 60_000);
    await tenant.run([[book!, failed]]);
    expect(await titles()).toEqual(["book fails", "pay fails"]);
  });
}
