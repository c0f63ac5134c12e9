import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type Buyer, createBuyer, requireValue } from "../testing/buyer.ts";
import { createSellingWorld, type SellingWorld } from "../testing/selling-world.ts";

let database: Database;
let world: SellingWorld;
let buyer: Buyer;

beforeAll(async () => {
  database = await testEngines()[0]!.open();
  world = await createSellingWorld(database);
});
beforeEach(async () => {
  await world.startAnew();
  buyer = createBuyer(world);
});
afterAll(async () => {
  await world.stop();
  await database.close();
});

test("a payment shows its purpose and period, to its own organization only", async () => {
  await buyer.subscribed();
  const [paid] = await buyer.payments();
  const params = { paymentId: paid!.id };
  expect(await requireValue(buyer.client.getPayment({ params }))).toEqual(paid);
  expect(paid).toMatchObject({
    serviceName: "Team",
    amount: { minorUnits: 4_900, currency: "USD" },
    state: "COMPLETED",
  });
  expect(Date.parse(paid!.coversUntil)).toBeGreaterThan(Date.parse(paid!.paidAt) + 27 * 86_400_000);
  const stranger = createBuyer(world, randomUUID());
  expect((await stranger.client.getPayment({ params })).status).toBe(404);
  expect((await buyer.client.getPayment({ params: { paymentId: "UNKNOWN" } })).status).toBe(404);
  expect((await world.member({ scopes: ["tests:read"] }).getPayment({ params })).status).toBe(403);
});

test("P09: a refund is listed with its amount, although its webhook names the payment only", async () => {
  await buyer.subscribed();
  const [paid] = await buyer.payments();
  const usd = (minorUnits: number) => ({ minorUnits, currency: "USD" });
  expect(paid?.refunded).toEqual(usd(0));
  const reported = [
    { state: "PARTIALLY_REFUNDED", amount: "9.50", sum: 950 },
    { state: "PARTIALLY_REFUNDED", amount: "0.50", sum: 1_000 },
    { state: "REFUNDED", amount: "39.00", sum: 4_900 },
  ] as const;
  for (const { state, amount, sum } of reported) {
    world.clock.advance(60_000);
    await world.sandbox.refund(paid!.id, state, { amount });
    await world.sandbox.turn();
    await world.takeTurn();
    expect((await buyer.payments())[0]).toMatchObject({ state, refunded: usd(sum) });
  }
  expect(await buyer.payments()).toHaveLength(1);
});

test("a refund whose webhook was lost or repeated counts once, and a reversal is labelled as one", async () => {
  world.listens(false);
  await buyer.subscribed();
  const [paid] = await buyer.payments();
  await world.sandbox.refund(paid!.id, "REFUNDED", { isReversal: true });
  world.clock.advance(60_000);
  await world.takeTurn();
  const reversed = { state: "REVERSED", refunded: paid!.amount };
  expect((await buyer.payments())[0]).toMatchObject(reversed);
  world.listens(true);
  await world.sandbox.turn();
  world.clock.advance(60_000);
  await world.takeTurn();
  expect((await buyer.payments())[0]).toMatchObject(reversed);
  expect(await world.db.selectFrom("refunds").select("amount_minor").execute()).toEqual([{ amount_minor: 4_900 }]);
});
