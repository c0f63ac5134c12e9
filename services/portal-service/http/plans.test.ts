import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createPortalWorld, type PortalWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;
  let world: PortalWorld;

  beforeAll(async () => {
    database = await engine.open();
    world = await createPortalWorld(database);
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  test(`${engine.name}: plans are public`, async () => {
    const { items, nextCursor } = requireValue(await world.connect().listServices(), "listServices");
    expect(items.map(({ id }) => id)).toEqual(["free", "team", "business"]);
    expect(items[0]).toEqual({ id: "free", name: "Free", description: "For trying it out and for one person." });
    expect(nextCursor).toBeNull();
  });

  test(`${engine.name}: prices are decimals, the cheapest plan first`, async () => {
    const { items } = requireValue(await world.connect().listPricing(), "listPricing");
    expect(items.map(({ serviceId, price }) => [serviceId, price])).toEqual([
      ["free", { amount: "0.00", currency: "USD", interval: "month" }],
      ["team", { amount: "49.00", currency: "USD", interval: "month" }],
      ["business", { amount: "199.00", currency: "USD", interval: "month" }],
    ]);
  });

  test(`${engine.name}: a more expensive plan never allows less`, async () => {
    const { items } = requireValue(await world.connect().listPricing(), "listPricing");
    const order = items.map(({ limits }) => [
      limits.apis ?? Number.POSITIVE_INFINITY,
      limits.tests ?? Number.POSITIVE_INFINITY,
      limits.executionsPerMonth ?? Number.POSITIVE_INFINITY,
      -limits.shortestIntervalSeconds,
      limits.members ?? Number.POSITIVE_INFINITY,
      limits.retentionDays,
    ]);
    for (const [index, dearer] of order.slice(1).entries()) {
      expect(dearer.every((limit, position) => limit > order[index]![position]!)).toBe(true);
    }
  });

  test(`${engine.name}: a new installation's plans afford all their tests at their shortest interval`, async () => {
    const { items } = requireValue(await world.connect().listPricing(), "listPricing");
    const limited = items.filter(({ limits }) => limits.tests !== null);
    expect(limited.map(({ name }) => name)).toEqual(["Free", "Team"]);
    for (const { name, limits } of limited) {
      const runs = (30.4 * 86_400) / limits.shortestIntervalSeconds;
      expect(limits.executionsPerMonth, name).toBeGreaterThanOrEqual(limits.tests! * runs);
    }
  });

  const getPlan = async (organizationId?: string) =>
    requireValue(await (await world.serviceFor(organizationId)).getPlan(), "getPlan");

  test(`${engine.name}: a customer is on Free at once, whatever plan was picked and not paid for`, async () => {
    const free = { version: 1, plan: { name: "Free", limits: { apis: 2, members: 1 } }, exceeded: [] };
    expect(await getPlan()).toMatchObject(free);
    expect(await getPlan(await world.addOrganization("team"))).toMatchObject(free);
    expect((await world.member().getPlan()).status).toBe(404);
  });

  test(`${engine.name}: the operator's organization is no customer: nothing is limited`, async () => {
    expect(await getPlan(world.operatingOrganizationId)).toEqual({ version: 1, plan: null, exceeded: [] });
    const own = requireValue(await world.operator.getCurrentOrganization(), "organization");
    expect(own.operates).toBe(true);
    const stored = requireValue(
      await (await world.serviceFor(world.operatingOrganizationId)).getRetention(),
      "retention",
    );
    expect(stored.retention).toBeNull();
  });

  test(`${engine.name}: T01: a deleted organization has no plan`, async () => {
    expect((await (await world.serviceFor(uuidv7())).getPlan()).status).toBe(404);
  });
}
