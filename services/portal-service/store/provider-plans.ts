import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import type { Executor } from "../../kit/database/database.ts";
import type { Money } from "../domain/money.ts";
import type { PortalTables } from "./tables.ts";

type Db = Executor<PortalTables>;

/** The content of one plan at the provider: a price, with or without free days before it. */
export interface Offer {
  serviceId: string;
  price: Money;
  /** 0 for none. */
  trialDays: number;
}

/** A current or former price of a plan. */
export interface OfferedPrice extends Offer {
  offeredAt: Date | null;
  providerId: string | null;
  /** How many subscribers pay it, or would if their payments went through. */
  subscribers: number;
}

/** The provider's plan for an offer, or the request id for creating it: the same for all callers. */
export async function takeProviderPlan(
  db: Db,
  { serviceId, price, trialDays }: Offer,
  offeredAt: Date | null = null,
): Promise<{ requestId: string; providerId: string | null }> {
  await db
    .insertInto("provider_plans")
    .values({
      service_id: serviceId,
      price_minor: price.minorUnits,
      price_currency: price.currency,
      trial_days: trialDays,
      request_id: uuidv7(),
      provider_id: null,
      offered_at: offeredAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom("provider_plans")
    .select(["request_id", "provider_id"])
    .where("service_id", "=", serviceId)
    .where("price_minor", "=", price.minorUnits)
    .where("price_currency", "=", price.currency)
    .where("trial_days", "=", trialDays)
    .executeTakeFirstOrThrow();
  return { requestId: row.request_id, providerId: row.provider_id };
}

export async function keepProviderPlan(db: Db, requestId: string, providerId: string): Promise<void> {
  await db.updateTable("provider_plans").set({ provider_id: providerId }).where("request_id", "=", requestId).execute();
}

/** Offered from now on; the same price without free days also to those who had their trial. */
export async function markOffered(db: Db, offer: Offer, at: Date): Promise<void> {
  const { requestId } = await takeProviderPlan(db, offer);
  await db.updateTable("provider_plans").set({ offered_at: at }).where("request_id", "=", requestId).execute();
  if (offer.trialDays > 0) await takeProviderPlan(db, { ...offer, trialDays: 0 }, at);
}

/** All current and former prices of plans, newest first. */
export async function listPrices(db: Db): Promise<OfferedPrice[]> {
  const rows = await db
    .selectFrom("provider_plans as priced")
    .select(["priced.service_id", "price_minor", "price_currency", "trial_days", "offered_at", "provider_id"])
    .select((row) =>
      row
        .selectFrom("subscriptions as paying")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("state", "in", ["ACTIVE", "SUSPENDED"])
        .whereRef("paying.service_id", "=", "priced.service_id")
        .whereRef("paying.price_minor", "=", "priced.price_minor")
        .whereRef("paying.price_currency", "=", "priced.price_currency")
        .whereRef("paying.trial_days", "=", "priced.trial_days")
        .as("subscribers"),
    )
    .orderBy(sql`offered_at desc nulls last`)
    .orderBy("price_minor")
    .orderBy("trial_days", "desc")
    .execute();
  return rows.map((row) => ({
    serviceId: row.service_id,
    price: { minorUnits: row.price_minor, currency: row.price_currency },
    trialDays: row.trial_days,
    offeredAt: row.offered_at,
    providerId: row.provider_id,
    subscribers: Number(row.subscribers ?? 0),
  }));
}
