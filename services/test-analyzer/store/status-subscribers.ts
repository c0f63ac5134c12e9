import type { Selectable } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { StatusPageRow } from "./status-pages.ts";
import type { AnalyzerTables } from "./tables.ts";

type Db = Executor<AnalyzerTables>;
export type SubscriberRow = Selectable<AnalyzerTables["status_subscribers"]>;
type PageKey = Pick<StatusPageRow, "organization_id" | "test_circle_id">;

function selectOf(db: Db, page: PageKey) {
  return db
    .selectFrom("status_subscribers")
    .selectAll()
    .where("organization_id", "=", page.organization_id)
    .where("page_circle_id", "=", page.test_circle_id);
}

export async function findSubscriber(db: Db, page: PageKey, addressKey: string): Promise<SubscriberRow | undefined> {
  return await selectOf(db, page).where("address_key", "=", addressKey).executeTakeFirst();
}

/** For any organization: the emailed token is the only key. */
export async function findSubscriberOfLink(db: Db, tokenHash: string): Promise<SubscriberRow | undefined> {
  return await db.selectFrom("status_subscribers").selectAll().where("token_hash", "=", tokenHash).executeTakeFirst();
}

/** All confirmed ones, or a page of them (one more than the limit), newest first. */
export async function listSubscribers(
  db: Db,
  page: PageKey,
  part?: { before: string | undefined; limit: number },
): Promise<SubscriberRow[]> {
  return await selectOf(db, page)
    .where("confirmed_at", "is not", null)
    .$if(part?.before !== undefined, (query) => query.where("id", "<", part!.before!))
    .orderBy("id", "desc")
    .$if(part !== undefined, (query) => query.limit(part!.limit + 1))
    .execute();
}

async function count(db: Db, page: PageKey, of: { confirmed: true } | { mailedSince: Date }): Promise<number> {
  const counted = await db
    .selectFrom("status_subscribers")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("organization_id", "=", page.organization_id)
    .where("page_circle_id", "=", page.test_circle_id)
    .$if("confirmed" in of, (query) => query.where("confirmed_at", "is not", null))
    .$if("mailedSince" in of, (query) => query.where("mailed_at", ">", (of as { mailedSince: Date }).mailedSince))
    .executeTakeFirstOrThrow();
  return Number(counted.count);
}

export const countSubscribers = (db: Db, page: PageKey) => count(db, page, { confirmed: true });
/** Addresses that were sent a link since then. */
export const countMailedLinks = (db: Db, page: PageKey, since: Date) => count(db, page, { mailedSince: since });

/** A new link of an address that has not confirmed replaces the previous one. */
export async function insertSubscriber(db: Db, row: SubscriberRow): Promise<void> {
  await db
    .insertInto("status_subscribers")
    .values(row)
    .onConflict((conflict) =>
      conflict.constraint("status_subscribers_address").doUpdateSet((of) => ({
        id: of.ref("excluded.id"),
        token_hash: of.ref("excluded.token_hash"),
        sealed_token: of.ref("excluded.sealed_token"),
        link_expires_at: of.ref("excluded.link_expires_at"),
        mailed_at: of.ref("excluded.mailed_at"),
      })),
    )
    .execute();
}

export async function updateSubscriber(
  db: Db,
  { organization_id, id }: Pick<SubscriberRow, "organization_id" | "id">,
  changes: Partial<Pick<SubscriberRow, "confirmed_at" | "mailed_at">>,
): Promise<void> {
  await db
    .updateTable("status_subscribers")
    .set(changes)
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .execute();
}

/** @returns whether there was one */
export async function deleteSubscriber(db: Db, page: PageKey, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("status_subscribers")
    .where("organization_id", "=", page.organization_id)
    .where("page_circle_id", "=", page.test_circle_id)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Deletes addresses that did not confirm in time.
 * @returns the number of deleted rows
 */
export async function deleteUnconfirmedBefore(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("status_subscribers")
    .where("id", "in", (select) =>
      select
        .selectFrom("status_subscribers")
        .select("id")
        .where("confirmed_at", "is", null)
        .where("link_expires_at", "<", before)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
