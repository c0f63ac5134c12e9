import type { Executor } from "../../kit/database/database.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;

/** @returns false when it was spent already; of several at the same moment one is the first */
export async function spendHumanCheck(db: Db, signature: string, expiresAt: Date): Promise<boolean> {
  const result = await db
    .insertInto("spent_human_checks")
    .values({ signature, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Deletes those that are too old to be accepted, spent or not. */
export async function purgeSpentHumanChecks(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("spent_human_checks").where("expires_at", "<", now).execute();
}
