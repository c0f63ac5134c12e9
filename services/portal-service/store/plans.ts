import { sql } from "kysely";
import { planLimits } from "#contracts/kit/plan.ts";
import type { ServicePricing } from "#contracts/portal-service/plans.ts";
import type { Executor } from "../../kit/database/database.ts";
import type { Money } from "../domain/money.ts";
import type { PortalTables } from "./tables.ts";

type Db = Executor<PortalTables>;

export interface Plan extends ServicePricing {
  /** Since when it is closed to new subscribers; null while it is offered. */
  retiredAt: Date | null;
}

/** Every plan that ever existed, cheapest first: a handful. */
export async function listPlans(db: Db): Promise<Plan[]> {
  const rows = await db
    .selectFrom("services")
    .select(["id", "name", "description", "price_currency", "price_interval", "limits", "trial_days", "retired_at"])
    .select(sql<string>`cast(price_amount as text)`.as("amount"))
    .orderBy("price_amount")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    serviceId: row.id,
    name: row.name,
    description: row.description,
    price: { amount: row.amount, currency: row.price_currency, interval: row.price_interval },
    trialDays: row.trial_days,
    limits: planLimits.parse(row.limits),
    retiredAt: row.retired_at,
  }));
}

/** Those open to new subscribers. */
export async function listOffered(db: Db): Promise<ServicePricing[]> {
  return (await listPlans(db)).filter(({ retiredAt }) => retiredAt === null).map(({ retiredAt: _, ...plan }) => plan);
}

export async function findPlan(db: Db, serviceId: string): Promise<Plan | undefined> {
  return (await listPlans(db)).find((plan) => plan.serviceId === serviceId);
}

/** The plan and price of one of the provider's plan ids. */
export async function findPlanAtProvider(
  db: Db,
  providerId: string,
): Promise<{ planId: string; serviceId: string; price: Money } | undefined> {
  const row = await db
    .selectFrom("provider_plans")
    .select(["service_id", "price_minor", "price_currency"])
    .where("provider_id", "=", providerId)
    .executeTakeFirst();
  return (
    row && {
      planId: providerId,
      serviceId: row.service_id,
      price: { minorUnits: row.price_minor, currency: row.price_currency },
    }
  );
}

/** Names of plans by id. */
export async function planNames(db: Db): Promise<Map<string, string>> {
  return new Map((await listPlans(db)).map(({ serviceId, name }) => [serviceId, name]));
}
