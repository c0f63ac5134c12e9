import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { scopes } from "#contracts/kit/endpoint.ts";
import type { AuditTables } from "../../kit/audit/audit-table.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { maxActionMilliseconds } from "../domain/operator-action.ts";
import { findOfAny } from "../store/operated-subscriptions.ts";
import { toActionColumns, updateSubscription } from "../store/subscriptions.ts";
import { type PortalTables, schemaName } from "../store/tables.ts";
import { createSellingWorld, type SellingWorld } from "../testing/selling-world.ts";

let database: Database;
let world: SellingWorld;
beforeAll(async () => {
  database = await testEngines()[0]!.open();
  world = await createSellingWorld(database);
});
beforeEach(async () => {
  await world.startAnew();
});
afterAll(async () => {
  await world.stop();
  await database.close();
});

/** An organization's active subscription. */
async function subscribed(organizationId = world.organizationId) {
  const buyer = world.member({ scopes: ["billing:manage"], organizationId });
  const made = requireValue(await buyer.createSubscription({ body: { serviceId: "team" } }), "subscribing");
  const back = await world.sandbox.decide(made.approveUrl!, "approve");
  const params = { providerId: back.searchParams.get("subscription_id")! };
  const { id } = requireValue(await buyer.verifySubscription({ params, body: {} }), "verifying");
  return { id, providerId: params.providerId, params: { subscriptionId: id }, buyer };
}

const list = async (query: object = {}) =>
  requireValue(await world.operator.listAllSubscriptions({ query }), "the list");
const read = async (params: { subscriptionId: string }) =>
  requireValue(await world.operator.getAnySubscription({ params }), "one");
const getHistory = async (params: { subscriptionId: string }) =>
  requireValue(await world.operator.listEntriesOfAny({ params }), "history").items.map(({ text }) => text);

test("subscriptions of all organizations are found by name, id, PayPal's ids, state and plan, page by page", async () => {
  const own = await subscribed();
  const strangers = await subscribed(randomUUID());
  const all = await list();
  expect(all.items.map(({ id }) => id)).toEqual([strangers.id, own.id]);
  const name = all.items[1]!.organization.name!;
  expect(name).not.toBe("");
  expect(all.items[0]!.organization.name).toBeNull();

  const ids = async (query: object) => (await list(query)).items.map(({ id }) => id);
  expect(await ids({ query: name.slice(0, 3).toUpperCase() })).toEqual([own.id]);
  expect(await ids({ query: own.id })).toEqual([own.id]);
  expect(await ids({ query: strangers.providerId.toLowerCase() })).toEqual([strangers.id]);
  const paid = requireValue(await world.operator.listPaymentsOfAny({ params: strangers.params }), "payments").items;
  expect(await ids({ query: paid[0]!.id })).toEqual([strangers.id]);
  // One in 250 of PayPal's ids has no digit.
  await world.db.updateTable("payments").set({ id: "ABCDEFGHJKLMNPQRS" }).where("id", "=", paid[0]!.id).execute();
  expect(await ids({ query: "abcdefghjklmnpqrs" })).toEqual([strangers.id]);
  expect(await ids({ query: "nobody" })).toEqual([]);
  expect(await ids({ query: randomUUID() })).toEqual([]);
  expect(await ids({ state: "ACTIVE", serviceId: "team" })).toEqual([strangers.id, own.id]);
  expect(await ids({ state: "SUSPENDED" })).toEqual([]);
  expect(await ids({ serviceId: "business" })).toEqual([]);
  const first = await list({ limit: 1 });
  const second = await list({ limit: 1, cursor: first.nextCursor! });
  expect([first, second].flatMap(({ items }) => items.map(({ id }) => id))).toEqual([strangers.id, own.id]);
  expect(second.nextCursor).toBeNull();
});

test("without security-service names are missing, and a search by name is not reported as empty", async () => {
  const { id } = await subscribed();
  world.sendSecurityAway(true);
  expect((await list()).items).toMatchObject([{ id, organization: { name: null } }]);
  expect(await world.operator.listAllSubscriptions({ query: { query: "acme" } })).toMatchObject({ status: 503 });
  expect((await list({ query: id })).items).toHaveLength(1);
});

test("T01: only the operator can do any of this, whatever other roles a user has", async () => {
  const { params } = await subscribed();
  const administrator = world.member({ scopes: scopes.filter((scope) => scope !== "system:manage") });
  const body = { reason: "Because." };
  const results = [
    administrator.listAllSubscriptions({ query: {} }),
    administrator.getAnySubscription({ params }),
    administrator.listEntriesOfAny({ params }),
    administrator.listPaymentsOfAny({ params }),
    administrator.askAboutAny({ params }),
    administrator.suspendAny({ params, body }),
    administrator.activateAny({ params, body }),
    administrator.cancelAny({ params, body }),
  ];
  for (const result of results) expect(await result).toMatchObject({ status: 403 });
  expect(await read(params)).toMatchObject({ state: "ACTIVE" });
});

test("a manual check finds a lost refund and a lost suspension, and reports the changes", async () => {
  world.listens(false);
  const { params, providerId } = await subscribed();
  const [payment] = requireValue(await world.operator.listPaymentsOfAny({ params }), "payments").items;
  expect(requireValue(await world.operator.askAboutAny({ params }), "asking").differences).toEqual([]);
  await world.provider.suspendSubscription(providerId, "At PayPal");
  await refundAtProvider(payment!.id);
  world.clock.advance(1_000);
  const requested = requireValue(await world.operator.askAboutAny({ params }), "asking");
  expect(requested).toMatchObject({
    state: "SUSPENDED",
    answeredAt: world.clock.now().toISOString(),
    heldBecause: null,
  });
  expect(requested.differences).toEqual([
    { subject: "state", id: null, before: "ACTIVE", after: "SUSPENDED" },
    { subject: "payment", id: payment!.id, before: "COMPLETED 49.00 USD", after: "REFUNDED 49.00 USD" },
  ]);
  expect((await read(params)).differences).toEqual(requested.differences);
});

/** The sandbox has no page for refunds: the test calls it directly. */
async function refundAtProvider(id: string): Promise<void> {
  await sql`
    update paypal_sandbox.documents set value = jsonb_set(value, '{status}', '"REFUNDED"')
    where kind = 'transaction' and id = ${id}`.execute(database.kysely);
}

test("a subscriber can read why the operator suspended it; reactivated, it is as before", async () => {
  const { params, buyer, id } = await subscribed();
  const reason = "The card was reported stolen.";
  const suspended = requireValue(await world.operator.suspendAny({ params, body: { reason } }), "suspending");
  expect(suspended).toMatchObject({ state: "SUSPENDED", heldBecause: reason, isEntitled: true });
  const own = requireValue(await buyer.getSubscription({ params }), "own");
  expect(own).toMatchObject({ state: "SUSPENDED", heldBecause: reason });
  expect((await getHistory(params))[0]).toBe(`Suspended by the portal's operator: ${reason}`);
  const notes = await database
    .inSchema<PortalTables>(schemaName)
    .selectFrom("notifications")
    .select("template")
    .where("subscription_id", "=", id)
    .where("state", "=", "NEW")
    .execute();
  expect(notes).toEqual([{ template: "held" }]);
  expect(await world.operator.suspendAny({ params, body: { reason } })).toMatchObject({ status: 409 });

  const activated = await world.operator.activateAny({ params, body: { reason: "It was a mistake." } });
  expect(requireValue(activated, "taking up")).toMatchObject({ state: "ACTIVE", heldBecause: null });
  expect((await getHistory(params))[0]).toBe("Resumed by the portal's operator: It was a mistake.");
});

test.each([
  { action: "suspendAny", from: "ACTIVE", to: "SUSPENDED", text: "Suspended by the portal's operator: On request." },
  { action: "activateAny", from: "SUSPENDED", to: "ACTIVE", text: "Resumed by the portal's operator: On request." },
  { action: "cancelAny", from: "ACTIVE", to: "CANCELLED", text: "Cancelled by the portal's operator: On request." },
] as const)("$deed is reported with actor and reason, whichever response reports it first", async (one) => {
  const { params, id } = await subscribed();
  if (one.from === "SUSPENDED") await world.operator.suspendAny({ params, body: { reason: "Fraud." } });
  world.sandbox.switchOn({ kind: "status", status: 500, call: "POST /v1/billing", after: true, times: 1 });
  const body = { reason: "On request." };
  expect(await world.operator[one.action]({ params, body })).toMatchObject({ status: 503 });
  const row = await world.truth.ask((await findOfAny(world.db, id))!, {});
  expect(row).toMatchObject({ state: one.to, held_because: one.to === "SUSPENDED" ? body.reason : null });
  const [entry] = requireValue(await world.operator.listEntriesOfAny({ params }), "history").items;
  expect(entry).toMatchObject({ text: one.text, userId: expect.any(String) });
  expect(await getAudit(one.action, id)).toEqual([
    expect.objectContaining({
      actor_id: entry!.userId,
      after: { state: one.from, wantedState: one.to, ...body },
    }),
  ]);
});

/** As it is once the operator's suspension is stored and the call to PayPal is in progress. */
async function beginSuspending(id: string, endsAt: Date) {
  const { organization_id } = (await findOfAny(world.db, id))!;
  const action = { state: "SUSPENDED", because: "Fraud.", userId: randomUUID(), endsAt } as const;
  return await updateSubscription(world.db, { organization_id, id, ...toActionColumns(action), ask_at: endsAt });
}

test("while PayPal processes a suspension, an earlier response does not remove its reason", async () => {
  const { params, id, providerId } = await subscribed();
  const before = await beginSuspending(id, new Date(world.clock.now().getTime() + maxActionMilliseconds));
  expect(await world.truth.ask(before, {})).toMatchObject({ state: "ACTIVE", held_because: null });
  await world.provider.suspendSubscription(providerId, "Fraud.");
  expect(await world.truth.ask(before, {})).toMatchObject({ state: "SUSPENDED", held_because: "Fraud." });
  expect((await getHistory(params))[0]).toBe("Suspended by the portal's operator: Fraud.");
});

test("a process killed during the call to PayPal, when PayPal did nothing, leaves no reason for a later failed payment", async () => {
  const { id, providerId } = await subscribed();
  await beginSuspending(id, world.clock.now());
  await world.takeTurn();
  await world.provider.suspendSubscription(providerId, "At PayPal");
  const requested = await world.truth.ask((await findOfAny(world.db, id))!, {});
  expect(requested).toMatchObject({ state: "SUSPENDED", held_because: null });
});

test("a suspension that PayPal refuses, because payments failed there already, is not reported as the operator's", async () => {
  const { params, providerId } = await subscribed();
  await world.provider.suspendSubscription(providerId, "At PayPal");
  expect(await world.operator.suspendAny({ params, body: { reason: "Fraud." } })).toMatchObject({ status: 503 });
  await world.takeTurn();
  expect(await read(params)).toMatchObject({ state: "SUSPENDED", heldBecause: null });
  expect((await getHistory(params))[0]).toBe("Suspended by PayPal after payments failed.");
});

test("after a cancellation by the operator the paid period remains, and the organization's audit log has actor and reason", async () => {
  const stranger = randomUUID();
  const { params, id } = await subscribed(stranger);
  const body = { reason: "On request by telephone." };
  const cancelled = requireValue(await world.operator.cancelAny({ params, body }), "cancelling");
  expect(cancelled).toMatchObject({ state: "CANCELLED", isEntitled: true });
  expect(await world.operator.cancelAny({ params, body })).toMatchObject({ status: 409 });
  expect(await getAudit("cancelAny", id)).toEqual([
    {
      organization_id: stranger,
      actor_id: expect.any(String),
      actor_name: "Admin",
      after: { state: "ACTIVE", wantedState: "CANCELLED", ...body },
    },
  ]);
});

/** The audit records of a call for a subscription. */
async function getAudit(operation: string, id: string) {
  return await database
    .inSchema<AuditTables>(schemaName)
    .selectFrom("audit_records")
    .select(["organization_id", "actor_id", "actor_name", "after"])
    .where("operation", "=", operation)
    .where("resource_id", "=", id)
    .execute();
}

test("while PayPal does not respond a suspension is refused, and a later failed payment is not mistaken for one", async () => {
  const { params, providerId } = await subscribed();
  world.sandbox.switchOn({ kind: "status", status: 500, call: "POST /v1/billing", after: false, times: 9 });
  expect(await world.operator.suspendAny({ params, body: { reason: "Fraud." } })).toMatchObject({ status: 503 });
  expect(await read(params)).toMatchObject({ state: "ACTIVE" });
  world.sandbox.clearFaults();
  requireValue(await world.operator.askAboutAny({ params }), "asking");
  await world.provider.suspendSubscription(providerId, "At PayPal");
  const requested = requireValue(await world.operator.askAboutAny({ params }), "asking");
  expect(requested).toMatchObject({ state: "SUSPENDED", heldBecause: null });
});

test("a reason is one short line, and required", async () => {
  const { params } = await subscribed();
  for (const reason of ["", "  ", "x".repeat(101), "one\ntwo"])
    expect(await world.operator.cancelAny({ params, body: { reason } })).toMatchObject({
      status: 422,
      problem: { errors: [{ path: "reason" }] },
    });
  expect(await read(params)).toMatchObject({ state: "ACTIVE" });
});

test("a page of a hundred thousand subscriptions reads few rows, whatever the filter", async () => {
  const db = database.inSchema<PortalTables>(schemaName);
  await sql`
    insert into portal_service.subscriptions (id, organization_id, user_id, service_id, price_minor, price_currency, state,
      state_changed_at, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), case when n % 1000 = 0 then 'business' else 'team' end,
      4900, 'USD', case when n % 997 = 0 then 'SUSPENDED' else 'CANCELLED' end, now(), now(), now()
    from generate_series(1, 100000) n`.execute(database.kysely);
  await sql`analyze portal_service.subscriptions`.execute(database.kysely);
  const filters: ["state" | "service_id", string][][] = [
    [],
    [["state", "SUSPENDED"]],
    [["service_id", "business"]],
    [
      ["state", "EXPIRED"],
      ["service_id", "business"],
    ],
  ];
  for (const filter of filters) {
    let query = db.selectFrom("subscriptions").selectAll().orderBy("id", "desc").limit(26);
    for (const [column, value] of filter) query = query.where(column, "=", value);
    const plan = JSON.stringify(await query.explain("json", sql`analyze`));
    const rows = [...plan.matchAll(/"(?:Actual Rows|Rows Removed by [^"]+)":(\d+)/g)].map(([, count]) => Number(count));
    expect(rows, JSON.stringify(filter)).not.toEqual([]);
    expect(Math.max(...rows), JSON.stringify(filter)).toBeLessThanOrEqual(200);
  }
});
