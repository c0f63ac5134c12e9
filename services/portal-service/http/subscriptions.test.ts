import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Subscription } from "#contracts/portal-service/subscriptions.ts";
import type { AuditTables } from "../../kit/audit/audit-table.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { schemaName } from "../store/tables.ts";
import { broughtBy, requireValue } from "../testing/buyer.ts";
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

const subscribe = (serviceId = "team", member = buyer) =>
  requireValue(member.createSubscription({ body: { serviceId } }));
const read = ({ id }: { id: string }) => requireValue(buyer.getSubscription({ params: { subscriptionId: id } }));

async function subscribed(serviceId = "team"): Promise<Subscription> {
  const made = await subscribe(serviceId);
  const back = await world.sandbox.decide(made.approveUrl!, "approve");
  return await requireValue(buyer.verifySubscription(broughtBy(back)));
}

const createdAtProvider = () => world.sandbox.calls.filter((call) => call === "POST /v1/billing/subscriptions").length;

test("a plan is subscribed to, approved at PayPal, paid for, and cancelled without losing the paid period", async () => {
  const made = await subscribe();
  expect(made).toMatchObject({
    serviceName: "Team",
    price: { minorUnits: 4_900, currency: "USD" },
    state: "PENDING_APPROVAL",
    isEntitled: false,
  });
  const back = await world.sandbox.decide(made.approveUrl!, "approve");
  expect(back.origin + back.pathname).toBe(`${portalOrigin}/subscriptions/paypal/return`);
  const active = await requireValue(buyer.verifySubscription(broughtBy(back)));
  expect(active).toMatchObject({ state: "ACTIVE", isEntitled: true, entitledUntil: null, approveUrl: null });
  for (let again = 0; again < 3; again += 1)
    expect(await requireValue(buyer.verifySubscription(broughtBy(back)))).toEqual(active);

  const { items: payments } = await requireValue(buyer.listPayments());
  expect(payments).toMatchObject([{ serviceName: "Team", amount: { minorUnits: 4_900 }, state: "COMPLETED" }]);

  const cancelled = await requireValue(buyer.cancelSubscription({ params: { subscriptionId: made.id } }));
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
  const { items: entries } = await requireValue(buyer.listSubscriptionEntries({ params: { subscriptionId: made.id } }));
  expect(entries.map(({ state, text }) => [state, text])).toEqual([
    ["CANCELLED", "Cancelled by a member."],
    ["ACTIVE", "Approved at PayPal."],
    ["PENDING_APPROVAL", "Subscribed to Team."],
  ]);
  expect(world.sandbox.faults).toEqual([]);
});

const planName = async () => (await requireValue((await world.serviceFor()).getPlan())).plan?.name;
const retentionDays = async () =>
  (await requireValue((await world.serviceFor()).getRetention())).retention?.detailsDays;

test("an unapproved subscription changes neither plan nor retention", async () => {
  const made = await subscribe();
  await requireValue(buyer.cancelSubscription({ params: { subscriptionId: made.id } }));
  expect(await planName()).toBe("Free");
  expect(await retentionDays()).toBe(7);
});

test("a subscription whose payment was declined is unpaid: cancelled, it grants nothing", async () => {
  const made = await subscribe();
  await world.sandbox.decide(made.approveUrl!, "approve-declining");
  await world.sandbox.turn();
  await world.takeTurn();
  expect(await planName()).toBe("Team");
  await requireValue(buyer.cancelSubscription({ params: { subscriptionId: made.id } }));
  expect(await read(made)).toMatchObject({ state: "CANCELLED", isEntitled: false });
});

test("a paid plan applies, and the free one after it; results are retained as long as before", async () => {
  expect(await planName()).toBe("Free");
  const made = await subscribed();
  expect(await planName()).toBe("Team");
  await requireValue(buyer.cancelSubscription({ params: { subscriptionId: made.id } }));
  expect(await planName()).toBe("Team");
  world.clock.advance(31 * day);
  expect(await planName()).toBe("Free");
  expect(await retentionDays()).toBe(90);
});

test("P06, P07: however creation fails in between, PayPal has one subscription and the buyer reaches it", async () => {
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
  const { items } = await requireValue(buyer.listSubscriptions());
  expect(items.map(({ id }) => id)).toEqual([made.id]);
  // One of four requests with one id created it.
  const listed = await world.provider.listReported(new Date(0), world.clock.now());
  expect(listed.subscriptionIds).toHaveLength(1);
});

test("P08: twenty simultaneous clicks and two tabs create one subscription", async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => subscribe()));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  const listed = await world.provider.listReported(new Date(0), world.clock.now());
  expect(listed.subscriptionIds).toHaveLength(1);
});

test("P08: another plan replaces a pending one, and approving that one still costs nothing", async () => {
  const team = await subscribe("team");
  const business = await subscribe("business");
  expect((await read(team)).state).toBe("CANCELLED");
  const late = await world.sandbox.decide(team.approveUrl!, "approve");
  const wanted = await world.sandbox.decide(business.approveUrl!, "approve");
  expect((await requireValue(buyer.verifySubscription(broughtBy(wanted)))).state).toBe("ACTIVE");
  await world.sandbox.turn();
  const lateId = late.searchParams.get("subscription_id")!;
  await world.takeTurn();
  expect((await world.provider.findSubscription(lateId))?.state).toBe("CANCELLED");
  expect((await read(team)).state).toBe("CANCELLED");
  expect(await buyer.createSubscription({ body: { serviceId: "team" } })).toMatchObject({ ok: false, status: 409 });
});

test("P09: failed payments suspend it, a week later it grants nothing, and paid again it is active", async () => {
  const made = await subscribe();
  await world.sandbox.decide(made.approveUrl!, "approve-declining");
  await world.sandbox.turn();
  await world.takeTurn();
  expect((await read(made)).state).toBe("ACTIVE");
  // Any two months.
  world.clock.advance(62 * day);
  await world.sandbox.turn();
  await world.takeTurn();
  expect((await read(made)).state).toBe("SUSPENDED");
  const suspended = await read(made);
  expect(suspended).toMatchObject({ isEntitled: true, failedPayments: 3 });
  world.clock.moveTo(new Date(suspended.entitledUntil!));
  expect((await read(made)).isEntitled).toBe(false);
  const { items: payments } = await requireValue(buyer.listPayments());
  expect(payments.map(({ state }) => state)).toEqual(["DECLINED", "DECLINED", "DECLINED"]);
});

test("each requested change is recorded with it, once", async () => {
  const made = await subscribed();
  await requireValue(buyer.askProvider({ params: { subscriptionId: made.id } }));
  await requireValue(buyer.cancelSubscription({ params: { subscriptionId: made.id } }));
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

test("P08: cancelled during its approval, it ends at PayPal too, or the caller is informed that it has not", async () => {
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
      await requireValue(buyer.cancelSubscription({ params }));
    }
    world.clock.advance(10 * 60_000);
    const providerId = back.searchParams.get("subscription_id")!;
    await world.takeTurn();
    expect((await world.provider.findSubscription(providerId))?.state).toBe("CANCELLED");
    expect((await read(made)).state).toBe("CANCELLED");
  }
});

test("a subscription is visible to its own organization only", async () => {
  const made = await subscribed();
  const stranger = world.member({ scopes: ["billing:manage"], organizationId: randomUUID() });
  const params = { subscriptionId: made.id };
  expect((await stranger.getSubscription({ params })).status).toBe(404);
  expect((await stranger.cancelSubscription({ params })).status).toBe(404);
  expect((await stranger.askProvider({ params })).status).toBe(404);
  expect((await stranger.listSubscriptionEntries({ params })).status).toBe(404);
  expect((await requireValue(stranger.listPayments())).items).toEqual([]);
  expect((await requireValue(stranger.listSubscriptions())).items).toEqual([]);
});

test("a free or unknown plan is refused at its field", async () => {
  for (const serviceId of ["free", "gold"]) {
    const result = await buyer.createSubscription({ body: { serviceId } });
    expect(result).toMatchObject({ ok: false, status: 422, problem: { errors: [{ path: "serviceId" }] } });
  }
});
