import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Fault } from "../../../tests/support/paypal/running-sandbox.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type Buyer, broughtBy, createBuyer } from "../testing/buyer.ts";
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

const second = 1_000;
const day = 86_400 * second;

/** PayPal failures that end at once; each as often as it is tried. */
const errors: Record<string, (call: string) => Fault> = {
  "an error": (call) => ({ kind: "status", status: 500, call, after: false, times: 3 }),
  "an error after it has acted": (call) => ({ kind: "status", status: 500, call, after: true, times: 3 }),
  "that it is busy": (call) => ({ kind: "status", status: 429, call, after: false, times: 3 }),
  "when to come back": (call) => ({ kind: "status", status: 429, call, after: false, times: 3, retryAfterSeconds: 20 }),
  "half a JSON text, having acted": (call) => ({ kind: "malformed", call, after: true, times: 3 }),
  "a page in place of JSON": (call) => ({ kind: "html", call, after: false, times: 3 }),
};

/** Advances time until the job has retried everything that failed. */
async function later(): Promise<void> {
  world.sandbox.clearFaults();
  for (let turns = 0; turns < 3; turns += 1) {
    world.clock.advance(35 * second);
    await world.takeTurn();
  }
}

const atPayPal = async (own: { id: string }) =>
  (await world.sandbox.subscriptions()).filter(({ custom_id }) => custom_id === own.id);

test.each(Object.entries(errors))(
  "P07: a PayPal that answers %s leaves a buyer waiting, never paying twice",
  async (_, error) => {
    world.sandbox.switchOn(error("POST /v1/billing/subscriptions"));
    const waiting = await buyer.subscribe();
    expect(waiting).toMatchObject({ state: "PENDING_APPROVAL", approveUrl: null, isEntitled: false });
    await later();
    const made = await buyer.read(waiting);
    expect(made.approveUrl).toContain("ba_token=");
    expect(await atPayPal(made)).toHaveLength(1);

    const back = await world.sandbox.decide(made.approveUrl!, "approve");
    const { id: providerId } = (await atPayPal(made))[0]!;
    world.listens(false);
    world.sandbox.switchOn(error(`GET /v1/billing/subscriptions/${providerId}`));
    expect(await buyer.client.verifySubscription(broughtBy(back))).toMatchObject({ ok: false, status: 503 });
    expect((await buyer.read(made)).state).toBe("PENDING_APPROVAL");
    await later();
    expect((await buyer.read(made)).state).toBe("ACTIVE");
    expect(await buyer.payments()).toHaveLength(1);

    world.sandbox.switchOn(error(`POST /v1/billing/subscriptions/${providerId}/cancel`));
    expect(await buyer.cancel(made)).toMatchObject({ isEntitled: true });
    await later();
    expect(await buyer.read(made)).toMatchObject({ state: "CANCELLED", isCancelling: false, isEntitled: true });
    expect((await atPayPal(made)).map(({ status }) => status)).toEqual(["CANCELLED"]);
    const entries = (await buyer.entries(made)).map(({ state, text }) => `${state} ${text}`);
    expect(entries).toEqual([
      "CANCELLED Cancelled by a member.",
      "ACTIVE Approved at PayPal.",
      "PENDING_APPROVAL Subscribed to Team.",
    ]);
  },
);

test("P07: a PayPal that does not respond is abandoned after the timeout, and called again later", async () => {
  const [cancelling, returning] = [createBuyer(world, randomUUID()), createBuyer(world, randomUUID())];
  const active = await cancelling.subscribed();
  const pending = await returning.subscribe();
  const back = await world.sandbox.decide(pending.approveUrl!, "approve");
  const { id: pendingAtPayPal } = (await atPayPal(pending))[0]!;
  const calls = [
    "POST /v1/billing/subscriptions",
    `GET /v1/billing/subscriptions/${pendingAtPayPal}`,
    `POST /v1/billing/subscriptions/${active.providerId}/cancel`,
  ];
  // The first call is a prefix of the third, so the third has to be matched first.
  for (const call of calls.reverse()) world.sandbox.switchOn({ kind: "hang", call, after: true, times: 1 });
  const cancelled = cancelling.cancel(active);
  while (world.sandbox.hung() < 1) await new Promise((resolve) => setTimeout(resolve, 5));
  const [made, verified] = await Promise.all([buyer.subscribe(), returning.client.verifySubscription(broughtBy(back))]);
  expect(made).toMatchObject({ state: "PENDING_APPROVAL", approveUrl: null });
  expect(verified).toMatchObject({ ok: false, status: 503 });
  expect(await cancelled).toMatchObject({ state: "ACTIVE", isCancelling: true });
  await later();
  expect((await buyer.read(made)).approveUrl).toContain("ba_token=");
  expect(await atPayPal(made)).toHaveLength(1);
  expect((await returning.read(pending)).state).toBe("ACTIVE");
  expect((await cancelling.read(active)).state).toBe("CANCELLED");
});

test("P07: a busy PayPal is not called again until the time it gives", async () => {
  const call = "POST /v1/billing/subscriptions";
  world.sandbox.switchOn({ kind: "status", status: 429, call, after: false, times: 1_000, retryAfterSeconds: 300 });
  await buyer.subscribe();
  const countCalls = () => world.sandbox.calls.filter((one) => one === call).length;
  // Not retried at once.
  expect(countCalls()).toBe(1);
  for (let seconds = 0; seconds < 300; seconds += 30) {
    world.clock.advance(30 * second);
    await world.takeTurn();
  }
  expect(countCalls()).toBe(2);
  world.clock.advance(60 * second);
  await world.takeTurn();
  expect(countCalls()).toBe(3);
});

test("P07: an unreadable response about one subscription delays no other", async () => {
  const [odd, other] = [createBuyer(world, randomUUID()), createBuyer(world, randomUUID())];
  const nonsense = await odd.subscribe();
  const { id } = (await atPayPal(nonsense))[0]!;
  await world.sandbox.decide(nonsense.approveUrl!, "approve");
  const amount = { currency_code: "USD", value: "49.005" };
  await world.sandbox.tamper(id, { last_payment: { amount, time: "2026-01-01T00:00:00Z" } });
  const made = await other.subscribe();
  await world.sandbox.decide(made.approveUrl!, "approve");
  world.clock.advance(30 * second);
  await world.takeTurn();
  expect((await other.read(made)).state).toBe("ACTIVE");
  // An amount is never guessed.
  expect((await odd.read(nonsense)).state).toBe("PENDING_APPROVAL");
  expect(await odd.payments()).toEqual([]);
});

test("P06: a subscription that PayPal could not create for three days has ended, and is not created later", async () => {
  const call = "POST /v1/billing/subscriptions";
  world.sandbox.switchOn({ kind: "status", status: 503, call, after: false, times: 1_000 });
  const made = await buyer.subscribe();
  world.clock.advance(3 * day);
  world.sandbox.clearFaults();
  await world.takeTurn();
  expect((await buyer.read(made)).state).toBe("EXPIRED");
  expect(await atPayPal(made)).toEqual([]);
});

test("P08: a subscription abandoned while PayPal creates it is not offered for approval", async () => {
  const call = "POST /v1/billing/subscriptions";
  world.sandbox.switchOn({ kind: "status", status: 503, call, after: true, times: 3 });
  const waiting = await buyer.subscribe();
  await buyer.cancel(waiting);
  const requested = buyer.client.askProvider({ params: { subscriptionId: waiting.id } });
  expect(await requested).toMatchObject({ ok: true, value: { state: "CANCELLED", approveUrl: null } });
  const notifications = await world.db.selectFrom("notifications").select("template").execute();
  expect(notifications.filter(({ template }) => template === "approve-payment")).toEqual([]);

  // Two tabs: one chooses another plan while PayPal is still creating the first.
  world.sandbox.clearFaults();
  const tabs = await Promise.all([buyer.subscribe("team"), buyer.subscribe("business"), buyer.subscribe("team")]);
  const states = await Promise.all(tabs.map((tab) => buyer.read(tab)));
  const live = states.filter(({ state }) => state === "PENDING_APPROVAL");
  expect(new Set(live.map(({ id }) => id)).size).toBe(1);
  for (const { state, approveUrl } of states) if (state === "CANCELLED") expect(approveUrl).toBeNull();
});

test("P09: a subscription cancelled at PayPal first can be cancelled here without an error", async () => {
  const made = await buyer.subscribed();
  world.listens(false);
  await world.provider.cancelSubscription(made.providerId, "By the buyer, at PayPal");
  expect(await buyer.cancel(made)).toMatchObject({ state: "CANCELLED", isEntitled: true });
  expect(await buyer.client.cancelSubscription({ params: { subscriptionId: made.id } })).toMatchObject({ status: 409 });
});

test("P05: an activation that takes minutes is waited for, and takes effect once", async () => {
  world.listens(false);
  world.sandbox.switchOn({ kind: "delayed-activation" });
  const made = await buyer.subscribe();
  const back = await world.sandbox.decide(made.approveUrl!, "approve");
  for (let minutes = 0; minutes < 10; minutes += 1) {
    expect(await buyer.comeBack(back)).toMatchObject({ state: "PENDING_APPROVAL", isEntitled: false });
    world.clock.advance(60 * second);
    await world.takeTurn();
  }
  expect(await buyer.payments()).toEqual([]);
  await later();
  expect((await buyer.read(made)).state).toBe("ACTIVE");
  expect((await buyer.entries(made)).filter(({ state }) => state === "ACTIVE")).toHaveLength(1);
  expect(await buyer.payments()).toHaveLength(1);
});
