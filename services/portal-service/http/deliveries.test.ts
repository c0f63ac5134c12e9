import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { scopes } from "#contracts/kit/endpoint.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { retainDeliveries } from "../jobs/delivery-retention.ts";
import { type PortalTables, schemaName } from "../store/tables.ts";
import { createSellingWorld, type SellingWorld } from "../testing/selling-world.ts";

let database: Database;
let world: SellingWorld;
beforeAll(async () => {
  database = await testEngines()[0]!.open();
  world = await createSellingWorld(database, {
    webhookLimits: { perMinute: 40, perMinuteOfAddress: 40, atOnce: 4 },
  });
});
beforeEach(async () => {
  await world.startAnew();
});
afterAll(async () => {
  await world.stop();
  await database.close();
});

const day = 86_400_000;
const list = async (query: object = {}) => requireValue(await world.operator.listDeliveries({ query }), "deliveries");
const verifications = () =>
  world.sandbox.calls.filter((call) => call === "POST /v1/notifications/verify-webhook-signature").length;

/** An approved subscription, and PayPal's webhooks for it, not yet delivered. */
async function collectSent() {
  const collected = world.collect();
  const buyer = world.member({ scopes: ["billing:manage"] });
  const made = requireValue(await buyer.createSubscription({ body: { serviceId: "team" } }), "subscribing");
  await world.sandbox.decide(made.approveUrl!, "approve");
  await expect.poll(() => world.sandbox.turn().then(() => collected.length)).toBeGreaterThan(2);
  return { collected, subscriptionId: made.id };
}

test("PayPal's webhooks are listed with their effects, and a repeated one counts once", async () => {
  const { collected, subscriptionId } = await collectSent();
  const activated = collected.find(({ body }) => body.includes("SUBSCRIPTION.ACTIVATED"))!;
  for (let times = 0; times < 3; times += 1) expect(await world.send(activated.headers, activated.body)).toBe(200);
  await world.takeTurn();
  const { items, refusedOfDay } = await list();
  expect(refusedOfDay).toBe(0);
  expect(items).toMatchObject([
    { eventType: "BILLING.SUBSCRIPTION.ACTIVATED", outcome: "believed", fault: null, subscriptionId, times: 3 },
  ]);
  expect(items[0]!.differences).toContainEqual({
    subject: "state",
    id: null,
    before: "PENDING_APPROVAL",
    after: "ACTIVE",
  });
  const { id: paymentDeliveryId } = items[0]!;
  expect(requireValue(await world.operator.getDelivery({ params: { paymentDeliveryId } }), "one")).toEqual(items[0]);

  // A webhook about a known change changes nothing.
  const sale = collected.find(({ body }) => body.includes("SALE.COMPLETED"))!;
  await world.send(sale.headers, sale.body);
  await world.takeTurn();
  expect((await list()).items.find(({ answeredAt }) => !answeredAt)).toBeUndefined();
  expect((await list()).items.find(({ eventType }) => eventType === "PAYMENT.SALE.COMPLETED")?.differences).toEqual([]);
});

test("deliveries are found by number, by subscription and by outcome, page by page", async () => {
  const { collected, subscriptionId } = await collectSent();
  for (const { headers, body } of collected) await world.send(headers, body);
  await world.send({ "content-type": "application/json" }, collected[0]!.body);
  const all = (await list()).items;
  expect(all).toHaveLength(collected.length + 1);
  const first = await list({ limit: 2 });
  const rest = await list({ cursor: first.nextCursor! });
  expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  expect((await list({ outcome: "refused" })).items).toMatchObject([{ fault: "headers", subscriptionId: null }]);
  expect((await list({ outcome: "believed" })).items).toHaveLength(collected.length);
  expect((await list({ subscriptionId })).items).toHaveLength(collected.length);
  const { id, providerId } = all.find(({ outcome }) => outcome === "believed")!;
  expect((await list({ query: id })).items.map((one) => one.id)).toEqual([id]);
  expect((await list({ query: providerId! })).items).toHaveLength(collected.length);
});

test("P02: a delivery that can't be PayPal's is refused without asking PayPal, each reason by its name", async () => {
  const { collected } = await collectSent();
  const { headers, body } = collected[0]!;
  const forged: [string, Record<string, string>][] = [
    ["headers", { "paypal-transmission-sig": "" }],
    ["algorithm", { "paypal-auth-algo": "SHA1withRSA" }],
    ["certificate", { "paypal-cert-url": "https://paypal.com@evil.test/c" }],
    ["certificate", { "paypal-cert-url": `${world.sandbox.base}.evil.test/c` }],
    ["certificate", { "paypal-cert-url": world.sandbox.base.replace("http:", "https:") }],
    ["certificate", { "paypal-cert-url": "no address" }],
  ];
  for (const [error, change] of forged) {
    expect(await world.send({ ...headers, ...change }, body), JSON.stringify(change)).toBe(400);
    expect((await list({ limit: 1 })).items[0]).toMatchObject({ outcome: "refused", fault: error });
    world.clock.advance(1);
  }
  expect(verifications()).toBe(0);
  expect(await world.send(headers, body.replace("CREATED", "UPDATED"))).toBe(400);
  expect((await list({ limit: 1 })).items[0]).toMatchObject({ fault: "signature" });
  expect(verifications()).toBe(1);
});

test("P02: a flood of forged webhooks is counted, fills nothing, and causes a bounded number of calls to PayPal per minute", async () => {
  const { collected } = await collectSent();
  const { headers, body } = collected[0]!;
  const forged = { ...headers, "paypal-transmission-sig": "AAAA" };
  const results = [];
  for (let one = 0; one < 100; one += 1) results.push(await world.send(forged, body));
  expect(results.filter((status) => status === 400)).toHaveLength(40);
  expect(results.filter((status) => status === 429)).toHaveLength(60);
  expect(verifications()).toBe(40);
  const { items, refusedOfDay } = await list({ limit: 200 });
  expect([items.length, refusedOfDay]).toEqual([20, 40]);
  // PayPal's own, refused meanwhile, is accepted on its retry.
  expect(await world.send(headers, body)).toBe(429);
  world.clock.advance(60_000);
  expect(await world.send(headers, body)).toBe(200);
});

test("neither unverified content nor a buyer's name is stored", async () => {
  const { collected } = await collectSent();
  const { headers, body } = collected[0]!;
  const named = JSON.parse(body);
  await world.send(headers, JSON.stringify({ ...named, event_type: "<script>", summary: "canary-77" }));
  for (const one of collected) await world.send(one.headers, one.body);
  const rows = await database.inSchema<PortalTables>(schemaName).selectFrom("webhook_deliveries").selectAll().execute();
  const stored = JSON.stringify(rows);
  for (const word of ["<script>", "canary-77", "email", "payer"]) expect(stored).not.toContain(word);
});

test("deliveries are deleted after 90 days", async () => {
  await world.send({}, "{}");
  const db = database.inSchema<PortalTables>(schemaName);
  world.clock.advance(89 * day);
  await retainDeliveries(db, world.clock);
  expect((await list()).items).toHaveLength(1);
  world.clock.advance(2 * day);
  await retainDeliveries(db, world.clock);
  expect((await list()).items).toEqual([]);
  expect(await db.selectFrom("refused_deliveries").selectAll().execute()).toEqual([]);
});

test("T01: only the operator sees deliveries", async () => {
  const administrator = world.member({ scopes: scopes.filter((scope) => scope !== "system:manage") });
  expect(await administrator.listDeliveries({ query: {} })).toMatchObject({ status: 403 });
  expect(await administrator.getDelivery({ params: { paymentDeliveryId: "WH-1" } })).toMatchObject({ status: 403 });
  expect(await world.operator.getDelivery({ params: { paymentDeliveryId: "WH-1" } })).toMatchObject({ status: 404 });
});
