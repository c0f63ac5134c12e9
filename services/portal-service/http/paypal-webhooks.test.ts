import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { storedRows } from "../../kit/testing/stored-rows.ts";
import { schemaName } from "../store/tables.ts";
import { type Buyer, createBuyer, requireValue } from "../testing/buyer.ts";
import { createSellingWorld, type SellingWorld, type SentWebhook } from "../testing/selling-world.ts";

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
const getType = ({ body }: SentWebhook): string => JSON.parse(body).event_type;

/** All stored rows about sales, and the emails: history, payments, notifications, records and deliveries. */
async function everything(): Promise<Record<string, string[]>> {
  const stored = await storedRows(database, schemaName);
  return { ...stored, emails: world.mail.emails.map(({ subject }) => subject) };
}

/** Deliveries are stored for the operator, whatever they concern; refused ones as counts. */
async function everythingButDeliveries() {
  const tables = [`${schemaName}.webhook_deliveries`, `${schemaName}.refused_deliveries`];
  return Object.fromEntries(Object.entries(await everything()).filter(([table]) => !tables.includes(table)));
}

/** Accepted deliveries. */
const believed = () => world.db.selectFrom("webhook_deliveries").select("id").where("fault", "is", null).execute();

/** Checks every due subscription. The first turn also lists earlier events. */
async function catchUp() {
  for (let turns = 0; turns < 3; turns += 1) await world.takeTurn();
}

/** A subscription with two payments, and PayPal's webhooks for it, none of them delivered yet. */
async function subscribeUnnoticed() {
  const collected = world.collect();
  const made = await buyer.subscribed();
  world.clock.advance(31 * day);
  await world.sandbox.turn();
  return { made, collected };
}

test("P02: a webhook that PayPal did not send in this form is refused and changes nothing", async () => {
  const { collected } = await subscribeUnnoticed();
  const { headers, body } = collected.at(-1)!;
  const sale = JSON.parse(body);
  expect(sale.event_type).toBe("PAYMENT.SALE.COMPLETED");
  const certificateAt = (url: string) => ({ ...headers, "paypal-cert-url": url, "paypal-transmission-sig": "AA==" });
  const without = (name: string) => Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
  const forged: Record<string, [Record<string, string>, string]> = {
    "another kind of event": [headers, body.replace("SALE.COMPLETED", "SALE.REFUNDED")],
    "one digit of the amount": [headers, body.replace("49.00", "49.01")],
    "another subscription": [headers, body.replace(sale.resource.billing_agreement_id, "I-000000000000")],
    "another id of the event": [headers, body.replace(sale.id, "WH-1")],
    "white space": [headers, JSON.stringify(sale, null, 1)],
    "another order of the same JSON": [headers, JSON.stringify(Object.fromEntries(Object.entries(sale).reverse()))],
    "more than an event": [headers, `${body.slice(0, -1)},"webhook_id":"WHOTHER1"}`],
    "an event spliced around": [headers, `{},"webhook_id":"WHOTHER1","webhook_event":${body}`],
    "no signature at all": [{ "content-type": "application/json" }, body],
    "a made-up signature": [{ ...headers, "paypal-transmission-sig": "AAAA" }, body],
    "another event's signature": [collected[0]!.headers, body],
    "another time": [{ ...headers, "paypal-transmission-time": "2031-01-01T00:00:00Z" }, body],
    "another algorithm": [{ ...headers, "paypal-auth-algo": "none" }, body],
    "a certificate of this machine": [certificateAt("http://127.0.0.1:1/x.pem"), body],
    "a certificate of a name like PayPal's": [certificateAt("https://evil-paypal.com/c.pem"), body],
    "a certificate below another name": [certificateAt("https://api.paypal.com.evil.example/c"), body],
    "a certificate behind a user name": [certificateAt("https://api.paypal.com@evil.example/c"), body],
    "no JSON": [headers, "no JSON"],
    nothing: [headers, ""],
    "a list": [headers, "[]"],
  };
  for (const name of Object.keys(headers)) {
    if (name.startsWith("paypal-")) forged[`without ${name}`] = [without(name), body];
  }
  const before = [await everythingButDeliveries(), await believed()];
  for (const [how, [given, text]] of Object.entries(forged)) expect(await world.send(given, text), how).toBe(400);
  expect(await world.send(headers, `{"id":"${"x".repeat(5 * 1_048_576)}"}`)).toBe(413);
  // Signed for another webhook of the same account.
  const stray = world.sentOthers.at(-1)!;
  expect(getType(stray)).toBe("PAYMENT.SALE.COMPLETED");
  expect(await world.send(stray.headers, stray.body)).toBe(400);
  expect([await everythingButDeliveries(), await believed()]).toEqual(before);
  expect(await world.send(headers, body)).toBe(200);
});

test("P02: events forged by the sandbox's own switch are refused, and PayPal's response counts instead", async () => {
  world.sandbox.switchOn({ kind: "webhooks", act: "forge" });
  const made = await buyer.subscribe();
  await world.sandbox.decide(made.approveUrl!, "approve");
  await world.sandbox.turn();
  expect(await believed()).toEqual([]);
  world.clock.advance(30_000);
  await world.takeTurn();
  expect((await buyer.read(made)).state).toBe("ACTIVE");
});

test("P02: a webhook that can't be verified now is refused, so that PayPal sends it again", async () => {
  const { collected } = await subscribeUnnoticed();
  const { headers, body } = collected[0]!;
  const before = await everything();
  for (const kind of ["status", "hang", "malformed", "html"] as const) {
    const call = "POST /v1/notifications/verify";
    world.sandbox.switchOn(
      kind === "status" ? { kind, status: 503, call, after: false, times: 3 } : { kind, call, after: false, times: 3 },
    );
    expect(await world.send(headers, body), kind).toBe(503);
    world.sandbox.clearFaults();
  }
  expect(await everything()).toEqual(before);
  expect(await world.send(headers, body)).toBe(200);
});

test("P02, P03: a repeated webhook is accepted each time, and changes nothing more", async () => {
  const { collected } = await subscribeUnnoticed();
  for (const { headers, body } of collected) expect(await world.send(headers, body)).toBe(200);
  await catchUp();
  const before = await everythingButDeliveries();
  const requested = world.sandbox.calls.filter((call) => call.startsWith("GET ")).length;
  for (const { headers, body } of collected) {
    const fifty = await Promise.all(Array.from({ length: 50 }, () => world.send(headers, body)));
    expect(new Set(fifty)).toEqual(new Set([200]));
  }
  await catchUp();
  expect(await everythingButDeliveries()).toEqual(before);
  expect(world.sandbox.calls.filter((call) => call.startsWith("GET "))).toHaveLength(requested);
  expect(await buyer.payments()).toHaveLength(2);
});

test("P03: fifty simultaneous copies of a new one have one effect", async () => {
  const collected = world.collect();
  const made = await buyer.subscribe();
  await world.sandbox.decide(made.approveUrl!, "approve");
  await world.sandbox.turn();
  const activated = collected.find((one) => getType(one) === "BILLING.SUBSCRIPTION.ACTIVATED")!;
  const fifty = Array.from({ length: 50 }, () => world.send(activated.headers, activated.body));
  expect(new Set(await Promise.all(fifty))).toEqual(new Set([200]));
  await Promise.all(Array.from({ length: 10 }, () => world.takeTurn()));
  const states = (await buyer.entries(made)).map(({ state }) => state);
  expect(states).toEqual(["ACTIVE", "PENDING_APPROVAL"]);
  expect(await buyer.payments()).toHaveLength(1);
});

test("P02, T02: a webhook about an unknown subscription is accepted, and changes nothing", async () => {
  const made = await buyer.subscribed();
  const neighbour = createBuyer(world, randomUUID());
  const theirs = await neighbour.subscribed("business");
  // Another merchant's: created at the same PayPal, never by this portal.
  const planId = await world.provider.createPlan(
    {
      productId: "API-ASSURANCE",
      productName: "Shop",
      name: "Shop",
      description: "A shop",
      price: { minorUnits: 100, currency: "EUR" },
      trialDays: 0,
    },
    randomUUID(),
  );
  const foreign = await world.provider.createSubscription({
    planId,
    // Named as if it belonged to this portal.
    customId: made.id,
    requestId: randomUUID(),
    brandName: "Shop",
    returnUrl: "https://shop.example/return",
    cancelUrl: "https://shop.example/cancelled",
  });
  await world.sandbox.decide(foreign.approveUrl!, "approve");
  const collected = world.collect();
  await world.sandbox.turn();
  const strange = collected.filter(({ body }) => body.includes(foreign.id));
  expect(strange.map(getType).sort()).toEqual([
    "BILLING.SUBSCRIPTION.ACTIVATED",
    "BILLING.SUBSCRIPTION.CREATED",
    "PAYMENT.SALE.COMPLETED",
  ]);
  await catchUp();
  const before = await everythingButDeliveries();
  for (const { headers, body } of strange) expect(await world.send(headers, body)).toBe(200);
  await catchUp();
  expect(await everythingButDeliveries()).toEqual(before);

  // The neighbour's webhook changes the neighbour's subscription, and nothing of this organization.
  await world.provider.cancelSubscription(theirs.providerId, "Not wanted");
  await world.sandbox.turn();
  const cancelled = collected.find((one) => getType(one) === "BILLING.SUBSCRIPTION.CANCELLED")!;
  const own = [await buyer.read(made), await buyer.entries(made), await buyer.payments()];
  expect(await world.send(cancelled.headers, cancelled.body)).toBe(200);
  await catchUp();
  expect((await neighbour.read(theirs)).state).toBe("CANCELLED");
  expect([await buyer.read(made), await buyer.entries(made), await buyer.payments()]).toEqual(own);
});

test("P03: a webhook that arrives during a call to PayPal causes one more call", async () => {
  const made = await buyer.subscribed();
  await catchUp();
  const { findSubscription } = world.provider;
  const finding = vi.spyOn(world.provider, "findSubscription").mockImplementationOnce(async (id) => {
    const seen = await findSubscription(id);
    await world.provider.suspendSubscription(id, "Meanwhile");
    await world.sandbox.turn();
    return seen;
  });
  await requireValue(buyer.client.askProvider({ params: { subscriptionId: made.id } }));
  finding.mockRestore();
  expect((await buyer.read(made)).state).toBe("ACTIVE");
  await catchUp();
  expect((await buyer.read(made)).state).toBe("SUSPENDED");
});

test("P10: an outdated request ends nothing that became active during the call to PayPal", async () => {
  const made = await buyer.subscribe();
  await world.sandbox.decide(made.approveUrl!, "approve");
  const ask = () => requireValue(buyer.client.askProvider({ params: { subscriptionId: made.id } }));
  const { findSubscription } = world.provider;
  let second: Promise<unknown> | undefined;
  let isSecondRequested = () => {};
  let isFirstStored = () => {};
  const secondRequested = new Promise<void>((resolve) => {
    isSecondRequested = resolve;
  });
  const firstStored = new Promise<void>((resolve) => {
    isFirstStored = resolve;
  });
  const finding = vi
    .spyOn(world.provider, "findSubscription")
    .mockImplementationOnce(async (id) => {
      const seen = await findSubscription(id);
      second = ask();
      await secondRequested;
      return seen;
    })
    .mockImplementationOnce(async (id) => {
      const seen = await findSubscription(id);
      isSecondRequested();
      await firstStored;
      return { ...seen!, customId: "another's" };
    });
  await ask();
  isFirstStored();
  await second;
  finding.mockRestore();
  expect((await buyer.read(made)).state).toBe("ACTIVE");
});

test("P03: repeated, reversed and lost webhooks lead to the same state", async () => {
  const outcomes: string[] = [];
  for (const act of [undefined, "duplicate", "reorder", "drop"] as const) {
    if (act) world.sandbox.switchOn({ kind: "webhooks", act });
    const made = await buyer.subscribe();
    const back = await world.sandbox.decide(made.approveUrl!, "approve");
    await world.sandbox.turn();
    // A dropped webhook is made up for by the scheduled check.
    world.clock.advance(30_000);
    await catchUp();
    expect((await buyer.read(made)).state, act).toBe("ACTIVE");
    world.clock.advance(31 * day);
    await world.sandbox.turn();
    await catchUp();
    expect((await buyer.payments()).filter((one) => one.subscriptionId === made.id)).toHaveLength(2);
    await world.provider.cancelSubscription(back.searchParams.get("subscription_id")!, "At PayPal");
    await world.sandbox.turn();
    world.clock.advance(day);
    await catchUp();
    expect((await buyer.read(made)).state, act).toBe("CANCELLED");
    outcomes.push((await buyer.entries(made)).map(({ state, text }) => `${state} ${text}`).join(", "));
    world.sandbox.clearFaults();
  }
  expect(new Set(outcomes).size).toBe(1);
});
