import { sql } from "kysely";
import type { PlanLimits } from "#contracts/kit/plan.ts";
import { type Executor, json } from "../../kit/database/database.ts";
import { type Money, toDecimal } from "../domain/money.ts";
import { markOffered, type Offer } from "./provider-plans.ts";
import type { PortalTables } from "./tables.ts";

type Db = Executor<PortalTables>;

/** A plan's name and limits. */
export interface PlanContent {
  name: string;
  description: string;
  limits: PlanLimits;
}

/** Locked exclusively by changes to plans, shared by readers that store results of them. */
export const plansLock = sql.lit(5_108_843_716);

/** Serializes changes to plans: later reads see the previous change. */
export async function lockPlans(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${plansLock})`.execute(db);
}

const toColumns = ({ name, description, limits }: PlanContent) => ({ name, description, limits: json(limits) });

export async function insertPlan(db: Db, id: string, plan: PlanContent & { price: Money }): Promise<void> {
  await db
    .insertInto("services")
    .values({
      id,
      ...toColumns(plan),
      price_amount: toDecimal(plan.price),
      price_currency: plan.price.currency,
      price_interval: "month",
      trial_days: 0,
      retired_at: null,
    })
    .execute();
}

export async function updatePlan(db: Db, id: string, content: PlanContent): Promise<void> {
  await db.updateTable("services").set(toColumns(content)).where("id", "=", id).execute();
}

export async function retirePlan(db: Db, id: string, at: Date | null): Promise<void> {
  await db.updateTable("services").set({ retired_at: at }).where("id", "=", id).execute();
}

/** The price for new subscribers from now on. */
export async function offerPrice(db: Db, { serviceId, price, trialDays }: Offer, at: Date): Promise<void> {
  await db
    .updateTable("services")
    .set({ price_amount: toDecimal(price), price_currency: price.currency, trial_days: trialDays })
    .where("id", "=", serviceId)
    .execute();
  await markOffered(db, { serviceId, price, trialDays }, at);
}
