import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Subscription } from "#contracts/portal-service/subscriptions.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type Buyer, broughtBy, createBuyer, requireValue } from "../testing/buyer.ts";
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

const day = 86_400_000;

test("P01: a return with other parameters activates nothing", async () => {
  const made = await buyer.subscribe();
  const other = createBuyer(world, randomUUID());
  const others = await other.subscribe();
  const back = await world.sandbox.decide(others.approveUrl!, "approve");
  const theirs = broughtBy(back);
  const ownToken = new URL(made.approveUrl!).searchParams.get("ba_token")!;
  const forged = [
    theirs,
    { params: theirs.params, body: {} },
    { params: { providerId: "-" }, body: theirs.body },
    { params: theirs.params, body: { ba_token: ownToken } },
    { params: { providerId: "-" }, body: {} },
    { params: { providerId: "I-AAAAAAAAAAAA" }, body: {} },
    { params: { providerId: "I-AAAAAAAAAAAA" }, body: { ba_token: ownToken } },
    { params: { providerId: made.id }, body: {} },
    { params: { providerId: "../plans" }, body: {} },
    { params: { providerId: "-" }, body: { ba_token: "BA-0", token: theirs.body.token } },
  ];
  for (const one of forged) {
    const result = await buyer.client.verifySubscription(one);
    expect(result.status, JSON.stringify(one)).toBe(404);
  }
  // Their own token, without approval: checked, and still pending.
  const requested = await requireValue(
    buyer.client.verifySubscription({ params: { providerId: "-" }, body: { ba_token: ownToken } }),
  );
  expect(requested.state).toBe("PENDING_APPROVAL");
  expect((await buyer.read(made)).state).toBe("PENDING_APPROVAL");
  const unasked = await world.member({ scopes: ["tests:read"] }).verifySubscription(theirs);
  expect(unasked.status).toBe(403);
  expect((await world.connect().verifySubscription(theirs)).status).toBe(401);
});

test("P05: an approved subscription is active whether return or webhook arrives first, only one of them, or neither", async () => {
  async function isActive(one: Subscription) {
    await world.takeTurn();
    expect((await buyer.read(one)).state).toBe("ACTIVE");
  }

  const byReturn = await buyer.subscribed();
  expect(byReturn.state).toBe("ACTIVE");
  await world.sandbox.turn();
  await isActive(byReturn);
  await buyer.cancel(byReturn);

  const byWebhook = await buyer.subscribe();
  await world.sandbox.decide(byWebhook.approveUrl!, "approve");
  await world.sandbox.turn();
  await isActive(byWebhook);
  await buyer.cancel(byWebhook);

  world.listens(false);
  const byNeither = await buyer.subscribe();
  await world.sandbox.decide(byNeither.approveUrl!, "approve");
  await world.sandbox.turn();
  expect((await buyer.read(byNeither)).state).toBe("PENDING_APPROVAL");
  world.clock.advance(30_000);
  await isActive(byNeither);
});

test("P05: the job leaves a subscription to the buyer who just returned, so that the buyer is recorded", async () => {
  world.listens(false);
  const made = await buyer.subscribe();
  const back = await world.sandbox.decide(made.approveUrl!, "approve");
  const call = `GET /v1/billing/subscriptions/${back.searchParams.get("subscription_id")}`;
  world.sandbox.switchOn({ kind: "status", status: 500, call, after: false, times: 3 });
  expect(await buyer.client.verifySubscription(broughtBy(back))).toMatchObject({ ok: false, status: 503 });
  await world.takeTurn();
  expect((await buyer.read(made)).state).toBe("PENDING_APPROVAL");
  world.clock.advance(15_000);
  await world.takeTurn();
  expect((await buyer.read(made)).state).toBe("ACTIVE");
});

test("P05: a slow activation is waited for", async () => {
  world.sandbox.switchOn({ kind: "delayed-activation" });
  const made = await buyer.subscribe();
  const back = await world.sandbox.decide(made.approveUrl!, "approve");
  expect((await buyer.comeBack(back)).state).toBe("PENDING_APPROVAL");
  await world.provider.activateSubscription(back.searchParams.get("subscription_id")!, "late");
  world.listens(false);
  world.clock.advance(2_000);
  await world.takeTurn();
  expect((await buyer.read(made)).state).toBe("ACTIVE");
});

test("P03, P04: webhooks in any order and number lead to the state of PayPal's response", async () => {
  const collected = world.collect();
  const made = await buyer.subscribed();
  const { id: providerId } = (await world.provider.findSubscription(
    JSON.parse((await takeFirst(collected)).body).resource.id,
  ))!;
  world.clock.advance(35 * day);
  await world.provider.suspendSubscription(providerId, "for a while");
  await world.provider.activateSubscription(providerId, "again");
  await world.provider.cancelSubscription(providerId, "for good");
  await world.sandbox.turn();
  expect(collected.map(({ body }) => JSON.parse(body).event_type)).toEqual([
    "BILLING.SUBSCRIPTION.CREATED",
    "BILLING.SUBSCRIPTION.ACTIVATED",
    "PAYMENT.SALE.COMPLETED",
    "PAYMENT.SALE.COMPLETED",
    "BILLING.SUBSCRIPTION.SUSPENDED",
    "BILLING.SUBSCRIPTION.RE-ACTIVATED",
    "BILLING.SUBSCRIPTION.CANCELLED",
  ]);
  const shuffled = collected.flatMap((one) => Array.from({ length: 8 }, () => one)).sort(() => Math.random() - 0.5);
  const statuses = await Promise.all(shuffled.map(({ headers, body }) => world.send(headers, body)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  await world.takeTurn();
  expect((await buyer.read(made)).state).toBe("CANCELLED");
  expect((await buyer.entries(made)).filter(({ state }) => state === "CANCELLED")).toHaveLength(1);
  expect(await buyer.payments()).toHaveLength(2);
});

async function takeFirst<Item>(items: Item[]): Promise<Item> {
  await world.sandbox.turn();
  return items[0]!;
}

test("P02: a webhook that PayPal did not send changes nothing and is refused", async () => {
  const collected = world.collect();
  const made = await buyer.subscribe();
  await world.sandbox.decide(made.approveUrl!, "approve");
  const { headers, body } = await takeFirst(collected);
  const forged: [Record<string, string>, string][] = [
    [headers, body.replace("CREATED", "ACTIVATED")],
    [headers, JSON.stringify(JSON.parse(body), null, 1)],
    [{ ...headers, "paypal-transmission-sig": "AAAA" }, body],
    [{ "content-type": "application/json" }, body],
    ...[
      "http://127.0.0.1:1/x.pem",
      "https://evil-paypal.com/c.pem",
      "https://paypal.com.evil/c",
      "https://paypal.com@evil/c",
    ].map((url): [Record<string, string>, string] => [
      { ...headers, "paypal-cert-url": url, "paypal-transmission-sig": "AA" },
      body,
    ]),
    [headers, "no JSON"],
    [headers, ""],
  ];
  for (const [one, text] of forged) expect(await world.send(one, text), text.slice(0, 60)).toBe(400);
  expect(await world.send(headers, `{"id":"${"x".repeat(5 * 1_048_576)}"}`)).toBe(413);
  world.sandbox.switchOn({ kind: "status", status: 503, call: "POST /v1/notifications", after: false, times: 3 });
  expect(await world.send(headers, body)).toBe(503);
  expect(await world.send(headers, body)).toBe(200);
});
