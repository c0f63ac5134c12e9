import { type Selectable, sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { ProviderPayment } from "../payment/provider.ts";
import type { SubscriptionRow } from "./subscriptions.ts";
import type { PortalTables } from "./tables.ts";

type Db = Executor<PortalTables>;
export type PaymentRow = Selectable<PortalTables["payments"]>;

/** Stores payments as the provider reports them now; updates the state of existing ones. */
export async function keepPayments(db: Db, subscription: SubscriptionRow, payments: ProviderPayment[]): Promise<void> {
  if (payments.length === 0) return;
  await db
    .insertInto("payments")
    .values(
      payments.map(({ id, state, amount, at }) => ({
        id,
        subscription_id: subscription.id,
        organization_id: subscription.organization_id,
        service_id: subscription.service_id,
        amount_minor: amount.minorUnits,
        currency: amount.currency,
        state,
        paid_at: at,
      })),
    )
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((expression) => ({ state: expression.ref("excluded.state") })),
    )
    .execute();
}

export async function listPayments(
  db: Db,
  organizationId: string,
  page: { before?: { moment: string; id: string }; limit: number },
) {
  let query = db
    .selectFrom("payments")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .orderBy("paid_at", "desc")
    .orderBy("id", "desc")
    .limit(page.limit + 1);
  if (page.before) {
    const { moment, id } = page.before;
    query = query.where(sql<boolean>`(paid_at, id) < (${new Date(moment)}, ${id})`);
  }
  return await query.execute();
}

export async function findPayment(db: Db, organizationId: string, id: string): Promise<PaymentRow | undefined> {
  return await db
    .selectFrom("payments")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/**
 * The provider's id of a payment's subscription, across organizations: provider events about a payment contain no
 * other id.
 */
export async function findPaidFor(db: Db, paymentId: string): Promise<string | null> {
  const row = await db
    .selectFrom("payments")
    .innerJoin("subscriptions", "subscriptions.id", "payments.subscription_id")
    .select("provider_id")
    .where("payments.id", "=", paymentId)
    .executeTakeFirst();
  return row?.provider_id ?? null;
}

/** Of one subscription, newest first; one row beyond the page when `limit` is one more. */
export async function listSubscriptionPayments(
  db: Db,
  { organization_id, id }: Pick<SubscriptionRow, "organization_id" | "id">,
  page: { before?: { moment: string; id: string }; limit: number },
) {
  let query = db
    .selectFrom("payments")
    .selectAll()
    .where("organization_id", "=", organization_id)
    .where("subscription_id", "=", id)
    .orderBy("paid_at", "desc")
    .orderBy("id", "desc")
    .limit(page.limit);
  if (page.before)
    query = query.where(sql<boolean>`(paid_at, id) < (${new Date(page.before.moment)}, ${page.before.id})`);
  return await query.execute();
}

/** The time of the newest known payment. */
export async function newestPayment(db: Db, subscription: SubscriptionRow): Promise<Date | undefined> {
  const row = await db
    .selectFrom("payments")
    .select("paid_at")
    .where("organization_id", "=", subscription.organization_id)
    .where("subscription_id", "=", subscription.id)
    .orderBy("paid_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.paid_at;
}
