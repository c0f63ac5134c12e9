import { type Selectable, type SqlBool, sql } from "kysely";
import { type Executor, json } from "../../kit/database/database.ts";
import { containsPattern } from "../../kit/database/keyset.ts";
import { type AnalyzerTables, type AnalyzerTransaction, table } from "./tables.ts";

type Db = Executor<AnalyzerTables>;
export type ChannelRow = Selectable<AnalyzerTables["alert_channels"]>;

const sortName = sql<string>`lower(name)`;

/** By name; one row more than the page. */
export async function listChannels(
  db: Db,
  organizationId: string,
  page: { query?: string; afterName?: string; limit: number },
): Promise<(ChannelRow & { sort_name: string })[]> {
  let query = db
    .selectFrom("alert_channels")
    .selectAll()
    .select(sortName.as("sort_name"))
    .where("organization_id", "=", organizationId)
    .orderBy(sortName)
    .limit(page.limit + 1);
  if (page.query) query = query.where("name", "ilike", containsPattern(page.query));
  if (page.afterName !== undefined) query = query.where(sortName, ">", page.afterName);
  return await query.execute();
}

export async function findChannel(db: Db, organizationId: string, channelId: string): Promise<ChannelRow | undefined> {
  return await db
    .selectFrom("alert_channels")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", channelId)
    .executeTakeFirst();
}

/** The organization's channels among these ids. */
export async function findChannels(db: Db, organizationId: string, channelIds: string[]): Promise<ChannelRow[]> {
  if (channelIds.length === 0) return [];
  return await db
    .selectFrom("alert_channels")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "in", channelIds)
    .execute();
}

/** @throws the database's unique violation when the name is taken */
export async function insertChannel(db: Db, row: ChannelRow): Promise<void> {
  await db
    .insertInto("alert_channels")
    .values({ ...row, settings: json(row.settings) })
    .execute();
}

/** Overwrites the row and increments its version; undefined when it is missing or has none of the versions. */
export async function updateChannel(
  db: Db,
  { organization_id, id, ...changes }: Pick<ChannelRow, "organization_id" | "id"> & Partial<ChannelRow>,
  versions: number[] | undefined,
): Promise<ChannelRow | undefined> {
  let update = db
    .updateTable("alert_channels")
    .set((row) => ({
      ...changes,
      ...(changes.settings ? { settings: json(changes.settings) } : {}),
      version: row("version", "+", 1),
    }))
    .where("organization_id", "=", organization_id)
    .where("id", "=", id);
  if (versions) update = update.where(sql<SqlBool>`version = any(${versions}::int[])`);
  return await update.returningAll().executeTakeFirst();
}

/**
 * Also removes it from rules.
 * @returns the deleted row
 */
export async function removeChannel(
  transaction: AnalyzerTransaction,
  organizationId: string,
  channelId: string,
  versions: number[] | undefined,
): Promise<ChannelRow | undefined> {
  let removal = transaction
    .deleteFrom("alert_channels")
    .where("organization_id", "=", organizationId)
    .where("id", "=", channelId);
  if (versions) removal = removal.where(sql<SqlBool>`version = any(${versions}::int[])`);
  const removed = await removal.returningAll().executeTakeFirst();
  if (!removed) return undefined;
  await sql`
    update ${table("alert_rules")} set channel_ids = array_remove(channel_ids, ${channelId}::uuid)
    where organization_id = ${organizationId}::uuid and channel_ids @> array[${channelId}::uuid]`.execute(transaction);
  return removed;
}
