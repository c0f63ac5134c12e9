import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createBuyer, requireValue } from "../testing/buyer.ts";
import { createSellingWorld, type SellingWorld } from "../testing/selling-world.ts";

let database: Database;
let world: SellingWorld;

beforeEach(async () => {
  database = await testEngines()[0]!.open();
  world = await createSellingWorld(database, { work: true });
  await database
    .inSchema<{ users: { username: string; email: string } }>("security_service")
    .updateTable("users")
    .set({ email: "owner@example.com" })
    .execute();
});
afterEach(async () => {
  await world.stop();
  await database.close();
});

test("administrators get one email per change, however often and in whichever order PayPal reports it", async () => {
  const collected = world.collect();
  // From this world's only organization with an account.
  const buyer = createBuyer(world, world.operatingOrganizationId);
  const team = await buyer.subscribed();
  await buyer.approve((await buyer.changeTo(team, "business")).pendingChange?.approveUrl);
  await buyer.cancel(team);
  await world.sandbox.turn();
  const again = [...collected, ...collected.toReversed()];
  await Promise.all(again.map(({ headers, body }) => world.send(headers, body)));
  for (let turn = 0; turn < 3; turn += 1) await world.takeTurn();
  const subjects = () => world.mail.emails.map(({ subject }) => subject).sort();
  await expect
    .poll(subjects)
    .toEqual([
      "Your plan is Business now",
      "Your subscription to Business is cancelled",
      "Your subscription to Team has started",
    ]);
  expect(new Set(world.mail.emails.map(({ to }) => to.address))).toEqual(new Set(["owner@example.com"]));
  const cancelled = world.mail.emails.find(({ subject }) => subject.includes("cancelled"))!;
  expect(cancelled.text).toContain("You keep Business until");
  expect(cancelled.html).toContain(`https://portal.example/subscriptions/${team.id}`);
});

test("when the paid period of a cancelled plan ends, one email reports its end", async () => {
  const buyer = createBuyer(world, world.operatingOrganizationId);
  const team = await buyer.subscribed();
  const organization = await world.serviceFor(buyer.organizationId);
  await organization.getPlan();
  await buyer.cancel(team);
  const ended = () => world.mail.emails.filter(({ subject }) => subject === "Your plan Team has ended");
  expect(ended()).toEqual([]);
  world.clock.advance(32 * 86_400_000);
  await Promise.all(Array.from({ length: 5 }, () => organization.getPlan()));
  await expect.poll(() => ended().length).toBe(1);
  expect(ended()[0]!.text).toContain("the period you paid for has ended. Nothing more is charged.");
  const one = createBuyer(world, world.operatingOrganizationId);
  await one.subscribed("business");
  await expect
    .poll(() => world.mail.emails.map(({ subject }) => subject))
    .toContain("Your subscription to Business has started");
  expect(ended()).toHaveLength(1);
});

test("three days before a trial ends one email gives the date and the price from then on", async () => {
  const price = { params: { serviceId: "team" }, body: { amount: "49", trialDays: 14 } };
  await requireValue(world.operator.offerPlanPrice(price));
  const buyer = createBuyer(world, world.operatingOrganizationId);
  const team = await buyer.subscribed();
  const subscriptionId = team.id;
  const listTrialEmails = () =>
    world.mail.emails.filter(({ subject }) => subject.startsWith("Your trial of Team ends on"));
  world.clock.advance(11 * 86_400_000 - 1);
  await requireValue(buyer.client.askProvider({ params: { subscriptionId } }));
  expect(await world.db.selectFrom("subscriptions").select("trial_told_at").execute()).toEqual([
    { trial_told_at: null },
  ]);
  world.clock.advance(1);
  const asks = Array.from({ length: 5 }, () => buyer.client.askProvider({ params: { subscriptionId } }));
  await Promise.all(asks);
  await expect.poll(() => listTrialEmails().length).toBe(1);
  expect(listTrialEmails()[0]!.text).toContain("Team costs $49.00 a month");
  world.clock.advance(86_400_000);
  await requireValue(buyer.client.askProvider({ params: { subscriptionId } }));
  await buyer.cancel(team);
  const cancelled = (subject: string) => subject === "Your subscription to Team is cancelled";
  await expect.poll(() => world.mail.emails.some(({ subject }) => cancelled(subject))).toBe(true);
  expect(listTrialEmails()).toHaveLength(1);
  expect(world.mail.emails.map(({ subject }) => subject)).toContain("Your trial of Team has started");
});
