import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AuditTables } from "../../kit/audit/audit-table.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { schemaName } from "../store/tables.ts";
import { type Buyer, broughtBy, createBuyer, requireValue } from "../testing/buyer.ts";
import { createSellingWorld, portalOrigin, type SellingWorld } from "../testing/selling-world.ts";

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
const planName = async () => (await requireValue((await world.serviceFor()).getPlan())).plan?.name;
const revisions = () => world.sandbox.calls.filter((call) => call.endsWith("/revise"));
const ask = ({ id }: { id: string }) => requireValue(buyer.client.askProvider({ params: { subscriptionId: id } }));
const askFor = ({ id }: { id: string }, serviceId: string) =>
  buyer.client.createPlanChange({ params: { subscriptionId: id }, body: { serviceId } });
async function payments() {
  const items = await buyer.payments();
  return items.map(({ serviceName, amount }) => [serviceName, amount.minorUnits]);
}

test("a plan that costs more takes effect on approval, and is billed from the next payment on", async () => {
  const team = await buyer.subscribed();
  const requested = await buyer.changeTo(team, "business");
  expect(requested).toMatchObject({
    serviceName: "Team",
    pendingChange: { serviceName: "Business", price: { minorUnits: 19_900, currency: "USD" } },
    plannedChange: null,
  });
  expect(await planName()).toBe("Team");
  const back = await world.sandbox.decide(requested.pendingChange!.approveUrl!, "approve");
  expect(back.origin + back.pathname).toBe(`${portalOrigin}/subscriptions/paypal/return`);
  const changed = await requireValue(buyer.client.verifySubscription(broughtBy(back)));
  expect(changed).toMatchObject({ serviceName: "Business", pendingChange: null, plannedChange: null });
  for (let again = 0; again < 3; again += 1)
    expect(await requireValue(buyer.client.verifySubscription(broughtBy(back)))).toEqual(changed);
  expect(await planName()).toBe("Business");
  expect(await payments()).toEqual([["Team", 4_900]]);

  world.clock.moveTo(new Date(team.nextBillingAt!));
  await ask(team);
  expect(await payments()).toEqual([
    ["Business", 19_900],
    ["Team", 4_900],
  ]);
  expect(await buyer.history(team)).toEqual([
    "The plan is Business now.",
    "Asked for Business.",
    "Approved at PayPal.",
    "Subscribed to Team.",
  ]);
  expect(world.sandbox.faults).toEqual([]);
});

test("a plan that costs less takes effect at the end of the paid period without further action", async () => {
  const business = await buyer.subscribed("business");
  const requested = await buyer.changeTo(business, "team");
  const planned = await buyer.approve(requested.pendingChange?.approveUrl);
  expect(planned).toMatchObject({
    serviceName: "Business",
    pendingChange: null,
    plannedChange: { serviceName: "Team", price: { minorUnits: 4_900 }, countsAt: business.nextBillingAt },
  });
  world.clock.moveTo(new Date(Date.parse(business.nextBillingAt!) - 1_000));
  await ask(business);
  expect(await planName()).toBe("Business");
  world.clock.moveTo(new Date(business.nextBillingAt!));
  await world.takeTurn();
  expect((await buyer.read(business)).serviceName).toBe("Team");
  expect(await planName()).toBe("Team");
  expect(await buyer.read(business)).toMatchObject({ plannedChange: null, state: "ACTIVE" });
  expect(await payments()).toEqual([
    ["Team", 4_900],
    ["Business", 19_900],
  ]);
  expect((await buyer.history(business)).slice(0, 2)).toEqual([
    "The plan is Team now.",
    "Team follows at the end of the paid period.",
  ]);
});

test("a planned change is withdrawn by approving the current plan at its price", async () => {
  const business = await buyer.subscribed("business");
  await buyer.approve((await buyer.changeTo(business, "team")).pendingChange?.approveUrl);
  const requested = await buyer.changeTo(business, "business");
  expect(requested).toMatchObject({
    plannedChange: { serviceName: "Team" },
    pendingChange: { serviceName: "Business" },
  });
  const stored = await buyer.approve(requested.pendingChange?.approveUrl);
  expect(stored).toMatchObject({ serviceName: "Business", plannedChange: null, pendingChange: null });
  world.clock.moveTo(new Date(business.nextBillingAt!));
  await ask(business);
  expect(await payments()).toEqual(Array(2).fill(["Business", 19_900]));
  expect(await buyer.history(business)).toContain("The planned change was withdrawn: the plan stays Business.");
});

test("P08: twenty clicks, two tabs and a PayPal failure in between request one change", async () => {
  const team = await buyer.subscribed();
  const call = "POST /v1/billing/subscriptions/";
  // The job also requests it again meanwhile.
  world.sandbox.switchOn({ kind: "status", status: 500, call, after: true, times: 2 });
  world.sandbox.switchOn({ kind: "malformed", call, after: true, times: 1_000 });
  expect(await buyer.changeTo(team, "business")).toMatchObject({ pendingChange: { approveUrl: null } });
  expect(await buyer.read(team)).toMatchObject({ pendingChange: { serviceName: "Business", approveUrl: null } });
  world.sandbox.clearFaults();
  const requested = await Promise.all(Array.from({ length: 20 }, () => buyer.changeTo(team, "business")));
  expect(new Set(requested.map(({ pendingChange }) => pendingChange?.approveUrl)).size).toBe(1);
  const tabs = await Promise.all([buyer.approve(requested[0]!.pendingChange!.approveUrl), ask(team), ask(team)]);
  expect(tabs[0]).toMatchObject({ serviceName: "Business" });
  expect((await buyer.history(team)).filter((text) => text.endsWith("now."))).toHaveLength(1);
  expect(await payments()).toEqual([["Team", 4_900]]);
});

test("P07: a change that PayPal did not accept is requested again, by the button or by the job", async () => {
  const team = await buyer.subscribed();
  const call = "POST /v1/billing/subscriptions/";
  world.sandbox.switchOn({ kind: "status", status: 503, call, after: false, times: 3 });
  expect(await buyer.changeTo(team, "business")).toMatchObject({ pendingChange: { approveUrl: null } });
  world.clock.advance(31_000);
  await world.takeTurn();
  expect((await buyer.read(team)).pendingChange?.approveUrl).toContain("ba_token=");
  await requireValue(buyer.client.withdrawPlanChange({ params: { subscriptionId: team.id } }));
  world.sandbox.switchOn({ kind: "status", status: 503, call, after: false, times: 3 });
  expect(await buyer.changeTo(team, "business")).toMatchObject({ pendingChange: { approveUrl: null } });
  await ask(team);
  expect((await buyer.read(team)).pendingChange?.approveUrl).toContain("ba_token=");
});

test("P05: an approved change takes effect although no one returned and no webhook arrived", async () => {
  world.listens(false);
  const team = await buyer.subscribed();
  const requested = await buyer.changeTo(team, "business");
  await world.sandbox.decide(requested.pendingChange!.approveUrl!, "approve");
  world.clock.advance(31_000);
  await world.takeTurn();
  expect(await planName()).toBe("Business");
});

test("another change replaces a pending one, and a withdrawn one takes effect once it is approved", async () => {
  const team = await buyer.subscribed();
  const first = await buyer.changeTo(team, "business");
  const taken = await requireValue(buyer.client.withdrawPlanChange({ params: { subscriptionId: team.id } }));
  expect(taken).toMatchObject({ pendingChange: null });
  expect(await requireValue(buyer.client.withdrawPlanChange({ params: { subscriptionId: team.id } }))).toEqual(taken);
  const second = await buyer.changeTo(team, "business");
  expect(second.pendingChange?.approveUrl).not.toBe(first.pendingChange?.approveUrl);
  expect(await buyer.approve(second.pendingChange?.approveUrl)).toMatchObject({ serviceName: "Business" });
});

test("an unapproved change is abandoned after three days, and PayPal is not polled for ever", async () => {
  const team = await buyer.subscribed();
  await buyer.changeTo(team, "business");
  world.clock.advance(3 * day);
  await ask(team);
  expect(await buyer.read(team)).toMatchObject({ serviceName: "Team", pendingChange: null });
  expect(await buyer.history(team)).toContain("The change to Business was not approved in time.");
});

test("a cancelled subscription keeps its plan until its end, and plans nothing", async () => {
  const business = await buyer.subscribed("business");
  await buyer.approve((await buyer.changeTo(business, "team")).pendingChange?.approveUrl);
  const cancelled = await requireValue(buyer.client.cancelSubscription({ params: { subscriptionId: business.id } }));
  expect(cancelled).toMatchObject({ state: "CANCELLED", serviceName: "Business", plannedChange: null });
  expect(await planName()).toBe("Business");
  world.clock.moveTo(new Date(cancelled.entitledUntil!));
  expect(await planName()).toBe("Free");
});

test("P10: an impossible change is refused with its reason, and changes nothing", async () => {
  const waiting = await buyer.subscribe();
  expect(await askFor(waiting, "business")).toMatchObject({ status: 409 });
  const team = await buyer.approve(waiting.approveUrl);
  expect(await askFor(team, "team")).toMatchObject({ status: 409 });
  for (const serviceId of ["free", "gold"])
    expect(await askFor(team, serviceId)).toMatchObject({ status: 422, problem: { errors: [{ path: "serviceId" }] } });
  await requireValue(buyer.client.cancelSubscription({ params: { subscriptionId: team.id } }));
  expect(await askFor(team, "business")).toMatchObject({ status: 409 });
  expect(revisions()).toEqual([]);
});

test("P09: while payments fail the plan remains, and the refusal says what to do first", async () => {
  const made = await buyer.subscribe();
  await world.sandbox.decide(made.approveUrl!, "approve-declining");
  // Any two months.
  world.clock.advance(62 * day);
  await ask(made);
  const refused = await askFor(made, "business");
  expect(refused).toMatchObject({ ok: false, status: 409 });
  expect(!refused.ok && refused.problem.detail).toContain("Resolve this at PayPal");
});

test("P01: another organization's approval, change and subscription change nothing here", async () => {
  const team = await buyer.subscribed();
  const requested = await buyer.changeTo(team, "business");
  const other = createBuyer(world, randomUUID());
  const theirs = await other.subscribed();
  const theirChange = (await other.changeTo(theirs, "business")).pendingChange!.approveUrl!;
  const ownToken = new URL(requested.pendingChange!.approveUrl!).searchParams.get("ba_token")!;
  const back = await world.sandbox.decide(theirChange, "approve");
  const ownId = team.providerId;
  const forged = [
    broughtBy(back),
    { params: { providerId: "-" }, body: broughtBy(back).body },
    { params: { providerId: ownId }, body: broughtBy(back).body },
    { params: broughtBy(back).params, body: { ba_token: ownToken } },
  ];
  for (const one of forged) expect((await buyer.client.verifySubscription(one)).status, JSON.stringify(one)).toBe(404);
  const unapproved = { params: { providerId: ownId }, body: { ba_token: ownToken } };
  expect(await requireValue(buyer.client.verifySubscription(unapproved))).toMatchObject({
    serviceName: "Team",
    pendingChange: { serviceName: "Business" },
  });
  expect((await askFor({ id: theirs.id }, "business")).status).toBe(404);
  expect((await buyer.client.withdrawPlanChange({ params: { subscriptionId: theirs.id } })).status).toBe(404);
});

test("a change is recorded when it is requested and when it takes effect, once each", async () => {
  // A change first reported by a webhook is not attributed to the buyer.
  world.listens(false);
  const team = await buyer.subscribed();
  await buyer.approve((await buyer.changeTo(team, "business")).pendingChange?.approveUrl);
  await buyer.changeTo(team, "team");
  await requireValue(buyer.client.withdrawPlanChange({ params: { subscriptionId: team.id } }));
  const records = await database
    .inSchema<AuditTables>(schemaName)
    .selectFrom("audit_records")
    .select(["operation", "before", "after"])
    .where("resource_id", "=", team.id)
    .orderBy("id")
    .execute();
  const price = (minorUnits: number) => ({ minorUnits, currency: "USD" });
  expect(records.slice(2).map(({ operation, before, after }) => [operation, before, after])).toEqual([
    ["createPlanChange", { serviceId: "team" }, { asked: { serviceId: "business", price: price(19_900) } }],
    ["verifySubscription", { serviceId: "team" }, { serviceId: "business" }],
    ["createPlanChange", { serviceId: "business" }, { asked: { serviceId: "team", price: price(4_900) } }],
    ["withdrawPlanChange", { asked: { serviceId: "team", price: price(4_900) } }, { asked: null }],
  ]);
});
