import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReceivedEvent } from "#contracts/portal-service/received-events.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { schemaName } from "../store/tables.ts";
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

  type SentEvent = Pick<ReceivedEvent, "type" | "payload">;
  const toEvent = (sent: SentEvent, organizationId = world.organizationId) =>
    ({ id: uuidv7(), organizationId, occurredAt: world.clock.now().toISOString(), ...sent }) as ReceivedEvent;

  async function receive(event: ReceivedEvent): Promise<void> {
    const client = await world.serviceFor(event.organizationId);
    expect((await client.receiveEvent({ body: event })).status).toBe(204);
  }

  async function used(client = world.member()) {
    const { items } = requireValue(await client.getUsage(), "usage");
    return Object.fromEntries(items.map(({ subject, used }) => [subject, used]));
  }

  test(`${engine.name}: usage follows events, each of which counts once however often it arrives`, async () => {
    const before = await used();
    const [apiId, first, second, third] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
    const registered = toEvent({ type: "api.registered", payload: { apiId, name: "Shop" } });
    await receive(registered);
    await receive(registered);
    await receive(toEvent({ type: "test.created", payload: { apiId, testId: first } }));
    const created = toEvent({ type: "tests.created", payload: { apiId, testIds: [second, third] } });
    await receive(created);
    await receive(created);
    const counted = toEvent({ type: "executions.counted", payload: { month: "2026-04", executions: 7 } });
    await receive(counted);
    await receive(counted);
    expect(await used()).toMatchObject({ apis: before.apis! + 1, tests: before.tests! + 3 });
    await receive(toEvent({ type: "api.deleted", payload: { apiId } }));
    await receive(toEvent({ type: "tests.deleted", payload: { apiId, testIds: [first, second, third] } }));
    expect(await used()).toMatchObject({ apis: before.apis, tests: before.tests });
  });

  test(`${engine.name}: executions count in the month they ended, in UTC`, async () => {
    world.clock.moveTo(new Date("2026-05-31T23:59:59Z"));
    await receive(toEvent({ type: "executions.counted", payload: { month: "2026-05", executions: 3 } }));
    expect(await used()).toMatchObject({ executionsPerMonth: 3 });
    world.clock.moveTo(new Date("2026-06-01T00:00:00Z"));
    expect(await used()).toMatchObject({ executionsPerMonth: 0 });
  });

  test(`${engine.name}: executions are listed by month, and by day for months with daily counts`, async () => {
    world.clock.moveTo(new Date("2026-08-01T00:00:00Z"));
    const count = (day: string, executions: number) =>
      receive(toEvent({ type: "executions.counted", payload: { month: day.slice(0, 7), day, executions } }));
    const history = async () => requireValue(await world.member().getExecutionHistory(), "history");
    await count("2026-06-30", 1);
    await count("2026-07-31", 2);
    await count("2026-08-01", 3);
    await count("2026-08-01", 4);
    world.clock.moveTo(new Date("2026-08-02T12:00:00Z"));
    const { months, days } = await history();
    expect([months.length, months[0]?.month]).toEqual([12, "2025-09"]);
    expect(months.slice(-3)).toEqual([
      { month: "2026-06", executions: 1 },
      { month: "2026-07", executions: 2 },
      { month: "2026-08", executions: 7 },
    ]);
    expect(days).toEqual([
      { day: "2026-08-01", executions: 7 },
      { day: "2026-08-02", executions: 0 },
    ]);
    // Days before the last month are not listed.
    const stored = await sql<{ day: string }>`select day from ${sql.id(schemaName, "daily_executions")}
      where organization_id = ${world.organizationId} order by day`.execute(database.kysely);
    expect(stored.rows.map(({ day }) => day)).toEqual(["2026-07-31", "2026-08-01"]);
    await receive(toEvent({ type: "executions.counted", payload: { month: "2026-08", executions: 1 } }));
    expect((await history()).days).toBeNull();
    const others = requireValue(await world.operator.getExecutionHistory(), "history");
    expect(others.months.every(({ executions }) => executions === 0)).toBe(true);
  });

  test(`${engine.name}: usage is returned with the plan's limits, and without them when nothing is limited`, async () => {
    const { plan, items } = requireValue(await world.member().getUsage(), "usage");
    const limits = Object.fromEntries(items.map(({ subject, limit }) => [subject, limit]));
    expect([plan?.name, limits]).toEqual(["Free", { apis: 2, tests: 25, executionsPerMonth: 20_000, members: 1 }]);
    const without = requireValue(await world.operator.getUsage(), "usage");
    expect(without.plan).toBeNull();
    expect(without.items.every((item) => !("limit" in item))).toBe(true);
  });

  test(`${engine.name}: members count while they may sign in, however often they are changed`, async () => {
    const [userId, other] = [uuidv7(), uuidv7()];
    for (const one of [userId, other])
      await receive(toEvent({ type: "user.created", payload: { userId: one, roles: ["VIEWER"] } }));
    const before = (await used()).members!;
    const change = (disabled: boolean) => receive(toEvent({ type: "user.changed", payload: { userId, disabled } }));
    for (const disabled of [true, true, false, false, true]) await change(disabled);
    expect((await used()).members).toBe(before - 1);
    await change(false);
    expect((await used()).members).toBe(before);
  });

  test(`${engine.name}: a service reports only its own organization`, async () => {
    const stranger = await world.serviceFor(uuidv7());
    const body = toEvent({ type: "api.registered", payload: { apiId: uuidv7(), name: "Not theirs" } });
    expect((await stranger.receiveEvent({ body })).status).toBe(403);
    expect((await world.member().receiveEvent({ body })).status).toBe(404);
  });
}
