import { sql } from "kysely";
import { planLimits } from "../../kit/contract/plan.ts";
import type { Executor } from "../../kit/database/database.ts";
import type { ServicePricing } from "../contract/plans.ts";
import type { Money } from "../domain/money.ts";
import type { PortalTables } from "./tables.ts";

/** Every plan there is, the cheapest first: a handful. */
export async function listPlans(db: Executor<PortalTables>): Promise<ServicePricing[]> {
  const rows = await db
    .selectFrom("services")
    .select(["id", "name", "description", "price_currency", "price_interval", "limits"])
    .select(sql<string>`cast(price_amount as text)`.as("amount"))
    .orderBy("price_amount")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    serviceId: row.id,
    name: row.name,
    description: row.description,
    price: { amount: row.amount, currency: row.price_currency, interval: row.price_interval },
    limits: planLimits.parse(row.limits),
  }));
}

export async function findPlan(db: Executor<PortalTables>, serviceId: string): Promise<ServicePricing | undefined> {
  return (await listPlans(db)).find((plan) => plan.serviceId === serviceId);
}

/** Which of our plans the provider calls so, and at which price. */
export async function findPlanAtProvider(
  db: Executor<PortalTables>,
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

/** What plans are called, by their id. */
export async function planNames(db: Executor<PortalTables>): Promise<Map<string, string>> {
  return new Map((await listPlans(db)).map(({ serviceId, name }) => [serviceId, name]));
}
