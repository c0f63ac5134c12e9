import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AuditTables } from "../../kit/audit/audit-table.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import type { Subscription } from "../contract/subscriptions.ts";
import { schemaName } from "../store/tables.ts";
import { answered, broughtBy } from "../testing/buyer.ts";
import { createSellingWorld, portalOrigin, type SellingWorld } from "../testing/selling-world.ts";

let database: Database;
let world: SellingWorld;
let buyer: ReturnType<SellingWorld["member"]>;

beforeAll(async () => {
  database = await testEngines()[0]!.open();
  world = await createSellingWorld(database);
});
beforeEach(async () => {
  await world.startAnew();
  buyer = world.member({ scopes: ["billing:manage"] });
});
afterAll(async () => {
  await world.stop();
  await database.close();
});

const day = 86_400_000;

const subscribe = (serviceId = "team", who = buyer) => answered(who.createSubscription({ body: { serviceId } }));
const read = ({ id }: { id: string }) => answered(buyer.getSubscription({ params: { subscriptionId: id } }));

async function subscribed(serviceId = "team"): Promise<Subscription> {
  const made = await subscribe(serviceId);
  const back = await world.sandbox.decide(made.approveUrl!, "approve");
  return await answered(buyer.verifySubscription(broughtBy(back)));
}

const createdAtProvider = () => world.sandbox.calls.filter((call) => call === "POST /v1/billing/subscriptions").length;

test("a plan is subscribed to, approved at PayPal, paid for, and cancelled without losing what is paid", async () => {
  const made = await subscribe();
  expect(made).toMatchObject({
    serviceName: "Team",
    price: { minorUnits: 4_900, currency: "USD" },
    state: "PENDING_APPROVAL",
    isEntitled: false,
  });
  const back = await world.sandbox.decide(made.approveUrl!, "approve");
  expect(back.origin + back.pathname).toBe(`${portalOrigin}/subscriptions/paypal/return`);
  const active = await answered(buyer.verifySubscription(broughtBy(back)));
  expect(active).toMatchObject({ state: "ACTIVE", isEntitled: true, entitledUntil: null, approveUrl: null });
  for (let again = 0; again < 3; again += 1)
    expect(await answered(buyer.verifySubscription(broughtBy(back)))).toEqual(active);

  const { items: payments } = await answered(buyer.listPayments());
  expect(payments).toMatchObject([{ serviceName: "Team", amount: { minorUnits: 4_900 }, state: "COMPLETED" }]);

  const cancelled = await answered(buyer.cancelSubscription({ params: { subscriptionId: made.id } }));
  expect(cancelled).toMatchObject({
    state: "CANCELLED",
    isEntitled: true,
    entitledUntil: active.nextBillingAt,
  });
  expect(await world.provider.findSubscription(back.searchParams.get("subscription_id")!)).toMatchObject({
    state: "CANCELLED",
  });
  world.clock.advance(31 * day);
  expect(await read(made)).toMatchObject({ isEntitled: false });
  const { items: entries } = await answered(buyer.listSubscriptionEntries({ params: { subscriptionId: made.id } }));
  expect(entries.map(({ state, text }) => [state, text])).toEqual([
    ["CANCELLED", "Cancelled by a member."],
    ["ACTIVE", "Approved at PayPal."],
    ["PENDING_APPROVAL", "Subscribed to Team."],
  ]);
  expect(world.sandbox.faults).toEqual([]);
});

const planName = async () => (await answered((await world.serviceFor()).getPlan())).plan?.name;
const keptDays = async () => (await answered((await world.serviceFor()).getRetention())).retention?.detailsDays;

test("what was never approved changes neither plan nor retention", async () => {
  const made = await subscribe();
  await answered(buyer.cancelSubscription({ params: { subscriptionId: made.id } }));
  expect(await planName()).toBe("Free");
  expect(await keptDays()).toBe(7);
});

test("what a bank declined is not paid for: cancelled, it gives nothing", async () => {
  const made = await subscribe();
  await world.sandbox.decide(made.approveUrl!, "approve-declining");
  await world.sandbox.turn();
  await expect.poll(planName).toBe("Team");
  await answered(buyer.cancelSubscription({ params: { subscriptionId: made.id } }));
  expect(await read(made)).toMatchObject({ state: "CANCELLED", isEntitled: false });
});

test("what it pays for is its plan, and the free one when that is over; what was made is kept as long as before", async () => {
  expect(await planName()).toBe("Free");
  const made = await subscribed();
  expect(await planName()).toBe("Team");
  await answered(buyer.cancelSubscription({ params: { subscriptionId: made.id } }));
  expect(await planName()).toBe("Team");
  world.clock.advance(31 * day);
  expect(await planName()).toBe("Free");
  expect(await keptDays()).toBe(90);
});

test("P01: whoever comes back with something else activates nothing", async () => {
  const made = await subscribe();
  const other = world.member({ scopes: ["billing:manage"], organizationId: randomUUID() });
  const others = await subscribe("team", other);
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
    const answer = await buyer.verifySubscription(one);
    expect(answer.status, JSON.stringify(one)).toBe(404);
  }
  // Their own token, not approved by anybody: asked, and still pending.
  const asked = await answered(buyer.verifySubscription({ params: { providerId: "-" }, body: { ba_token: ownToken } }));
  expect(asked.state).toBe("PENDING_APPROVAL");
  expect((await read(made)).state).toBe("PENDING_APPROVAL");
  const unasked = await world.member({ scopes: ["tests:read"] }).verifySubscription(theirs);
  expect(unasked.status).toBe(403);
  expect((await world.connect().verifySubscription(theirs)).status).toBe(401);
});

test("P05: approved, it is active whether return or webhook comes first, only one, or neither", async () => {
  const isActive = (one: Subscription) => expect.poll(async () => (await read(one)).state).toBe("ACTIVE");

  const byReturn = await subscribed();
  expect(byReturn.state).toBe("ACTIVE");
  await world.sandbox.turn();
  await isActive(byReturn);
  await answered(buyer.cancelSubscription({ params: { subscriptionId: byReturn.id } }));

  const byWebhook = await subscribe();
  await world.sandbox.decide(byWebhook.approveUrl!, "approve");
  await world.sandbox.turn();
  await isActive(byWebhook);
  await answered(buyer.cancelSubscription({ params: { subscriptionId: byWebhook.id } }));

  world.listens(false);
  const byNeither = await subscribe();
  await world.sandbox.decide(byNeither.approveUrl!, "approve");
  await world.sandbox.turn();
  expect((await read(byNeither)).state).toBe("PENDING_APPROVAL");
  world.clock.advance(30_000);
  await isActive(byNeither);
});

test("P05: an activation that takes its time is waited for", async () => {
  world.sandbox.switchOn({ kind: "delayed-activation" });
  const made = await subscribe();
  const back = await world.sandbox.decide(made.approveUrl!, "approve");
  expect((await answered(buyer.verifySubscription(broughtBy(back)))).state).toBe("PENDING_APPROVAL");
  await world.provider.activateSubscription(back.searchParams.get("subscription_id")!, "late");
  world.listens(false);
  world.clock.advance(2_000);
  await expect.poll(async () => (await read(made)).state).toBe("ACTIVE");
});

test("P03, P04: webhooks in any order and number end in what PayPal says when it is asked", async () => {
  const collected = world.collect();
  const made = await subscribed();
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
  const statuses = await Promise.all(shuffled.map(({ headers, body }) => world.tell(headers, body)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  await expect.poll(async () => (await read(made)).state).toBe("CANCELLED");
  const { items: entries } = await answered(buyer.listSubscriptionEntries({ params: { subscriptionId: made.id } }));
  expect(entries.filter(({ state }) => state === "CANCELLED")).toHaveLength(1);
  const { items: payments } = await answered(buyer.listPayments());
  expect(payments).toHaveLength(2);
});

async function takeFirst<Item>(items: Item[]): Promise<Item> {
  await world.sandbox.turn();
  return items[0]!;
}

test("P02: what PayPal did not send changes nothing and is refused", async () => {
  const collected = world.collect();
  const made = await subscribe();
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
  for (const [one, text] of forged) expect(await world.tell(one, text), text.slice(0, 60)).toBe(400);
  expect(await world.tell(headers, `{"id":"${"x".repeat(5 * 1_048_576)}"}`)).toBe(413);
  world.sandbox.switchOn({ kind: "status", status: 503, call: "POST /v1/notifications", after: false, times: 3 });
  expect(await world.tell(headers, body)).toBe(503);
  expect(await world.tell(headers, body)).toBe(200);
});

test("P06, P07: however creating fails in between, PayPal has one subscription and the buyer comes to it", async () => {
  world.sandbox.switchOn({
    kind: "status",
    status: 500,
    call: "POST /v1/billing/subscriptions",
    after: true,
    times: 3,
  });
  expect(await subscribe()).toMatchObject({ state: "PENDING_APPROVAL", approveUrl: null });
  const made = await subscribe();
  expect(made.approveUrl).toContain("ba_token=");
  expect(createdAtProvider()).toBe(4);
  const { items } = await answered(buyer.listSubscriptions());
  expect(items.map(({ id }) => id)).toEqual([made.id]);
  // Of four requests with one id one was made.
  const told = await world.provider.listTold(new Date(0), world.clock.now());
  expect(told.subscriptionIds).toHaveLength(1);
});

test("P08: twenty clicks at once and two tabs make one subscription", async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => subscribe()));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  const told = await world.provider.listTold(new Date(0), world.clock.now());
  expect(told.subscriptionIds).toHaveLength(1);
});

test("P08: another plan takes the place of one that waits, and whoever approves that one still pays for nothing", async () => {
  const team = await subscribe("team");
  const business = await subscribe("business");
  expect((await read(team)).state).toBe("CANCELLED");
  const late = await world.sandbox.decide(team.approveUrl!, "approve");
  const wanted = await world.sandbox.decide(business.approveUrl!, "approve");
  expect((await answered(buyer.verifySubscription(broughtBy(wanted)))).state).toBe("ACTIVE");
  await world.sandbox.turn();
  const lateId = late.searchParams.get("subscription_id")!;
  await expect.poll(async () => (await world.provider.findSubscription(lateId))?.state).toBe("CANCELLED");
  expect((await read(team)).state).toBe("CANCELLED");
  expect(await buyer.createSubscription({ body: { serviceId: "team" } })).toMatchObject({ ok: false, status: 409 });
});

test("P09: payments that fail suspend it, a week later it gives nothing, and paid again it is back", async () => {
  const made = await subscribe();
  await world.sandbox.decide(made.approveUrl!, "approve-declining");
  await world.sandbox.turn();
  await expect.poll(async () => (await read(made)).state).toBe("ACTIVE");
  world.clock.advance(61 * day);
  await world.sandbox.turn();
  await expect.poll(async () => (await read(made)).state).toBe("SUSPENDED");
  const suspended = await read(made);
  expect(suspended).toMatchObject({ isEntitled: true, failedPayments: 3 });
  world.clock.moveTo(new Date(suspended.entitledUntil!));
  expect((await read(made)).isEntitled).toBe(false);
  const { items: payments } = await answered(buyer.listPayments());
  expect(payments.map(({ state }) => state)).toEqual(["DECLINED", "DECLINED", "DECLINED"]);
});

test("each change that somebody asks for is recorded with it, once", async () => {
  const made = await subscribed();
  await answered(buyer.askProvider({ params: { subscriptionId: made.id } }));
  await answered(buyer.cancelSubscription({ params: { subscriptionId: made.id } }));
  const records = await database
    .inSchema<AuditTables>(schemaName)
    .selectFrom("audit_records")
    .select(["operation", "before", "after"])
    .where("resource_id", "=", made.id)
    .orderBy("id")
    .execute();
  expect(records.map(({ operation, before, after }) => [operation, before, after])).toEqual([
    ["createSubscription", null, expect.objectContaining({ serviceId: "team", state: "PENDING_APPROVAL" })],
    ["verifySubscription", { state: "PENDING_APPROVAL" }, { state: "ACTIVE" }],
    ["cancelSubscription", { state: "ACTIVE" }, { state: "ACTIVE", isCancelling: true }],
  ]);
});

test("P08: cancelled while it is approved, it is over at PayPal too, or whoever cancelled is told that it is not", async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    const made = await subscribe();
    const back = await world.sandbox.decide(made.approveUrl!, "approve");
    const params = { subscriptionId: made.id };
    const [, cancelled] = await Promise.all([
      buyer.verifySubscription(broughtBy(back)),
      buyer.cancelSubscription({ params }),
    ]);
    if (!cancelled.ok) {
      expect(cancelled.status).toBe(409);
      await answered(buyer.cancelSubscription({ params }));
    }
    world.clock.advance(10 * 60_000);
    const providerId = back.searchParams.get("subscription_id")!;
    await expect.poll(async () => (await world.provider.findSubscription(providerId))?.state).toBe("CANCELLED");
    expect((await read(made)).state).toBe("CANCELLED");
  }
});

test("what another organization subscribed to is nobody else's", async () => {
  const made = await subscribed();
  const stranger = world.member({ scopes: ["billing:manage"], organizationId: randomUUID() });
  const params = { subscriptionId: made.id };
  expect((await stranger.getSubscription({ params })).status).toBe(404);
  expect((await stranger.cancelSubscription({ params })).status).toBe(404);
  expect((await stranger.askProvider({ params })).status).toBe(404);
  expect((await stranger.listSubscriptionEntries({ params })).status).toBe(404);
  expect((await answered(stranger.listPayments())).items).toEqual([]);
  expect((await answered(stranger.listSubscriptions())).items).toEqual([]);
});

test("a plan that costs nothing, or that there is none of, is told at its field", async () => {
  for (const serviceId of ["free", "gold"]) {
    const answer = await buyer.createSubscription({ body: { serviceId } });
    expect(answer).toMatchObject({ ok: false, status: 422, problem: { errors: [{ path: "serviceId" }] } });
  }
});
