import { type Selectable, sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { type AnalyzerTables, type AnalyzerTransaction, table } from "./tables.ts";

type Db = Executor<AnalyzerTables>;
export type AddressRow = Selectable<AnalyzerTables["alert_addresses"]>;

export async function findAddresses(db: Db, organizationId: string, keys: string[]): Promise<AddressRow[]> {
  if (keys.length === 0) return [];
  return await db
    .selectFrom("alert_addresses")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("address_key", "in", keys)
    .execute();
}

export async function findAddressOfLink(db: Db, tokenHash: string): Promise<AddressRow | undefined> {
  return await db.selectFrom("alert_addresses").selectAll().where("token_hash", "=", tokenHash).executeTakeFirst();
}

/** Number of addresses that were sent a link since then. */
export async function countMailedLinks(db: Db, organizationId: string, since: Date): Promise<number> {
  const counted = await db
    .selectFrom("alert_addresses")
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("mailed_at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(counted.count);
}

/** A new link replaces the previous one; a confirmed address does not change. */
export async function insertLinks(transaction: AnalyzerTransaction, rows: AddressRow[]): Promise<void> {
  if (rows.length === 0) return;
  await transaction
    .insertInto("alert_addresses")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["organization_id", "address_key"])
        .doUpdateSet((row) => ({
          token_hash: row.ref("excluded.token_hash"),
          link_expires_at: row.ref("excluded.link_expires_at"),
          mailed_at: row.ref("excluded.mailed_at"),
        }))
        .where("alert_addresses.confirmed_at", "is", null),
    )
    .execute();
}

/** @returns whether this call confirmed it */
export async function confirmAddress(
  transaction: AnalyzerTransaction,
  { organization_id, address_key }: Pick<AddressRow, "organization_id" | "address_key">,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("alert_addresses")
    .set({ confirmed_at: now })
    .where("organization_id", "=", organization_id)
    .where("address_key", "=", address_key)
    .where("confirmed_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes addresses that no channel has any more, with their confirmations. */
export async function forgetAddresses(transaction: AnalyzerTransaction, organizationId: string): Promise<void> {
  await sql`
    delete from ${table("alert_addresses")} known where organization_id = ${organizationId}::uuid
      and not exists (
        select from ${table("alert_channels")} channel, unnest(channel.addresses) as address
        where channel.organization_id = known.organization_id and lower(address) = known.address_key)`.execute(
    transaction,
  );
}
