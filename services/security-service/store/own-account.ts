import type { Executor } from "../../kit/database/database.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;

/**
 * Undefined fields stay unchanged, even under a concurrent change.
 * @returns false when the account was deleted or disabled
 */
export async function setOwnDetails(
  db: Db,
  userId: string,
  { fullName, timeZone }: { fullName?: string | undefined; timeZone?: string | null | undefined },
): Promise<boolean> {
  const result = await db
    .updateTable("users")
    // Kysely omits undefined fields, and an update needs at least one.
    .set({ id: userId, full_name: fullName, time_zone: timeZone })
    .where("id", "=", userId)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Throws the unique violation `users_email` when another account has the address.
 * @returns false when the account was deleted or disabled
 */
export async function setOwnEmail(
  db: Db,
  userId: string,
  { email, emailKey }: { email: string; emailKey: string },
): Promise<boolean> {
  const result = await db
    .updateTable("users")
    .set({ email, email_key: emailKey })
    .where("id", "=", userId)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
