import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type Buyer, createBuyer, requireValue } from "../testing/buyer.ts";
import { createSellingWorld, type SellingWorld } from "../testing/selling-world.ts";

let database: Database;
let world: SellingWorld;
beforeAll(async () => {
  database = await testEngines()[0]!.open();
  world = await createSellingWorld(database);
  await offer(14);
});
afterAll(async () => {
  await world.stop();
  await database.close();
});

const day = 86_400_000;
const team = { params: { serviceId: "team" } };
const newBuyer = async () => createBuyer(world, await world.addOrganization());
const after = (days: number) => new Date(world.clock.now().getTime() + days * day).toISOString();
const paid = async (buyer: Buyer) => (await buyer.payments()).map(({ amount }) => amount.minorUnits);
const getsTrial = async ({ client }: Buyer) => (await requireValue(client.listSubscriptions())).getsTrial;

async function offer(trialDays: number) {
  return await requireValue(world.operator.offerPlanPrice({ ...team, body: { amount: "49", trialDays } }));
}

async function ask(buyer: Buyer, { id }: { id: string }) {
  return await requireValue(buyer.client.askProvider({ params: { subscriptionId: id } }));
}

test("a first subscription is charged when its trial ends, and the organization's next one has no trial", async () => {
  const pricing = (await requireValue(world.connect().listPricing())).items;
  expect(pricing.map(({ serviceId, trialDays }) => [serviceId, trialDays])).toEqual([
    ["free", 0],
    ["team", 14],
    ["business", 0],
  ]);
  const buyer = await newBuyer();
  expect(await getsTrial(buyer)).toBe(true);
  const made = await buyer.subscribe();
  expect(made).toMatchObject({ trialDays: 14, trialEndsAt: null, isOnTrial: false });
  const first = await buyer.approve(made.approveUrl);
  const endsAt = after(14);
  expect(first).toMatchObject({ state: "ACTIVE", isOnTrial: true, trialEndsAt: endsAt, nextBillingAt: endsAt });
  expect([await paid(buyer), await getsTrial(buyer)]).toEqual([[], false]);

  world.clock.advance(14 * day - 1);
  expect(await ask(buyer, first)).toMatchObject({ isOnTrial: true, trialEndsAt: endsAt });
  world.clock.advance(1);
  expect(await ask(buyer, first)).toMatchObject({ state: "ACTIVE", isOnTrial: false, trialEndsAt: endsAt });
  expect(await paid(buyer)).toEqual([4_900]);

  await buyer.cancel(first);
  const again = await buyer.subscribed();
  expect(again).toMatchObject({ trialDays: 0, trialEndsAt: null, isOnTrial: false });
  expect(await paid(buyer)).toEqual([4_900, 4_900]);
  const { prices } = await requireValue(world.operator.getOperatedPlan(team));
  expect(prices.map(({ trialDays, isOffered, subscribers }) => [trialDays, isOffered, subscribers])).toEqual([
    [14, true, 0],
    [0, false, 1],
  ]);
  expect(new Set(prices.map(({ providerId }) => providerId)).size).toBe(2);
  expect(world.sandbox.faults).toEqual([]);
});

test("cancelled in its trial, a plan remains until the trial's end, nothing is charged, and there is no second trial", async () => {
  const buyer = await newBuyer();
  const first = await buyer.subscribed();
  world.clock.advance(2 * day);
  const cancelled = await buyer.cancel(first);
  expect(cancelled).toMatchObject({ state: "CANCELLED", isEntitled: true, entitledUntil: after(12), isOnTrial: true });
  expect((await buyer.subscribe()).trialDays).toBe(0);
  world.clock.advance(12 * day);
  expect(await buyer.read(first)).toMatchObject({ isEntitled: false, isOnTrial: false });
  expect(await paid(buyer)).toEqual([]);
});

test("an unapproved subscription uses up no trial, and simultaneous requests in many tabs create one", async () => {
  const buyer = await newBuyer();
  const tabs = await Promise.all(Array.from({ length: 10 }, () => buyer.subscribe()));
  expect(new Set(tabs.map(({ id }) => id)).size).toBe(1);
  await buyer.cancel(tabs[0]!);
  expect(await getsTrial(buyer)).toBe(true);
  const waiting = await buyer.subscribe();
  // A plan offered meanwhile replaces the pending one.
  await offer(30);
  const later = await buyer.subscribe();
  expect([waiting.trialDays, later.trialDays, later.id === waiting.id]).toEqual([14, 30, false]);
  await offer(14);
  expect(await buyer.approve((await buyer.subscribe()).approveUrl)).toMatchObject({ trialEndsAt: after(14) });
});

test("a plan change in a trial starts no other trial, and is charged when this one ends", async () => {
  await requireValue(
    world.operator.offerPlanPrice({ params: { serviceId: "business" }, body: { amount: "199", trialDays: 60 } }),
  );
  const [up, down] = [await newBuyer(), await newBuyer()];
  const endsAt = after(14);
  const dearer = await up.subscribed();
  expect(await up.approve((await up.changeTo(dearer, "business")).pendingChange?.approveUrl)).toMatchObject({
    ...{ serviceId: "business", isOnTrial: true, trialEndsAt: endsAt, nextBillingAt: endsAt },
  });
  const cheaper = await down.subscribed("business");
  expect(await down.approve((await down.changeTo(cheaper, "team")).pendingChange?.approveUrl)).toMatchObject({
    ...{ serviceId: "business", isOnTrial: true, plannedChange: { serviceId: "team", countsAt: after(60) } },
  });
  world.clock.advance(14 * day);
  expect(await ask(up, dearer)).toMatchObject({ serviceId: "business", isOnTrial: false });
  expect(await paid(up)).toEqual([19_900]);
  world.clock.advance(46 * day);
  expect(await ask(down, cheaper)).toMatchObject({ serviceId: "team", isOnTrial: false, plannedChange: null });
  expect(await paid(down)).toEqual([4_900]);
  const { prices } = await requireValue(world.operator.getOperatedPlan({ params: { serviceId: "business" } }));
  expect(prices.reduce((sum, { subscribers }) => sum + subscribers, 0)).toBe(1);
  expect(world.sandbox.faults).toEqual([]);
});

test("a declined first payment extends no trial", async () => {
  const buyer = await newBuyer();
  const made = await buyer.subscribe();
  const endsAt = after(14);
  await buyer.comeBack(await world.sandbox.decide(made.approveUrl!, "approve-declining"));
  world.clock.advance(15 * day);
  expect(await ask(buyer, made)).toMatchObject({ failedPayments: 1, isOnTrial: false, trialEndsAt: endsAt });
});
