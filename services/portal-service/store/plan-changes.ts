import type { Selectable } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { PricedPlan } from "../domain/plan-change.ts";
import type { PortalTables } from "./tables.ts";

type Db = Executor<PortalTables>;
export type PlanChangeRow = Selectable<PortalTables["plan_changes"]>;

export const toPricedPlan = (row: PlanChangeRow): PricedPlan => ({
  serviceId: row.service_id,
  price: { minorUnits: row.price_minor, currency: row.price_currency },
});

const openOnes = (db: Db, organizationId: string) =>
  db
    .selectFrom("plan_changes")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("state", "=", "PENDING_APPROVAL");

/** The change that is waiting for approval. */
export async function findOpenChange(db: Db, organizationId: string, subscriptionId: string) {
  return await openOnes(db, organizationId).where("subscription_id", "=", subscriptionId).executeTakeFirst();
}

/** Of several of an organization's subscriptions, by id. */
export async function findOpenChanges(
  db: Db,
  organizationId: string,
  subscriptionIds: string[],
): Promise<Map<string, PlanChangeRow>> {
  if (subscriptionIds.length === 0) return new Map();
  const rows = await openOnes(db, organizationId).where("subscription_id", "in", subscriptionIds).execute();
  return new Map(rows.map((row) => [row.subscription_id, row]));
}

/** Throws the database's unique violation when another one is pending. */
export async function insertPlanChange(db: Db, row: PlanChangeRow): Promise<void> {
  await db.insertInto("plan_changes").values(row).execute();
}

/** Does nothing when it is no longer pending. */
export async function updateOpenChange(
  db: Db,
  { organization_id, id, ...changes }: Pick<PlanChangeRow, "organization_id" | "id"> & Partial<PlanChangeRow>,
): Promise<PlanChangeRow | undefined> {
  return await db
    .updateTable("plan_changes")
    .set(changes)
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .where("state", "=", "PENDING_APPROVAL")
    .returningAll()
    .executeTakeFirst();
}
