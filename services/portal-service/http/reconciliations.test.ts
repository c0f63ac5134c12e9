import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scopes } from "#contracts/kit/endpoint.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createReconciliation, reconciliationMetrics } from "../jobs/reconciliation.ts";
import { createBuyer, requireValue } from "../testing/buyer.ts";
import { createSellingWorld, type SellingWorld } from "../testing/selling-world.ts";

let database: Database;
let world: SellingWorld;
let turn: () => Promise<void>;
beforeAll(async () => {
  database = await testEngines()[0]!.open();
  world = await createSellingWorld(database);
  world.listens(false);
  const { db, clock, truth } = world;
  turn = createReconciliation({ db, clock, truth, log: pino({ level: "silent" }) }).turn;
});
afterAll(async () => {
  await world.stop();
  await database.close();
});

const newest = async () => (await requireValue(world.operator.listReconciliations({ query: { limit: 1 } }))).items[0];
const getDifferences = async (reconciliationId: string, query: object = {}) =>
  (await requireValue(world.operator.listReconciledDifferences({ params: { reconciliationId }, query }))).items;

test("a reconciliation finds lost changes, adopts the provider's state, and finds nothing the second time", async () => {
  const buyers = [];
  for (let index = 0; index < 3; index += 1) buyers.push(createBuyer(world, await world.addOrganization()));
  const [suspended, refunded, same] = await Promise.all(buyers.map((buyer) => buyer.subscribed()));
  await world.sandbox.tamper(suspended!.providerId, { status: "SUSPENDED" });
  const [paid] = await buyers[1]!.payments();
  await world.sandbox.refund(paid!.id, "REFUNDED");

  await turn();
  expect(await newest()).toBeUndefined();
  const begun = await requireValue(world.operator.createReconciliation());
  const again = await requireValue(world.operator.createReconciliation());
  expect([begun.endedAt, again.id]).toEqual([null, begun.id]);
  await Promise.all([turn(), turn()]);
  expect(await newest()).toMatchObject({
    ...{ id: begun.id, asked: 3, differing: 2, failed: 0 },
    endedAt: expect.any(String),
  });
  const found = await getDifferences(begun.id);
  expect(found.map(({ subscriptionId }) => subscriptionId).sort()).toEqual([suspended!.id, refunded!.id].sort());
  const of = (id: string) => found.find(({ subscriptionId }) => subscriptionId === id)?.differences;
  expect(of(suspended!.id)).toContainEqual({ subject: "state", id: null, before: "ACTIVE", after: "SUSPENDED" });
  expect(of(refunded!.id)?.map(({ subject, id }) => [subject, id])).toEqual([["payment", paid!.id]]);
  expect((await buyers[0]!.read(suspended!)).state).toBe("SUSPENDED");
  expect((await buyers[2]!.read(same!)).state).toBe("ACTIVE");
  const families = await reconciliationMetrics(world.db);
  expect(families.map(({ name, samples }) => [name, samples[0]?.value])).toContainEqual([
    "payment_reconciliation_differences",
    2,
  ]);

  const second = await requireValue(world.operator.createReconciliation());
  await turn();
  expect(await newest()).toMatchObject({ id: second.id, asked: 3, differing: 0 });
});

test("it waits while the provider is away, and continues after the last subscription with a response", async () => {
  const begun = await requireValue(world.operator.createReconciliation());
  world.sandbox.switchOn({
    kind: "status",
    status: 503,
    call: "GET /v1/billing/subscriptions",
    after: false,
    times: 3,
  });
  await turn();
  expect(await newest()).toMatchObject({ id: begun.id, endedAt: null, asked: 0 });
  await turn();
  expect(await newest()).toMatchObject({ endedAt: null, asked: 0 });
  world.clock.advance(61_000);
  await turn();
  expect(await newest()).toMatchObject({ id: begun.id, asked: 3, endedAt: expect.any(String) });
});

test("it starts once a day without a request", async () => {
  const before = await newest();
  world.clock.advance(23 * 3_600_000);
  await turn();
  expect((await newest())?.id).toBe(before?.id);
  world.clock.advance(2 * 3_600_000);
  await turn();
  expect(await newest()).toMatchObject({ begunBy: null, asked: 3 });
  expect((await newest())?.id).not.toBe(before?.id);
});

test("T01: only the operator sees reconciliations", async () => {
  const unprivileged = world.member({ scopes: scopes.filter((scope) => scope !== "system:manage") });
  const params = { reconciliationId: (await newest())!.id };
  const results = await Promise.all([
    unprivileged.listReconciliations({ query: {} }),
    unprivileged.createReconciliation(),
    unprivileged.getReconciliation({ params }),
    unprivileged.listReconciledDifferences({ params, query: {} }),
  ]);
  expect(results.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
});
