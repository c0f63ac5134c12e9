import { afterAll, beforeAll, expect, test } from "vitest";
import { scopes } from "#contracts/kit/endpoint.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createBuyer, requireValue } from "../testing/buyer.ts";
import { createSellingWorld, type SellingWorld } from "../testing/selling-world.ts";

let database: Database;
let world: SellingWorld;
beforeAll(async () => {
  database = await testEngines()[0]!.open();
  world = await createSellingWorld(database);
});
afterAll(async () => {
  await world.stop();
  await database.close();
});

const usd = (minorUnits: number) => ({ minorUnits, currency: "USD" });
const thisMonth = async () => (await requireValue(world.operator.listMonthlyNumbers({ query: { months: 1 } }))).items;

test("a month counts starts, ends, payments and refunds; unapproved subscriptions are not counted", async () => {
  expect(await thisMonth()).toEqual([]);
  const [first, second, waiting] = [
    createBuyer(world),
    ...(await Promise.all([1, 2].map(() => world.addOrganization()))).map((id) => createBuyer(world, id)),
  ];
  await first.subscribed();
  const over = await second!.subscribed("business");
  await waiting!.cancel(await waiting!.subscribe());
  await second!.cancel(over);
  const [paid] = await first.payments();
  await world.sandbox.refund(paid!.id, "PARTIALLY_REFUNDED", { amount: "9.50" });
  await world.sandbox.turn();
  const [whole] = await second!.payments();
  await world.db.updateTable("payments").set({ state: "REFUNDED" }).where("id", "=", whole!.id).execute();
  const month = world.clock.now().toISOString().slice(0, 7);
  expect(await thisMonth()).toEqual([
    { month, currency: "USD", began: 2, ended: 1, activeAtEnd: 1, paid: usd(24_800), refunded: usd(950 + 19_900) },
  ]);
});

test("a later month starts with the active subscriptions, and none counts events of another", async () => {
  const [before] = await thisMonth();
  world.clock.advance(62 * 86_400_000);
  const numbers = (await requireValue(world.operator.listMonthlyNumbers({ query: { months: 3 } }))).items;
  const months = numbers.map(({ began, ended, activeAtEnd, paid }) => [began, ended, activeAtEnd, paid.minorUnits]);
  expect(months.slice(0, -1)).toEqual(months.slice(0, -1).map(() => [0, 0, 1, 0]));
  expect(await thisMonth()).toMatchObject([{ began: 0, activeAtEnd: 1, refunded: usd(0) }]);
  const year = (await requireValue(world.operator.listMonthlyNumbers({ query: { months: 12 } }))).items;
  expect(year).toContainEqual(before);
  expect(year.reduce((sum, { paid }) => sum + paid.minorUnits, 0)).toBe(24_800);
});

test("T01: only the operator sees the numbers", async () => {
  const unprivileged = world.member({ scopes: scopes.filter((scope) => scope !== "system:manage") });
  expect((await unprivileged.listMonthlyNumbers({ query: {} })).status).toBe(403);
  expect((await world.operator.listMonthlyNumbers({ query: { months: 61 } })).status).toBe(400);
});
