import type { Executor } from "../../kit/database/database.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;

export async function isKnownAddress(db: Db, key: string, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom("known_places")
    .select("key")
    .where("key", "=", key)
    .where("last_used_at", ">", since)
    .executeTakeFirst();
  return row !== undefined;
}

export async function rememberAddress(db: Db, key: string, now: Date): Promise<void> {
  await db
    .insertInto("known_places")
    .values({ key, last_used_at: now })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ last_used_at: now }))
    .execute();
}

export async function purgeKnownAddresses(db: Db, before: Date): Promise<void> {
  await db.deleteFrom("known_places").where("last_used_at", "<", before).execute();
}
