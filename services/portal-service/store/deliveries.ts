import { sql } from "kysely";
import { type Executor, json } from "../../kit/database/database.ts";
import type { Difference } from "../domain/difference.ts";
import type { WebhookRejection } from "../payment/provider.ts";
import type { PortalTables } from "./tables.ts";

type Db = Executor<PortalTables>;

/** @returns whether it is new: the provider may send the same one many times */
export async function keepDelivery(
  db: Db,
  delivery: { id: string; eventType: string; providerId: string | null; subscriptionId: string | null; at: Date },
): Promise<boolean> {
  const row = await db
    .insertInto("webhook_deliveries")
    .values({
      id: delivery.id,
      event_type: delivery.eventType,
      provider_id: delivery.providerId,
      subscription_id: delivery.subscriptionId,
      times: 1,
      received_at: delivery.at,
      last_received_at: delivery.at,
    })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((row) => ({
        times: row("webhook_deliveries.times", "+", 1),
        last_received_at: row.ref("excluded.last_received_at"),
      })),
    )
    .returning("times")
    .executeTakeFirstOrThrow();
  return row.times === 1;
}

/** Refused deliveries stored per hour, so that forged ones in the provider's name fill nothing. */
const storedOfHour = 20;

/** Counts refused deliveries, and stores the newest up to the limit of the hour. */
export async function keepRefused(
  db: Db,
  refused: { id: string; eventType: string; fault: WebhookRejection; at: Date; counts: Map<WebhookRejection, number> },
): Promise<void> {
  const hour = new Date(Math.floor(refused.at.getTime() / 3_600_000) * 3_600_000);
  await db
    .insertInto("refused_deliveries")
    .values([...refused.counts].map(([error, count]) => ({ hour, fault: error, count })))
    .onConflict((conflict) =>
      conflict
        .columns(["hour", "fault"])
        .doUpdateSet((row) => ({ count: row("refused_deliveries.count", "+", row.ref("excluded.count")) })),
    )
    .execute();
  const { kept } = await db
    .selectFrom("webhook_deliveries")
    .select(({ fn }) => fn.countAll<number>().as("kept"))
    .where("fault", "is not", null)
    .where("received_at", ">=", hour)
    .executeTakeFirstOrThrow();
  if (kept >= storedOfHour) return;
  await db
    .insertInto("webhook_deliveries")
    .values({
      id: refused.id,
      event_type: refused.eventType,
      provider_id: null,
      subscription_id: null,
      times: 1,
      received_at: refused.at,
      last_received_at: refused.at,
      fault: refused.fault,
    })
    .execute();
}

export async function countRefusedSince(db: Db, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom("refused_deliveries")
    .select(({ fn }) => fn.sum<number | null>("count").as("count"))
    .where("hour", ">", since)
    .executeTakeFirstOrThrow();
  return Number(count ?? 0);
}

/** The changes made by the provider's response, stored with all earlier deliveries that led to it. */
export async function noteResult(
  db: Db,
  result: { subscriptionId: string; askedAt: Date; at: Date; differences: Difference[] },
): Promise<void> {
  await db
    .updateTable("webhook_deliveries")
    .set({ answered_at: result.at, differences: json(result.differences) })
    .where("subscription_id", "=", result.subscriptionId)
    .where("answered_at", "is", null)
    .where("received_at", "<=", result.askedAt)
    .execute();
}

/** Newest first; one row beyond the page. */
export async function listDeliveries(
  db: Db,
  wanted: { outcome?: "believed" | "refused"; subscriptionId?: string; named?: string },
  page: { before?: { moment: string; id: string }; limit: number },
) {
  let query = db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .orderBy("received_at", "desc")
    .orderBy("id", "desc")
    .limit(page.limit + 1);
  const { outcome, subscriptionId, named } = wanted;
  if (outcome) query = query.where("fault", outcome === "refused" ? "is not" : "is", null);
  if (subscriptionId) query = query.where("subscription_id", "=", subscriptionId);
  if (named) query = query.where((row) => row.or([row("id", "=", named), row("provider_id", "=", named)]));
  if (page.before)
    query = query.where(sql<boolean>`(received_at, id) < (${new Date(page.before.moment)}, ${page.before.id})`);
  return await query.execute();
}

export async function findDelivery(db: Db, id: string) {
  return await db.selectFrom("webhook_deliveries").selectAll().where("id", "=", id).executeTakeFirst();
}

/**
 * Deletes a few received before that time.
 * @returns how many were deleted
 */
export async function deleteDeliveriesBefore(db: Db, before: Date, limit: number): Promise<number> {
  await db.deleteFrom("refused_deliveries").where("hour", "<", before).execute();
  const { numDeletedRows } = await db
    .deleteFrom("webhook_deliveries")
    .where("id", "in", (row) =>
      row.selectFrom("webhook_deliveries").select("id").where("received_at", "<", before).limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
