import { type Selectable, type SqlBool, sql } from "kysely";
import type { DeliveryState } from "#contracts/test-analyzer/alert-deliveries.ts";
import { type AlertMessage, alertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import type { Executor } from "../../kit/database/database.ts";
import type { AnalyzerTables, AnalyzerTransaction } from "./tables.ts";

type Db = Executor<AnalyzerTables>;
type StoredRow = Selectable<AnalyzerTables["alert_deliveries"]>;
export type DeliveryRow = Omit<StoredRow, "message" | "queued_at"> & { message: AlertMessage };

function read({ queued_at: _, ...row }: StoredRow): DeliveryRow {
  return { ...row, message: alertMessage.parse(row.message) };
}

const written = (message: AlertMessage) => sql<unknown>`cast(${JSON.stringify(message)} as json)`;

export async function insertDeliveries(transaction: AnalyzerTransaction, rows: DeliveryRow[]): Promise<void> {
  if (rows.length === 0) return;
  await transaction
    .insertInto("alert_deliveries")
    .values(rows.map((row) => ({ ...row, message: written(row.message) })))
    .execute();
}

export async function findDelivery(
  db: Db,
  organizationId: string,
  deliveryId: string,
): Promise<DeliveryRow | undefined> {
  const row = await db
    .selectFrom("alert_deliveries")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", deliveryId)
    .executeTakeFirst();
  return row && read(row);
}

/** Newest first; one row more than the page. */
export async function listDeliveries(
  db: Db,
  of: { organizationId: string; channelId: string },
  page: { state?: DeliveryState; before?: string; limit: number },
): Promise<DeliveryRow[]> {
  let query = db
    .selectFrom("alert_deliveries")
    .selectAll()
    .where("organization_id", "=", of.organizationId)
    .where("channel_id", "=", of.channelId)
    .orderBy("id", "desc")
    .limit(page.limit + 1);
  if (page.state) query = query.where("state", "=", page.state);
  if (page.before) query = query.where("id", "<", page.before);
  return (await query.execute()).map(read);
}

/** The newest delivery of each channel that was attempted. */
export async function findLastDeliveries(
  db: Db,
  organizationId: string,
  channelIds: string[],
): Promise<Map<string, DeliveryRow>> {
  if (channelIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("alert_deliveries")
    .selectAll()
    .distinctOn("channel_id")
    .where("organization_id", "=", organizationId)
    .where("channel_id", "in", channelIds)
    .where("tries", ">", 0)
    .orderBy("channel_id")
    .orderBy("id", "desc")
    .execute();
  return new Map(rows.map((row) => [row.channel_id, read(row)]));
}

/** Deferred deliveries of all organizations whose time has come. */
export async function listDueDeliveries(db: Db, now: Date): Promise<DeliveryRow[]> {
  const rows = await db
    .selectFrom("alert_deliveries")
    .selectAll()
    .where("state", "=", "held")
    .where("not_before", "<=", now)
    .orderBy("not_before")
    .limit(100)
    .execute();
  return rows.map(read);
}

/** Makes deliveries that a mute of the incident deferred due now. */
export async function hastenDeferred(transaction: AnalyzerTransaction, incidentId: string, now: Date): Promise<void> {
  await transaction
    .updateTable("alert_deliveries")
    .set({ not_before: now })
    .where("state", "=", "held")
    .where(sql<SqlBool>`incident_ids @> array[${incidentId}::uuid]`)
    .execute();
}

/** For deferred deliveries. */
export async function rewriteDelivery(
  transaction: AnalyzerTransaction,
  { id }: Pick<DeliveryRow, "id">,
  { message, incidentIds }: { message: AlertMessage; incidentIds: string[] },
): Promise<void> {
  await transaction
    .updateTable("alert_deliveries")
    .set({ message: written(message), title: message.title, incident_ids: incidentIds })
    .where("id", "=", id)
    .where("state", "=", "held")
    .execute();
}

/** @returns the updated row; undefined when it is in none of these states */
export async function updateDelivery(
  db: Db,
  { organization_id, id }: Pick<DeliveryRow, "organization_id" | "id">,
  changes: Partial<
    Pick<DeliveryRow, "state" | "not_before" | "tries" | "status" | "detail" | "tried_at" | "delivered_at">
  >,
  from: DeliveryState[],
): Promise<DeliveryRow | undefined> {
  const row = await db
    .updateTable("alert_deliveries")
    .set(changes)
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .where(sql<SqlBool>`state = any(${from}::text[])`)
    .returningAll()
    .executeTakeFirst();
  return row && read(row);
}

/**
 * Deletes finished deliveries.
 * @returns the number of deleted rows
 */
export async function deleteDeliveriesBefore(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const ended: DeliveryState[] = ["delivered", "failed", "dropped"];
  const { numDeletedRows } = await db
    .deleteFrom("alert_deliveries")
    .where("id", "in", (select) =>
      select
        .selectFrom("alert_deliveries")
        .select("id")
        .where("created_at", "<", before)
        .where("state", "in", ended)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Records that they are in the queue from now on. */
export async function markQueued(transaction: AnalyzerTransaction, deliveryIds: string[], now: Date): Promise<void> {
  await transaction
    .updateTable("alert_deliveries")
    .set({ queued_at: now })
    .where(sql<SqlBool>`id = any(${deliveryIds}::uuid[])`)
    .execute();
}

/** When the oldest delivery in the queue was queued, across all organizations; null when there is none. */
export async function findOldestQueued(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom("alert_deliveries")
    .select(sql<Date | null>`min(coalesce(queued_at, created_at))`.as("oldest"))
    .where(sql<SqlBool>`state = 'waiting'`)
    .executeTakeFirst();
  return row?.oldest ?? null;
}
