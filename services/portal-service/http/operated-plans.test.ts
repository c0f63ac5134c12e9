import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scopes } from "#contracts/kit/endpoint.ts";
import type { AuditTables } from "../../kit/audit/audit-table.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { schemaName } from "../store/tables.ts";
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

const team = { params: { serviceId: "team" } };
const limits = {
  ...{ apis: 5, tests: null, executionsPerMonth: 10_000 },
  ...{ shortestIntervalSeconds: 300, members: 3, retentionDays: 30 },
};
const plan = (name: string) => ({ name, description: "For a studio.", limits });
const newBuyer = async () => createBuyer(world, await world.addOrganization());
const usd = (minorUnits: number) => ({ minorUnits, currency: "USD" });

async function plansAtPayPal(): Promise<string[]> {
  return world.sandbox.calls.filter((call) => call === "POST /v1/billing/plans");
}

test("a new price is for new subscribers: an earlier one keeps theirs, billed by its own plan at PayPal", async () => {
  const early = await newBuyer();
  const first = await early.subscribed();
  expect(first.price).toEqual(usd(4_900));
  const priced = await requireValue(world.operator.offerPlanPrice({ ...team, body: { amount: "59.00" } }));
  expect(priced.prices.map(({ price, isOffered, subscribers }) => [price.minorUnits, isOffered, subscribers])).toEqual([
    [5_900, true, 0],
    [4_900, false, 1],
  ]);
  const [made, earlier] = priced.prices.map(({ providerId }) => providerId);
  expect(made).toMatch(/^P-/);
  expect(made).not.toBe(earlier);

  const late = await newBuyer();
  expect((await late.subscribed()).price).toEqual(usd(5_900));
  world.clock.advance(32 * 86_400_000);
  await world.operator.askAboutAny({ params: { subscriptionId: first.id } });
  expect((await early.read(first)).price).toEqual(usd(4_900));
  expect((await early.payments()).map(({ amount }) => amount.minorUnits)).toEqual([4_900, 4_900]);
  expect((await late.payments()).map(({ amount }) => amount.minorUnits)).toEqual([5_900]);

  const before = (await plansAtPayPal()).length;
  const back = await requireValue(world.operator.offerPlanPrice({ ...team, body: { amount: "49" } }));
  expect(back.prices[0]).toMatchObject({ price: usd(4_900), isOffered: true, providerId: earlier, subscribers: 1 });
  expect((await plansAtPayPal()).length).toBe(before);
});

test("a price that PayPal could not receive is offered all the same, and created at the next subscription", async () => {
  world.sandbox.switchOn({ kind: "status", status: 503, call: "POST /v1/billing/plans", after: false, times: 3 });
  const body = { ...plan("Studio"), price: { amount: "19.50", currency: "EUR" as const } };
  const made = await requireValue(world.operator.createPlan({ body }));
  expect(made).toMatchObject({ serviceId: "studio", price: { minorUnits: 1_950, currency: "EUR" } });
  expect(made.prices[0]).toMatchObject({ isOffered: true, providerId: null });
  const buyer = await newBuyer();
  expect((await buyer.subscribed("studio")).price).toEqual({ minorUnits: 1_950, currency: "EUR" });
  const [price] = (await requireValue(world.operator.getOperatedPlan({ params: { serviceId: "studio" } }))).prices;
  expect(price).toMatchObject({ subscribers: 1, providerId: expect.stringMatching(/^P-/) });
});

test("changed limits apply to every organization on the plan", async () => {
  const buyer = await newBuyer();
  await buyer.subscribed("business");
  const own = async () => (await requireValue((await world.serviceFor(buyer.organizationId)).getPlan())).plan;
  expect((await own())?.limits.apis).toBeNull();
  const params = { serviceId: "business" };
  await requireValue(world.operator.changePlan({ params, body: plan("Enterprise") }));
  expect(await own()).toEqual({ name: "Enterprise", limits });
});

test("changed limits also apply to an organization whose plan is being determined", async () => {
  const buyer = await newBuyer();
  const { id: subscriptionId } = await buyer.subscribed("team");
  const own = async () =>
    (await requireValue((await world.serviceFor(buyer.organizationId)).getPlan())).plan?.limits.apis;
  expect(await own()).toBe(20);
  const waits = async (lock: RawBuilder<unknown>) => {
    const { rows } = await sql`
      select from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and not granted and ${lock}`.execute(database.kysely);
    return rows.length > 0;
  };
  const counted = `${schemaName}.monthly_executions`;
  let isChanged = false;
  const started = await database.kysely.transaction().execute(async (transaction) => {
    // The plan is determined by reading usage after the plan's limits.
    await sql`lock table ${sql.table(counted)} in access exclusive mode`.execute(transaction);
    const finding = requireValue(world.operator.askAboutAny({ params: { subscriptionId } }));
    await expect.poll(() => waits(sql`relation = ${counted}::regclass`)).toBe(true);
    const changing = requireValue(world.operator.changePlan({ ...team, body: plan("Team") })).then(() => {
      isChanged = true;
    });
    await expect.poll(async () => isChanged || (await waits(sql`locktype = 'advisory'`))).toBe(true);
    return { finding, changing };
  });
  await Promise.all([started.finding, started.changing]);
  expect(await own()).toBe(limits.apis);
});

test("a retired plan can't be subscribed or changed to, and remains for those who have it", async () => {
  const created = { ...plan("Old"), price: { amount: "5", currency: "USD" as const } };
  const { serviceId } = await requireValue(world.operator.createPlan({ body: created }));
  const holder = await newBuyer();
  const held = await holder.subscribed(serviceId);
  const retired = await requireValue(world.operator.retirePlan({ params: { serviceId } }));
  expect([retired.retiredAt, retired.prices[0]!.isOffered]).toEqual([world.clock.now().toISOString(), false]);
  const offered = async () => (await requireValue(world.connect().listPricing())).items.map((one) => one.serviceId);
  expect(await offered()).not.toContain(serviceId);
  expect((await requireValue(world.connect().listServices())).items.map(({ id }) => id)).not.toContain(serviceId);

  const late = await newBuyer();
  await expect(late.subscribe(serviceId)).rejects.toThrow("This plan is no longer offered");
  const other = await late.subscribed("team");
  await expect(late.changeTo(other, serviceId)).rejects.toThrow("This plan is no longer offered");

  expect(await holder.read(held)).toMatchObject({ state: "ACTIVE", serviceName: "Old", isEntitled: true });
  expect((await requireValue((await world.serviceFor(holder.organizationId)).getPlan())).plan?.name).toBe("Old");
  await requireValue(world.operator.offerPlan({ params: { serviceId } }));
  expect(await offered()).toContain(serviceId);
});

test("an invalid plan or price is refused with its field", async () => {
  const getErrors = async (result: Promise<{ ok: boolean }>) =>
    ((await result) as unknown as { problem: { status: number; errors?: { path: string }[] } }).problem;
  const create = (change: object) =>
    getErrors(
      world.operator.createPlan({ body: { ...plan("Other"), price: { amount: "9", currency: "USD" }, ...change } }),
    );
  const wrong: [object, string][] = [
    [{ name: "TEAM" }, "name"],
    [{ name: " " }, "name"],
    [{ price: { amount: "0.00", currency: "USD" } }, "price.amount"],
    [{ price: { amount: "9.5", currency: "JPY" } }, "price.amount"],
    [{ price: { amount: "9", currency: "XXX" } }, "price.currency"],
    [{ limits: { ...limits, shortestIntervalSeconds: 1 } }, "limits.shortestIntervalSeconds"],
  ];
  for (const [change, path] of wrong)
    expect(
      (await create(change)).errors?.map((one) => one.path),
      JSON.stringify(change),
    ).toEqual([path]);
  const free = { params: { serviceId: "free" } };
  expect((await getErrors(world.operator.offerPlanPrice({ ...free, body: { amount: "1" } }))).status).toBe(409);
  expect((await getErrors(world.operator.retirePlan(free))).status).toBe(409);
  expect((await getErrors(world.operator.retirePlan({ params: { serviceId: "none" } }))).status).toBe(404);
});

test("plans created at once under one name become one plan", async () => {
  const body = { ...plan("Twice"), price: { amount: "7", currency: "USD" as const } };
  const made = await Promise.all(Array.from({ length: 5 }, () => world.operator.createPlan({ body })));
  expect(made.filter(({ ok }) => ok)).toHaveLength(1);
});

test("T01: only the operator manages plans, and each change is recorded with its former value", async () => {
  const unprivileged = world.member({ scopes: scopes.filter((scope) => scope !== "system:manage") });
  const body = { ...plan("Mine"), price: { amount: "1", currency: "USD" as const } };
  const results = await Promise.all([
    unprivileged.listOperatedPlans(),
    unprivileged.getOperatedPlan(team),
    unprivileged.createPlan({ body }),
    unprivileged.changePlan({ ...team, body: plan("Mine") }),
    unprivileged.offerPlanPrice({ ...team, body: { amount: "1" } }),
    unprivileged.retirePlan(team),
    unprivileged.offerPlan(team),
  ]);
  expect(results.map(({ status }) => status)).toEqual(Array(7).fill(403));
  const records = await database
    .inSchema<AuditTables>(schemaName)
    .selectFrom("audit_records")
    .select([sql<string>`before->>'price'`.as("before"), sql<string>`after->>'price'`.as("after")])
    .where("operation", "=", "offerPlanPrice")
    .orderBy("id")
    .execute();
  expect(records).toEqual([
    { before: "49.00 USD", after: "59.00 USD" },
    { before: "59.00 USD", after: "49.00 USD" },
  ]);
});
