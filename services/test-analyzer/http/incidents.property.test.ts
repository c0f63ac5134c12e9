import fc from "fast-check";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { IncidentSummary } from "#contracts/test-analyzer/incidents.ts";
import { repetitions } from "../../../tests/support/endurance.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createIncidentWorld, type IncidentTenant, type IncidentWorld } from "../testing/incident-world.ts";
import { type Came, failed, type KnownTest, refused } from "../testing/reported-runs.ts";

const minute = 60_000;
const [engine] = testEngines();
const numRuns = repetitions(15, 300);
let world: IncidentWorld;
beforeAll(async () => {
  world = await createIncidentWorld(engine);
});
afterAll(() => world.close());

/** A random order of these, with some repeated. */
function shuffled<Item>(items: readonly Item[], seed: readonly number[]): Item[] {
  const repeated = [...items, ...items.filter((_, index) => seed[index % seed.length]! % 3 === 0)];
  return repeated
    .map((item, index) => ({ item, key: (seed[index % seed.length]! * (index + 7)) % 101 }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}

/** Number of alerts for each incident, by kind. */
async function countNotified(tenant: IncidentTenant, channelId: string) {
  const query = { limit: 200 };
  const { items } = requireValue(await tenant.client.listDeliveries({ params: { channelId }, query }), "deliveries");
  const counts = new Map<string, { opened: number; recovered: number }>();
  for (const { kind, incidentIds } of items) {
    if (kind !== "opened" && kind !== "recovered") continue;
    for (const id of incidentIds) {
      const count = counts.get(id) ?? { opened: 0, recovered: 0 };
      count[kind] += 1;
      counts.set(id, count);
    }
  }
  return counts;
}

async function expectNotifiedOnce(tenant: IncidentTenant, channelId: string, incidents: IncidentSummary[]) {
  const counts = await countNotified(tenant, channelId);
  expect([...counts.keys()].sort()).toEqual(incidents.map(({ id }) => id).sort());
  for (const { id, state } of incidents) {
    expect(counts.get(id)).toEqual({ opened: 1, recovered: state === "resolved" ? 1 : 0 });
  }
}

/** Reports the runs in order or, at random, in another order and partly at once; returns the outcome. */
async function sendAll(runs: [KnownTest, Came][][], inOrder: boolean, seed: number[], changes: object = {}) {
  const tenant = await world.createTenant();
  const { id } = await tenant.createHook();
  await tenant.createRule({ channelIds: [id], ...changes });
  const events = runs.map((results) => {
    world.clock.advance(minute);
    return world.runs.add(tenant.organizationId, results);
  });
  const sent = inOrder ? events : shuffled(events, seed);
  const atOnce = inOrder ? 1 : 3;
  for (let from = 0; from < sent.length; from += atOnce)
    await Promise.all(sent.slice(from, from + atOnce).map(tenant.receive));
  const incidents = await tenant.listIncidents({ limit: 200 });
  await expectNotifiedOnce(tenant, id, incidents);
  return incidents;
}

const seeds = fc.array(fc.nat(1_000), { minLength: 5, maxLength: 25 });

test("the order and repetition of run events change nothing: the same incidents, one alert per break, one recovery", async () => {
  const comings = fc.array(fc.constantFrom<Came>(undefined, failed, refused), { minLength: 1, maxLength: 18 });
  await fc.assert(
    fc.asyncProperty(comings, seeds, fc.integer({ min: 1, max: 3 }), async (came, seed, afterRuns) => {
      const known: KnownTest = { id: uuidv7(), name: "order", apiId: uuidv7() };
      const runs = came.map((one): [KnownTest, Came][] => [[known, one]]);
      const shape = (incidents: IncidentSummary[], start: number) =>
        incidents.map(({ title, state, unsteady, since }) => [title, state, unsteady, Date.parse(since) - start]);
      const begun = world.clock.now().getTime();
      const straight = shape(await sendAll(runs, true, seed, { afterRuns }), begun);
      const begunAgain = world.clock.now().getTime();
      expect(shape(await sendAll(runs, false, seed, { afterRuns }), begunAgain)).toEqual(straight);
    }),
    { numRuns },
  );
});

test("for any failures: a cause has one incident at a time, and a test is in one while it fails", async () => {
  const failures: Came[] = [
    undefined,
    failed,
    refused,
    { ...refused, host: "other.example.com" },
    { ...refused, causeCode: "tls_failed" },
    { ...failed, statusCode: 401, credentialId: "019aa000-0000-7000-8000-00000000000c" },
  ];
  const outcomes = fc.array(fc.array(fc.constantFrom(...failures), { minLength: 4, maxLength: 4 }), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(outcomes, seeds, async (came, seed) => {
      const tests = ["a", "b", "c", "d"].map((name): KnownTest => ({ id: uuidv7(), name, apiId: uuidv7() }));
      const runs = came.map((one) => tests.map((known, index): [KnownTest, Came] => [known, one[index]]));
      const incidents = await sendAll(runs, false, seed);
      const open = incidents.filter(({ state }) => state !== "resolved");
      expect(new Set(open.map(({ cause }) => JSON.stringify(cause))).size).toBe(open.length);
      const last = came.at(-1)!;
      const steady = tests.filter((_, index) =>
        came.every((one, at) => at === 0 || !one[index] === !came[at - 1]![index]),
      );
      const failing = tests.filter((_, index) => last[index]);
      const inOpen = open.reduce((sum, { failing: count }) => sum + count, 0);
      expect(inOpen).toBeGreaterThanOrEqual(failing.length);
      if (steady.length === tests.length) expect(inOpen).toBe(failing.length);
    }),
    { numRuns },
  );
});
