import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AlertRuleInput } from "#contracts/test-analyzer/alert-rules.ts";
import type { ReceivedEvent } from "#contracts/test-analyzer/received-events.ts";
import { requireValue } from "../../kit/client/client.ts";
import { movableClock } from "../../kit/clock/clock.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { startTarget, type Target } from "../../test-executioner/testing/target.ts";
import { listLevelsToLookAt } from "../store/service-levels.ts";
import { type AnalyzerTables, schemaName } from "../store/tables.ts";
import { type AlertTenant, type AlertWorld, createAlertWorld } from "../testing/alert-world.ts";
import { countedExecution } from "../testing/world.ts";

const minute = 60_000;

for (const engine of testEngines()) {
  let world: AlertWorld;
  let tenant: AlertTenant;
  let hook: Target;
  let testCircleId: string;
  beforeAll(async () => {
    hook = await startTarget((_, response) => void response.writeHead(204).end());
    world = await createAlertWorld(engine, { clock: movableClock("2026-03-10T12:30:00Z"), lookEveryMilliseconds: 20 });
  });
  afterAll(async () => {
    await world.close();
    await hook.close();
  });
  beforeEach(async () => {
    tenant = await world.createTenant();
    testCircleId = uuidv7();
    world.circles.add(testCircleId);
  });

  /** A complete run of the circle with these numbers of good and bad results, reported as by the executioner. */
  async function run(passed: number, failed: number) {
    world.clock.advance(minute);
    const now = world.clock.now();
    const { organizationId } = tenant;
    const verdict = failed > 0 ? "failed" : "passed";
    await tenant.count([
      ...Array.from({ length: passed }, () => countedExecution({ testCircleId, finishedAt: now })),
      ...Array.from({ length: failed }, () => countedExecution({ testCircleId, finishedAt: now, verdict: "failed" })),
    ]);
    await tenant.endRun(testCircleId, verdict, { passed, failed });
    const occurredAt = now.toISOString();
    const payload = {
      ...{ runId: uuidv7(), testCircleId, apiIds: [], verdict, finishedAt: occurredAt },
      ...{ trigger: "schedule" as const, state: "finished" as const },
    };
    const body = { id: uuidv7(), type: "run.finished" as const, organizationId, occurredAt, payload };
    requireValue(await tenant.internal.receiveEvent({ body: body as ReceivedEvent }), "told");
  }
  const getLevel = async () => requireValue(await tenant.client.getServiceLevel({ params: { testCircleId } }), "level");
  const setLevel = async () =>
    requireValue(
      await tenant.client.setServiceLevel({
        params: { testCircleId },
        body: { objective: 99, days: 30, counts: "passRate" },
      }),
      "set",
    );
  async function createHook(rule: Partial<AlertRuleInput> = {}) {
    const path = `/${uuidv7()}`;
    const { id } = await tenant.createChannel({
      ...{ kind: "webhook", name: "Hook", enabled: true, url: `${hook.baseUrl}${path}` },
    });
    await tenant.createRule({ channelIds: [id], ...rule });
    return {
      id,
      listReceived: () => hook.requests.filter(({ url }) => url === path).map(({ text }) => JSON.parse(text)),
    };
  }
  /** Waits until no service level is due. */
  const settled = () =>
    expect
      .poll(() => listLevelsToLookAt(world.database.inSchema<AnalyzerTables>(schemaName), world.clock.now(), 9), {
        timeout: 300_000,
      })
      .toEqual([]);

  test(`${engine.name}: a budget that burns fast is reported once, and once more when the burn ends`, async () => {
    await setLevel();
    const channel = await createHook();
    await run(100, 0);
    await run(50, 50);
    await expect.poll(() => channel.listReceived().length).toBe(1);
    const [burning] = channel.listReceived();
    expect(burning).toMatchObject({
      type: "service_level.burning",
      data: {
        ...{ severity: "high", incidents: [] },
        serviceLevel: { testCircleId, objective: 99, days: 30, endedAt: null, burn: [{ hours: 1, rate: 25 }, {}, {}] },
      },
    });
    const { burningSince } = await getLevel();
    expect(burningSince).toBe(burning.data.serviceLevel.since);

    await run(0, 100);
    await settled();
    // Good again, for longer than the half hour of the short window; the six hours still count the failure.
    for (let index = 0; index < 4; index += 1) {
      world.clock.advance(10 * minute);
      await run(100, 0);
    }
    await expect.poll(() => channel.listReceived().length).toBe(2);
    expect(channel.listReceived()[1]).toMatchObject({
      type: "service_level.steady",
      data: { serviceLevel: { since: burningSince, endedAt: expect.any(String) } },
    });
    expect((await getLevel()).burningSince).toBeNull();
    await run(100, 0);
    await settled();
    expect(channel.listReceived()).toHaveLength(2);
  });

  test(`${engine.name}: a channel added during a burn is notified once`, async () => {
    await setLevel();
    await run(50, 50);
    await expect.poll(async () => (await getLevel()).burningSince).not.toBeNull();
    await settled();
    const channel = await createHook();
    await run(0, 100);
    await expect.poll(() => channel.listReceived().length).toBe(1);
    await run(0, 100);
    await settled();
    expect(channel.listReceived()).toMatchObject([{ type: "service_level.burning" }]);
  });

  test(`${engine.name}: a rule may exclude burns, and without a level nothing burns`, async () => {
    const channel = await createHook({ onBurn: false });
    await run(0, 10);
    await setLevel();
    await run(0, 10);
    await expect.poll(async () => (await getLevel()).burningSince).not.toBeNull();
    await settled();
    expect(channel.listReceived()).toEqual([]);
  });

  test(`${engine.name}: an alert deferred by quiet hours is dropped when the burn ends first`, async () => {
    await setLevel();
    const quietHours = { from: "00:00", to: "23:59", timeZone: "UTC" };
    const channel = await createHook({ quietHours });
    await run(0, 10);
    const deliveries = async () =>
      requireValue(
        await tenant.client.listDeliveries({ params: { channelId: channel.id }, query: {} }),
        "deliveries",
      ).items.map(({ kind, state }) => `${kind} ${state}`);
    await expect.poll(deliveries).toEqual(["burning held"]);
    for (let index = 0; index < 4; index += 1) {
      world.clock.advance(10 * minute);
      await run(1_000, 0);
    }
    await expect.poll(deliveries).toEqual(["burning dropped"]);
    expect(channel.listReceived()).toEqual([]);
  });
}
