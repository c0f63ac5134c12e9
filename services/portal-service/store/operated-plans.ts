import { sql } from "kysely";
import type { PlanLimits } from "../../kit/contract/plan.ts";
import { type Executor, json } from "../../kit/database/database.ts";
import { decimalOf, type Money } from "../domain/money.ts";
import { takeProviderPlan } from "./subscriptions.ts";
import type { PortalTables } from "./tables.ts";

type Db = Executor<PortalTables>;

/** What a plan is called and allows. */
export interface PlanContent {
  name: string;
  description: string;
  limits: PlanLimits;
}

/** A price that a plan has, or had. */
export interface OfferedPrice {
  serviceId: string;
  price: Money;
  offeredAt: Date | null;
  providerId: string | null;
  /** How many pay it, or would if their payments went through. */
  subscribers: number;
}

/** Whoever changes plans waits for whoever does already: what is read after it is what they wrote. */
export async function lockPlans(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(5108843716)`.execute(db);
}

const columnsOf = ({ name, description, limits }: PlanContent) => ({ name, description, limits: json(limits) });

export async function insertPlan(db: Db, id: string, plan: PlanContent & { price: Money }): Promise<void> {
  await db
    .insertInto("services")
    .values({
      id,
      ...columnsOf(plan),
      price_amount: decimalOf(plan.price),
      price_currency: plan.price.currency,
      price_interval: "month",
      retired_at: null,
    })
    .execute();
}

export async function updatePlan(db: Db, id: string, content: PlanContent): Promise<void> {
  await db.updateTable("services").set(columnsOf(content)).where("id", "=", id).execute();
}

export async function retirePlan(db: Db, id: string, at: Date | null): Promise<void> {
  await db.updateTable("services").set({ retired_at: at }).where("id", "=", id).execute();
}

/** What new subscribers are asked for from now on. */
export async function offerPrice(db: Db, serviceId: string, price: Money, at: Date): Promise<void> {
  await db
    .updateTable("services")
    .set({ price_amount: decimalOf(price), price_currency: price.currency })
    .where("id", "=", serviceId)
    .execute();
  const { requestId } = await takeProviderPlan(db, { serviceId, price });
  await db.updateTable("provider_plans").set({ offered_at: at }).where("request_id", "=", requestId).execute();
}

/** Every price that plans have or had, the newest first. */
export async function listPrices(db: Db): Promise<OfferedPrice[]> {
  const rows = await db
    .selectFrom("provider_plans as priced")
    .select(["priced.service_id", "price_minor", "price_currency", "offered_at", "provider_id"])
    .select((row) =>
      row
        .selectFrom("subscriptions as paying")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("state", "in", ["ACTIVE", "SUSPENDED"])
        .whereRef("paying.service_id", "=", "priced.service_id")
        .whereRef("paying.price_minor", "=", "priced.price_minor")
        .whereRef("paying.price_currency", "=", "priced.price_currency")
        .as("subscribers"),
    )
    .orderBy(sql`offered_at desc nulls last`)
    .orderBy("price_minor")
    .execute();
  return rows.map((row) => ({
    serviceId: row.service_id,
    price: { minorUnits: row.price_minor, currency: row.price_currency },
    offeredAt: row.offered_at,
    providerId: row.provider_id,
    subscribers: Number(row.subscribers ?? 0),
  }));
}
