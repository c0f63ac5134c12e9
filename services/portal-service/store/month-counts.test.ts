import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { migrateSchema } from "../../kit/database/migrate.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { listStoredCounts, recount } from "../testing/month-counts.ts";
import { migrations } from "./migrations.ts";
import { countSubscriptionsByMonth } from "./month-count-migrations.ts";
import { newSubscription } from "./new-subscription.ts";
import type { SubscriptionRow } from "./subscriptions.ts";
import { type PortalDatabase, type PortalTables, schemaName } from "./tables.ts";

let database: Database;
let db: PortalDatabase;
beforeAll(async () => {
  database = await testEngines()[0].open();
  await migrateSchema(database, schemaName, migrations);
  db = database.inSchema<PortalTables>(schemaName);
});
afterAll(() => database.close());

type Status = Pick<SubscriptionRow, "state" | "state_changed_at" | "began_at" | "price_currency">;

/** Around the turns of months in UTC. */
const moment = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(-1, 0, 1))
  .map(([month, milliseconds]) => new Date(Date.UTC(2025, 10 + month, 1) + milliseconds));
const status: fc.Arbitrary<Status> = fc.record({
  state: fc.constantFrom("PENDING_APPROVAL", "ACTIVE", "SUSPENDED", "CANCELLED", "EXPIRED"),
  state_changed_at: moment,
  began_at: fc.option(moment),
  price_currency: fc.constantFrom("USD", "EUR"),
});
const statuses = (count: number) => fc.array(status, { minLength: count, maxLength: count });

/** One in a new organization. */
function subscription(as: Status): SubscriptionRow {
  const offer = { serviceId: "team", price: { minorUnits: 4_900, currency: as.price_currency }, trialDays: 0 };
  return { ...newSubscription(randomUUID(), { userId: randomUUID(), ...offer }, new Date(0)), ...as };
}

async function insert(all: Status[]): Promise<string[]> {
  const rows = all.map(subscription);
  await db.insertInto("subscriptions").values(rows).execute();
  return rows.map(({ id }) => id);
}

/** Changes to subscriptions, several per statement. */
type Step =
  | { does: "insert"; rows: Status[] }
  | { does: "change"; of: number[]; to: Status }
  | { does: "delete"; of: number[] };
const some = { minLength: 1, maxLength: 5 };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant("insert" as const), rows: fc.array(status, some) }),
  fc.record({ does: fc.constant("change" as const), of: fc.array(fc.nat(), some), to: status }),
  fc.record({ does: fc.constant("delete" as const), of: fc.array(fc.nat(), some) }),
);

/** @returns the remaining ones */
async function write(change: Exclude<Step, { does: "insert" }>, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return ids;
  const chosen = change.of.map((at) => ids[at % ids.length]!);
  if (change.does === "change") {
    await db.updateTable("subscriptions").set(change.to).where("id", "in", chosen).execute();
    return ids;
  }
  await db.deleteFrom("subscriptions").where("id", "in", chosen).execute();
  return ids.filter((id) => !chosen.includes(id));
}

test("the stored month counts equal a recount after any change of subscriptions", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      await db.deleteFrom("subscriptions").execute();
      let ids: string[] = [];
      for (const each of steps) {
        ids = each.does === "insert" ? [...ids, ...(await insert(each.rows))] : await write(each, ids);
        expect(await listStoredCounts(db)).toEqual(await recount(db));
      }
    }),
    { numRuns: 20 },
  );
});

test("subscriptions from before the month counts existed are included", async () => {
  await insert(fc.sample(statuses(40), 1)[0]!);
  await sql`drop table ${sql.id(schemaName, "monthly_subscriptions")}`.execute(db);
  for (const event of ["insert", "update", "delete"])
    await sql`drop function ${sql.id(schemaName, `count_${event}_by_month`)} cascade`.execute(db);
  await database.kysely.transaction().execute(countSubscriptionsByMonth);
  const counted = await listStoredCounts(db);
  expect(counted).not.toEqual([]);
  expect(counted).toEqual(await recount(db));
  await db.deleteFrom("subscriptions").execute();
  expect(await listStoredCounts(db)).toEqual([]);
});

test("subscriptions that end or are deleted together, in any months, are counted once", async () => {
  const months = [0, 1, 2, 3].map((month) => new Date(Date.UTC(2026, month, 15)));
  const began = (at: Date) => ({ state: "ACTIVE", state_changed_at: at, began_at: at, price_currency: "USD" }) as const;
  const groups = await Promise.all(
    Array.from({ length: 24 }, (_, at) => insert((at % 2 === 0 ? months : months.toReversed()).map(began))),
  );
  const ended = groups.slice(0, 12).map((ids, at) =>
    db
      .updateTable("subscriptions")
      .set({ state: "CANCELLED", state_changed_at: months[at % months.length]! })
      .where("id", "in", ids)
      .execute(),
  );
  const deleted = groups.slice(12).map((ids) => db.deleteFrom("subscriptions").where("id", "in", ids).execute());
  await Promise.all([...ended, ...deleted]);
  const each = months.map((at) => ({ month: at.toISOString().slice(0, 7), currency: "USD", began: 12, ended: 12 }));
  expect(await listStoredCounts(db)).toEqual(each);
  expect(await recount(db)).toEqual(each);
});

test("a rollback is not counted, nor a change that neither starts nor ends a subscription", async () => {
  const before = await listStoredCounts(db);
  const at = new Date("2026-03-08T10:00:00Z");
  const active = subscription({ state: "ACTIVE", state_changed_at: at, began_at: at, price_currency: "USD" });
  const failing = db.transaction().execute(async (transaction) => {
    await transaction.insertInto("subscriptions").values(active).execute();
    throw new Error("killed");
  });
  await expect(failing).rejects.toThrow("killed");
  expect(await listStoredCounts(db)).toEqual(before);

  await db.insertInto("subscriptions").values(active).execute();
  const versions = () => sql`select xmin::text, * from ${sql.id(schemaName, "monthly_subscriptions")}`.execute(db);
  const { rows: written } = await versions();
  await db
    .updateTable("subscriptions")
    .set({ asked: 7, hinted_at: at, state: "SUSPENDED" })
    .where("id", "=", active.id)
    .execute();
  expect((await versions()).rows).toEqual(written);
});
