import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireAnswer } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import type { ReceivedEvent } from "../contract/received-events.ts";
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

  type Told = Pick<ReceivedEvent, "type" | "payload">;
  const eventOf = (told: Told, organizationId = world.organizationId) =>
    ({ id: uuidv7(), organizationId, occurredAt: world.clock.now().toISOString(), ...told }) as ReceivedEvent;

  async function tell(event: ReceivedEvent): Promise<void> {
    const client = await world.serviceFor(event.organizationId);
    expect((await client.receiveEvent({ body: event })).status).toBe(204);
  }

  async function used(client = world.member()) {
    const { items } = requireAnswer(await client.getUsage(), "usage");
    return Object.fromEntries(items.map(({ subject, used }) => [subject, used]));
  }

  test(`${engine.name}: what is used follows events, each of which counts once however often it comes`, async () => {
    const before = await used();
    const [apiId, first, second] = [uuidv7(), uuidv7(), uuidv7()];
    const registered = eventOf({ type: "api.registered", payload: { apiId, name: "Shop" } });
    await tell(registered);
    await tell(registered);
    for (const testId of [first, second]) await tell(eventOf({ type: "test.created", payload: { apiId, testId } }));
    const counted = eventOf({ type: "executions.counted", payload: { month: "2026-04", executions: 7 } });
    await tell(counted);
    await tell(counted);
    expect(await used()).toMatchObject({ apis: before.apis! + 1, tests: before.tests! + 2 });
    await tell(eventOf({ type: "api.deleted", payload: { apiId } }));
    await tell(eventOf({ type: "tests.deleted", payload: { apiId, testIds: [first, second] } }));
    expect(await used()).toMatchObject({ apis: before.apis, tests: before.tests });
  });

  test(`${engine.name}: executions count in the month they ended, in UTC`, async () => {
    world.clock.moveTo(new Date("2026-05-31T23:59:59Z"));
    await tell(eventOf({ type: "executions.counted", payload: { month: "2026-05", executions: 3 } }));
    expect(await used()).toMatchObject({ executionsPerMonth: 3 });
    world.clock.moveTo(new Date("2026-06-01T00:00:00Z"));
    expect(await used()).toMatchObject({ executionsPerMonth: 0 });
  });

  test(`${engine.name}: usage stands beside the plan's limits, and without them where no plan is chosen`, async () => {
    await world.choosePlan("team");
    const { items } = requireAnswer(await world.member().getUsage(), "usage");
    const limits = Object.fromEntries(items.map(({ subject, limit }) => [subject, limit]));
    expect(limits).toEqual({ apis: 20, tests: 1_000, executionsPerMonth: 50_000, members: 15 });
    await world.choosePlan(null);
    const without = requireAnswer(await world.member().getUsage(), "usage");
    expect(without.items.every((item) => !("limit" in item))).toBe(true);
  });

  test(`${engine.name}: a service tells of its own organization only`, async () => {
    const stranger = await world.serviceFor(uuidv7());
    const body = eventOf({ type: "api.registered", payload: { apiId: uuidv7(), name: "Not theirs" } });
    expect((await stranger.receiveEvent({ body })).status).toBe(403);
    expect((await world.member().receiveEvent({ body })).status).toBe(404);
  });
}
