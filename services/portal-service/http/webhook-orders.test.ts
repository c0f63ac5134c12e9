import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repetitions, reportFigure } from "../../../tests/support/endurance.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { schemaName } from "../store/tables.ts";
import { createBuyer } from "../testing/buyer.ts";
import { listStoredCounts, recount } from "../testing/month-counts.ts";
import { createSellingWorld, type SellingWorld, type SentWebhook } from "../testing/selling-world.ts";

const kinds = ["CREATED", "ACTIVATED", "SALE", "SUSPENDED", "RE-ACTIVATED", "CANCELLED", "EXPIRED"] as const;
const truths = ["ACTIVE", "SUSPENDED", "CANCELLED", "EXPIRED"] as const;

/** A subscription with a settled state at PayPal, and a signed webhook of each kind about it. */
interface Subject {
  id: string;
  truth: (typeof truths)[number];
  sent: SentWebhook[];
  buyer: ReturnType<typeof createBuyer>;
}

/** The tables with rows about a subscription, and the column with its id. */
const written = {
  subscriptions: "id",
  subscription_entries: "subscription_id",
  payments: "subscription_id",
  notifications: "subscription_id",
  webhook_deliveries: "subscription_id",
};
const [copy, putBack] = [sql.id(schemaName, "copy_of_subscription"), sql.id(schemaName, "put_subscription_back")];

let database: Database;
let world: SellingWorld;
let subjects: Subject[];

beforeAll(async () => {
  database = await testEngines()[0]!.open();
  world = await createSellingWorld(database, {
    responseMilliseconds: 600_000,
    // The clock does not advance, so all existing orders arrive within one minute.
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
    // Some of the events never happened: even a signed webhook is only a reason to call PayPal.
    const amount = { value: "999999.00", currency_code: "USD" };
    const sale = { subscription_id: providerId, status: "COMPLETED" as const, amount, time: "2026-01-01T00:00:00Z" };
    for (const type of kinds)
      await world.sandbox.report(providerId, type === "SALE" ? { type, transaction: sale } : { type });
    await world.sandbox.turn();
    subjects.push({ id, truth, sent: [...collected], buyer });
  }
  await world.takeTurn();
  await makeCopying();
});
afterAll(async () => {
  await world.stop();
  await database.close();
});

/** In the database, where each is one call. */
async function makeCopying(): Promise<void> {
  const each = Object.entries(written).map(([name, column]) => ({ name, table: `${schemaName}.${name}`, column }));
  const copies = each.map(
    ({ name, table, column }) =>
      `'${name}', (select coalesce(jsonb_agg(to_jsonb(one)), '[]') from ${table} as one where ${column}::text = whose)`,
  );
  const deletes = each.toReversed().map(({ table, column }) => `delete from ${table} where ${column}::text = whose;`);
  const inserts = each.map(
    ({ name, table }) =>
      `insert into ${table} select * from jsonb_populate_recordset(null::${table}, kept -> '${name}');`,
  );
  await sql`
    create function ${copy}(whose text) returns jsonb language sql as
      ${sql.lit(`select jsonb_build_object(${copies.join(", ")})`)}`.execute(world.db);
  // As in the portal: a call about it may be in progress.
  const lock = `perform from ${schemaName}.subscriptions where id::text = whose for update;`;
  await sql`
    create function ${putBack}(whose text, kept jsonb) returns void language plpgsql as
      ${sql.lit(`begin ${[lock, ...deletes, ...inserts].join(" ")} end`)}`.execute(world.db);
}

/** The state before the first webhook: created at PayPal, approved there, and nothing received about it. */
async function forget({ id }: Subject): Promise<void> {
  for (const table of ["webhook_deliveries", "subscription_entries", "payments", "notifications"] as const)
    await world.db.deleteFrom(table).where("subscription_id", "=", id).execute();
  await world.db
    .updateTable("subscriptions")
    .set({ state: "PENDING_APPROVAL", next_billing_at: null, paid_until: null, hinted_at: null, ask_at: null })
    .where("id", "=", id)
    .execute();
}

/** The stored rows of a subscription, to be restored. */
async function getCopy({ id }: Subject): Promise<string> {
  const { rows } = await sql<{ kept: string }>`select ${copy}(${id})::text as kept`.execute(world.db);
  return rows[0]!.kept;
}

/**
 * Delivers the webhooks in each of these orders, with a check after each. Orders with a common prefix share its
 * deliveries and continue from the resulting state: for all orders that is a third of the work.
 */
async function sendInOrders(subject: Subject, orders: readonly number[][], sent = 0): Promise<void> {
  if (sent === kinds.length) return await checkSent(subject, orders[0]!);
  const next = [...new Set(orders.map((order) => order[sent]!))];
  const stored = next.length > 1 ? await getCopy(subject) : undefined;
  for (const [at, kind] of next.entries()) {
    if (at > 0) await sql`select ${putBack}(${subject.id}, ${stored}::jsonb)`.execute(world.db);
    const { headers, body } = subject.sent[kind]!;
    expect(await world.send(headers, body)).toBe(200);
    await world.takeTurn();
    await sendInOrders(
      subject,
      orders.filter((order) => order[sent] === kind),
      sent + 1,
    );
  }
}

/** PayPal's response counts. */
async function checkSent({ id, truth, buyer }: Subject, order: readonly number[]): Promise<void> {
  const how = `${truth} told as ${order.map((kind) => kinds[kind]).join(", ")}`;
  const entries = (await buyer.entries({ id })).map(({ state }) => state);
  expect([(await buyer.read({ id })).state, entries], how).toEqual([truth, [truth]]);
  const payments = (await buyer.payments()).map(({ state, amount }) => [state, amount.minorUnits]);
  expect(payments, how).toEqual([["COMPLETED", 4_900]]);
  const about = (table: "notifications" | "webhook_deliveries") =>
    world.db.selectFrom(table).selectAll().where("subscription_id", "=", id).execute();
  const expected = truth === "SUSPENDED" ? ["payment-failed"] : [];
  expect(
    (await about("notifications")).map((row) => "template" in row && row.template),
    how,
  ).toEqual(expected);
  expect(await about("webhook_deliveries"), how).toHaveLength(kinds.length);
}

/**
 * Fourteen orders in which each kind directly follows each other one and is first and last twice (a Williams
 * design). They reveal code that trusts the last webhook or derives the next state from webhooks.
 */
function balancedOrders(count: number): number[][] {
  const first = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? at / 2 : count - (at + 1) / 2));
  const shifted = Array.from({ length: count }, (_, by) => first.map((kind) => (kind + by) % count));
  return [...shifted, ...shifted.map((order) => order.toReversed())];
}

function getPermutations(items: number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) => getPermutations(items.filter((one) => one !== item)).map((rest) => [item, ...rest]));
}

test("in the balanced orders each kind directly follows each other one", () => {
  const orders = balancedOrders(kinds.length);
  const pairs = orders.flatMap((order) => order.slice(1).map((kind, at) => `${order[at]} ${kind}`));
  expect(new Set(pairs).size).toBe(kinds.length * (kinds.length - 1));
  expect(new Set(orders.map((order) => order.at(-1))).size).toBe(kinds.length);
});

test("P04: in any order of PayPal's webhooks, a subscription has the state of PayPal's response", async () => {
  for (const { sent: told } of subjects) expect(told).toHaveLength(kinds.length);
  const all = getPermutations(kinds.map((_, kind) => kind));
  expect(all).toHaveLength(5_040);
  const isWhole = repetitions(0, 1) === 1;
  const orders = isWhole ? all : balancedOrders(kinds.length);
  // Grouped by prefix: with all orders, those with the same first two share a subscription. The suite has few orders,
  // and each subscription gets two.
  const beginnings = [...new Set(orders.map(([first, second]) => `${first} ${second}`))];
  const truthAt = (index: number) => truths[index % truths.length]!;
  const getTruths = (order: readonly number[], index: number) =>
    isWhole ? [truthAt(beginnings.indexOf(`${order[0]} ${order[1]}`))] : [truthAt(index), truthAt(index + 2)];
  const begun = performance.now();
  const sent = await Promise.all(
    subjects.map(async (subject) => {
      const own = orders.filter((order, index) => getTruths(order, index).includes(subject.truth));
      await forget(subject);
      await sendInOrders(subject, own);
      return own.length;
    }),
  );
  const total = sent.reduce((sum, count) => sum + count, 0);
  expect(total).toBe(isWhole ? all.length : orders.length * 2);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  const counts = await listStoredCounts(world.db);
  expect(counts, "the counts of months").toEqual(await recount(world.db));
  expect(counts.reduce((sum, { ended }) => sum + ended, 0)).toBe(2);
  reportFigure(`orders of webhooks: ${total} of ${all.length}, ending in PayPal's state: ${total}, in ${seconds} s`);
});
