/**
 * Opens the payment pages of organizations and of the operator with 1,000 and with 1,000,000 payments, each in its own
 * PostgreSQL database, alternating, through the service's own handlers; prints the medians and their ratio.
 * Takes some 2 GB of disk for a few minutes.
 * Run: npm run bench:billing [payments]
 */
import { sql } from "kysely";
import { type CallResult, requireValue } from "../services/kit/client/client.ts";
import type { Database } from "../services/kit/database/database.ts";
import { encodeCursor } from "../services/kit/database/keyset.ts";
import { testEngines } from "../services/kit/testing/databases.ts";
import { createPortalWorld, type PortalWorld } from "../services/portal-service/testing/world.ts";

const few = 1_000;
const many = Number(process.argv[2] ?? 1_000_000);
const paymentsOfSubscription = 10;
const highestRatio = 1.5;
const turns = 60;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const median = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!;

interface Own {
  database: Database;
  world: PortalWorld;
  member: ReturnType<PortalWorld["member"]>;
  /** A subscription in the middle of the list. */
  middle: number;
  payments: number;
}

const getId = (n: number) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;

/**
 * Years of sales: the last year is the same size in both, the remainder lies in the years before. A third is still
 * active, one in a hundred suspended, one in ten on Business; as many webhooks as payments, one in fifty refused; one in
 * fifty payments refunded. The organization's own subscription is among the newest, but not the first.
 */
async function fill({ kysely }: Database, payments: number, organizationId: string): Promise<void> {
  const subscriptions = payments / paymentsOfSubscription;
  const recent = few / paymentsOfSubscription;
  const id = (n: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  await sql`
    insert into portal_service.subscriptions (id, organization_id, user_id, service_id, price_minor, price_currency,
      state, state_changed_at, provider_id, answered_at, began_at, created_at, updated_at)
    select ${sql.raw(id("n"))}, case when n = ${subscriptions - 5} then ${organizationId} else md5('o' || n)::uuid end,
      md5('u' || n)::uuid, case when n % 10 = 0 then 'business' else 'team' end, 4900, 'USD',
      case when n % 100 = 7 then 'SUSPENDED' when n % 3 = 0 then 'ACTIVE' else 'CANCELLED' end, began + interval '1 day',
      'I-' || lpad(n::text, 12, '0'), began, began, began, began
    from (select n, now() - case
        when n > ${subscriptions - recent} then (${subscriptions}::int - n) * interval '360 days' / ${recent}::int
        else interval '1 year' + (${subscriptions}::int - n) * interval '9 years' / ${subscriptions}::int
      end as began
      from generate_series(1, ${subscriptions}::int) n) as begun`.execute(kysely);
  await sql`
    insert into portal_service.payments (id, subscription_id, organization_id, service_id, amount_minor, currency, state,
      paid_at)
    select 'PAY' || lpad((n * 10 + k)::text, 12, '0'), one.id, one.organization_id, one.service_id, 4900, 'USD',
      case when (n * 10 + k) % 50 = 0 then 'REFUNDED' else 'COMPLETED' end, one.began_at + k * interval '10 minutes'
    from generate_series(1, ${subscriptions}::int) n
    join portal_service.subscriptions one on one.id = ${sql.raw(id("n"))},
      generate_series(0, ${paymentsOfSubscription - 1}::int) k`.execute(kysely);
  await sql`
    insert into portal_service.refunds (id, payment_id, organization_id, kind, amount_minor, currency, refunded_at)
    select 'R' || id, id, organization_id, 'REFUND', amount_minor, currency, paid_at + interval '1 hour'
    from portal_service.payments where state = 'REFUNDED'`.execute(kysely);
  await sql`
    insert into portal_service.webhook_deliveries (id, event_type, provider_id, subscription_id, times, received_at,
      last_received_at, fault, answered_at)
    select 'WH-' || n, 'PAYMENT.SALE.COMPLETED',
      case when n % 50 <> 0 then 'I-' || lpad((1 + n % ${subscriptions}::int)::text, 12, '0') end,
      case when n % 50 <> 0 then ${sql.raw(id(`1 + n % ${subscriptions}`))} end, 1,
      now() - n * interval '90 days' / ${payments}::int, now(), case when n % 50 = 0 then 'signature' end, now()
    from generate_series(1, ${payments}::int) n`.execute(kysely);
  await sql`
    insert into portal_service.subscription_entries (id, subscription_id, organization_id, at, state, text)
    select md5('e' || id::text || k)::uuid, id, organization_id, began_at, 'ACTIVE', 'Approved at PayPal.'
    from portal_service.subscriptions, generate_series(1, 3) k`.execute(kysely);
  await sql`vacuum (analyze)`.execute(kysely);
}

async function open(payments: number): Promise<Own> {
  const database = await testEngines()[0].open();
  const world = await createPortalWorld(database, { work: false });
  const start = performance.now();
  await fill(database, payments, world.organizationId);
  print(`Filled ${payments.toLocaleString("en")} payments in ${((performance.now() - start) / 1_000).toFixed(1)} s`);
  const member = world.member({ scopes: ["billing:manage"] });
  return { database, world, member, middle: payments / paymentsOfSubscription / 2, payments };
}

type Input<Name extends "listAllSubscriptions" | "listDeliveries"> = NonNullable<
  Parameters<PortalWorld["operator"][Name]>[0]
>["query"];
type Look = (own: Own) => Promise<CallResult<unknown>>;
const all =
  (query: Input<"listAllSubscriptions">): Look =>
  ({ world }) =>
    world.operator.listAllSubscriptions({ query });
const listWith =
  (query: Input<"listDeliveries">): Look =>
  ({ world }) =>
    world.operator.listDeliveries({ query });

const pages: Record<string, Look> = {
  subscriptions: all({}),
  "subscriptions, further": ({ world, middle }) =>
    world.operator.listAllSubscriptions({ query: { cursor: encodeCursor([getId(middle)]) } }),
  "that are active": all({ state: "ACTIVE" }),
  "that ended": all({ state: "EXPIRED" }),
  "of a plan, cancelled": all({ state: "CANCELLED", serviceId: "business" }),
  "of an organization": all({ query: "Ours" }),
  "of nobody": all({ query: "nobody" }),
  "by PayPal's number": ({ world, middle }) =>
    world.operator.listAllSubscriptions({ query: { query: `I-${String(middle).padStart(12, "0")}` } }),
  "by a payment's": ({ world, middle }) =>
    world.operator.listAllSubscriptions({ query: { query: `PAY${String(middle * 10).padStart(12, "0")}` } }),
  "one's payments": ({ world, middle }) =>
    world.operator.listPaymentsOfAny({ params: { subscriptionId: getId(middle) } }),
  "one's history": ({ world, middle }) =>
    world.operator.listEntriesOfAny({ params: { subscriptionId: getId(middle) } }),
  "an organization's own": ({ member }) => member.listSubscriptions({ query: {} }),
  "its payments": ({ member }) => member.listPayments({ query: {} }),
  "its usage": ({ member }) => member.getUsage(),
  webhooks: listWith({}),
  "webhooks, refused": listWith({ outcome: "refused" }),
  "webhooks, believed": listWith({ outcome: "believed" }),
  "webhooks of one": ({ world, middle }) => world.operator.listDeliveries({ query: { subscriptionId: getId(middle) } }),
  "webhooks by number": ({ world, payments }) =>
    world.operator.listDeliveries({ query: { query: `WH-${payments / 2}` } }),
  "monthly numbers": ({ world }) => world.operator.listMonthlyNumbers({ query: { months: 12 } }),
};

async function getTime(look: Look, own: Own): Promise<number> {
  const start = performance.now();
  requireValue(await look(own), "a page");
  return performance.now() - start;
}

const opened: Own[] = [];
try {
  for (const payments of [few, many]) opened.push(await open(payments));
  const [small, large] = opened as [Own, Own];
  print(`${"".padEnd(24)}${[few, many].map((count) => count.toLocaleString("en").padStart(12)).join("")}     ratio`);
  let allWithin = true;
  for (const [name, look] of Object.entries(pages)) {
    const times: [number[], number[]] = [[], []];
    for (let turn = -5; turn < turns; turn += 1) {
      const [less, more] = [await getTime(look, small), await getTime(look, large)];
      if (turn < 0) continue;
      times[0].push(less);
      times[1].push(more);
    }
    const [less, more] = times.map(median) as [number, number];
    const isWithin = more / less <= highestRatio;
    allWithin &&= isWithin;
    const figures = [less, more].map((time) => `${time.toFixed(2)} ms`.padStart(12)).join("");
    print(`${name.padEnd(24)}${figures}     ${(more / less).toFixed(2)}${isWithin ? "" : "  too much"}`);
  }
  process.exitCode = allWithin ? 0 : 1;
} finally {
  for (const { world, database } of opened) {
    await world.stop();
    await database.close();
  }
}
