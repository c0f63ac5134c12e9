import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { repetitions, tell } from "../../kit/testing/endurance.ts";
import { createBuyer } from "../testing/buyer.ts";
import { createSellingWorld, type SellingWorld, type Told } from "../testing/selling-world.ts";

const kinds = ["CREATED", "ACTIVATED", "SALE", "SUSPENDED", "RE-ACTIVATED", "CANCELLED", "EXPIRED"] as const;
const truths = ["ACTIVE", "SUSPENDED", "CANCELLED", "EXPIRED"] as const;

/** A subscription whose state at PayPal is settled, and a signed webhook of each kind about it. */
interface Subject {
  id: string;
  truth: (typeof truths)[number];
  told: Told[];
  buyer: ReturnType<typeof createBuyer>;
}

let database: Database;
let world: SellingWorld;
let subjects: Subject[];

beforeAll(async () => {
  database = await testEngines()[0]!.open();
  world = await createSellingWorld(database, {
    work: false,
    answerMilliseconds: 600_000,
    // The clock stands still, so all the orders there are come in one minute.
    webhookLimits: { perMinute: 100_000, perMinuteOfAddress: 100_000, atOnce: 8 },
  });
  const collected = world.collect();
  subjects = [];
  for (const truth of truths) {
    const buyer = createBuyer(world, randomUUID());
    const { id, providerId } = await buyer.subscribed();
    if (truth === "SUSPENDED") await world.provider.suspendSubscription(providerId, "for a while");
    if (truth === "CANCELLED") await world.provider.cancelSubscription(providerId, "for good");
    if (truth === "EXPIRED") await world.sandbox.tamper(providerId, { status: "EXPIRED", next_billing_time: null });
    await world.sandbox.turn();
    collected.length = 0;
    // Some of it never happened: a webhook is no more than a reason to ask, not even if PayPal signed it.
    const amount = { value: "999999.00", currency_code: "USD" };
    const sale = { subscription_id: providerId, status: "COMPLETED" as const, amount, time: "2026-01-01T00:00:00Z" };
    for (const type of kinds)
      await world.sandbox.tell(providerId, type === "SALE" ? { type, transaction: sale } : { type });
    await world.sandbox.turn();
    subjects.push({ id, truth, told: [...collected], buyer });
  }
  await world.takeTurn();
});
afterAll(async () => {
  await world.stop();
  await database.close();
});

/** As it was before the first webhook: made at PayPal, approved there, and nothing heard of it. */
async function forget({ id }: Subject): Promise<void> {
  for (const table of ["webhook_deliveries", "subscription_entries", "payments", "notifications"] as const)
    await world.db.deleteFrom(table).where("subscription_id", "=", id).execute();
  await world.db
    .updateTable("subscriptions")
    .set({ state: "PENDING_APPROVAL", next_billing_at: null, paid_until: null, hinted_at: null, ask_at: null })
    .where("id", "=", id)
    .execute();
}

/** Tells it in this order, with a question after each, and checks that PayPal's answer is what counts. */
async function tellInOrder(subject: Subject, order: readonly number[]): Promise<void> {
  const { id, truth, told, buyer } = subject;
  await forget(subject);
  for (const kind of order) {
    const { headers, body } = told[kind]!;
    expect(await world.tell(headers, body)).toBe(200);
    await world.takeTurn();
  }
  const how = `${truth} told as ${order.map((kind) => kinds[kind]).join(", ")}`;
  const entries = (await buyer.entries({ id })).map(({ state }) => state);
  expect([(await buyer.read({ id })).state, entries], how).toEqual([truth, [truth]]);
  const payments = (await buyer.payments()).map(({ state, amount }) => [state, amount.minorUnits]);
  expect(payments, how).toEqual([["COMPLETED", 4_900]]);
  const notifications = await world.db
    .selectFrom("notifications")
    .select("template")
    .where("subscription_id", "=", id)
    .execute();
  const expected = truth === "SUSPENDED" ? ["payment-failed"] : [];
  expect(
    notifications.map(({ template }) => template),
    how,
  ).toEqual(expected);
}

/**
 * Fourteen orders in which each kind comes right after each other one, and each is the first and the last, twice (a
 * Williams design). Whoever believes the last webhook, or moves from one state to the next by what is told, errs in them.
 */
function balancedOrders(count: number): number[][] {
  const first = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? at / 2 : count - (at + 1) / 2));
  const shifted = Array.from({ length: count }, (_, by) => first.map((kind) => (kind + by) % count));
  return [...shifted, ...shifted.map((order) => order.toReversed())];
}

function permutationsOf(items: number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) => permutationsOf(items.filter((one) => one !== item)).map((rest) => [item, ...rest]));
}

test("the balanced orders have each kind right after each other one", () => {
  const orders = balancedOrders(kinds.length);
  const pairs = orders.flatMap((order) => order.slice(1).map((kind, at) => `${order[at]} ${kind}`));
  expect(new Set(pairs).size).toBe(kinds.length * (kinds.length - 1));
  expect(new Set(orders.map((order) => order.at(-1))).size).toBe(kinds.length);
});

test("P04: in whatever order PayPal's webhooks come, a subscription ends as PayPal says when it is asked", async () => {
  for (const { told } of subjects) expect(told).toHaveLength(kinds.length);
  const all = permutationsOf(kinds.map((_, kind) => kind));
  expect(all).toHaveLength(5_040);
  const orders = repetitions(0, 1) ? all : balancedOrders(kinds.length);
  // In the suite, where orders are few, each is told of two subscriptions.
  const each = repetitions(2, 1);
  const work = orders.flatMap((order, index) =>
    Array.from({ length: each }, (_, at) => ({ order, truth: truths[(index + 2 * at) % truths.length]! })),
  );
  const total = work.length;
  const begun = performance.now();
  await Promise.all(
    subjects.map(async (subject) => {
      for (;;) {
        const at = work.findIndex(({ truth }) => truth === subject.truth);
        const [next] = at < 0 ? [] : work.splice(at, 1);
        if (!next) return;
        await tellInOrder(subject, next.order);
      }
    }),
  );
  const seconds = Math.round((performance.now() - begun) / 1_000);
  tell(`orders of webhooks: ${total} of ${all.length}, ending in PayPal's state: ${total}, in ${seconds} s`);
});
