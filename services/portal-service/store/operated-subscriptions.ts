import type { Executor } from "../../kit/database/database.ts";
import type { SubscriptionState } from "../domain/subscription.ts";
import type { SubscriptionRow } from "./subscriptions.ts";
import type { PortalTables } from "./tables.ts";

type Db = Executor<PortalTables>;

/** The operator's filter for subscriptions of all organizations. */
export interface Wanted {
  state?: SubscriptionState;
  serviceId?: string;
  /** One of these: our id, the provider's, or the one of a payment's subscription. */
  named?: { id?: string; providerId?: string; paymentId?: string };
  organizationIds?: string[];
}

/** Newest first, across organizations: for the operator only. One row beyond the page. */
export async function listOfAll(
  db: Db,
  { state, serviceId, named, organizationIds }: Wanted,
  page: { before?: string; limit: number },
): Promise<SubscriptionRow[]> {
  let query = db
    .selectFrom("subscriptions")
    .selectAll()
    .orderBy("id", "desc")
    .limit(page.limit + 1);
  if (state) query = query.where("state", "=", state);
  if (serviceId) query = query.where("service_id", "=", serviceId);
  if (page.before) query = query.where("id", "<", page.before);
  if (organizationIds) {
    if (organizationIds.length === 0) return [];
    query = query.where("organization_id", "in", organizationIds);
  }
  const { id, providerId, paymentId } = named ?? {};
  if (id) query = query.where("id", "=", id);
  else if (named) {
    // Looked up first: a subquery here would run for every subscription.
    const paid = await db
      .selectFrom("payments")
      .select("subscription_id")
      .where("id", "=", paymentId ?? "")
      .executeTakeFirst();
    query = query.where((row) =>
      row.or([row("provider_id", "=", providerId ?? ""), ...(paid ? [row("id", "=", paid.subscription_id)] : [])]),
    );
  }
  return await query.execute();
}

/** Across organizations: for the operator only. */
export async function findOfAny(db: Db, id: string): Promise<SubscriptionRow | undefined> {
  return await db.selectFrom("subscriptions").selectAll().where("id", "=", id).executeTakeFirst();
}
