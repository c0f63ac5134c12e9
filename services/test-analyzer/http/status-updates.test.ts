import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { StatusPageInput } from "#contracts/test-analyzer/status-pages.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { listUpdates } from "../store/status-updates.ts";
import { type AnalyzerTables, schemaName } from "../store/tables.ts";
import { createIncidentWorld, type IncidentTenant, type IncidentWorld } from "../testing/incident-world.ts";
import { failed } from "../testing/reported-runs.ts";

const passed = undefined;

for (const engine of testEngines()) {
  let world: IncidentWorld;
  let tenant: IncidentTenant;
  let testCircleId: string;
  beforeAll(async () => {
    world = await createIncidentWorld(engine);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    world.clock.moveTo(new Date("2026-03-10T12:00:00Z"));
    tenant = await world.createTenant();
    testCircleId = addCircle();
  });

  function addCircle(): string {
    const id = uuidv7();
    world.circles.add(id);
    return id;
  }
  const open = async (changes: Partial<StatusPageInput> = {}) => {
    const body = { title: "Bookshop", showsIncidents: true, ...changes };
    return requireValue(await tenant.client.setStatusPage({ params: { testCircleId }, body }), "open");
  };
  const readUpdates = async () => {
    const page = { organization_id: tenant.organizationId, test_circle_id: testCircleId };
    const updates = await listUpdates(world.database.inSchema<AnalyzerTables>(schemaName), page, {
      ...{ limit: 50, onlyMessages: false },
    });
    return updates.map(({ kind, title, text }) => `${kind}: ${title} ${text}`.trim());
  };

  test(`${engine.name}: announcements and incidents are updates of a page, each once, newest first`, async () => {
    const payments = addCircle();
    const components = [
      { testCircleId, name: "Catalogue" },
      { testCircleId: payments, name: "Payments" },
    ];
    await open({ components, message: "We look into it." });
    await open({ components, message: "We look into it.", text: "Ask us." });
    const one = tenant.knownTest("Pays");
    await tenant.run([[one, failed]], { testCircleId: payments });
    const opened = "opened: Pays fails Affects Payments.";
    await expect.poll(() => readUpdates()).toEqual([opened, "message: Announcement We look into it."]);
    await tenant.run([[one, passed]], { testCircleId: payments });
    await expect.poll(async () => (await readUpdates())[0]).toBe("resolved: Resolved: Pays fails");
    const second = tenant.knownTest("Refunds");
    await tenant.run([[second, failed]], { testCircleId: payments });
    await expect.poll(async () => (await readUpdates())[0]).toMatch(/^opened: Refunds fails/);
    expect(await readUpdates()).toHaveLength(4);
  });

  test(`${engine.name}: a page that does not publish incidents reports none`, async () => {
    await open({ showsIncidents: false });
    await tenant.run([[tenant.knownTest("Pays"), failed]], { testCircleId });
    await open({ showsIncidents: false, message: "All is well." });
    await open({ showsIncidents: true });
    const opened = "opened: Pays fails";
    await expect.poll(readUpdates).toEqual([opened, "message: Announcement All is well."]);
  });
}
