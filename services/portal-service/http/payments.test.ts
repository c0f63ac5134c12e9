import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { answered, type Buyer, createBuyer } from "../testing/buyer.ts";
import { createSellingWorld, type SellingWorld } from "../testing/selling-world.ts";

let database: Database;
let world: SellingWorld;
let buyer: Buyer;

beforeEach(async () => {
  database = await testEngines()[0]!.open();
  world = await createSellingWorld(database);
  buyer = createBuyer(world);
});
afterEach(async () => {
  await world.stop();
  await database.close();
});

test("a payment says what it was for and until when, and is nobody else's", async () => {
  await buyer.subscribed();
  const [paid] = await buyer.payments();
  const params = { paymentId: paid!.id };
  expect(await answered(buyer.client.getPayment({ params }))).toEqual(paid);
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

test("P09: what is given back is seen, although its webhook names the payment only", async () => {
  await buyer.subscribed();
  const [paid] = await buyer.payments();
  for (const state of ["PARTIALLY_REFUNDED", "REFUNDED"] as const) {
    world.clock.advance(60_000);
    await world.sandbox.refund(paid!.id, state);
    await world.sandbox.turn();
    await expect.poll(async () => (await buyer.payments())[0]?.state).toBe(state);
  }
  expect(await buyer.payments()).toHaveLength(1);
});
