import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;
export type PasskeyRow = SecurityTables["passkeys"];

/** Oldest first: ids are in order of time. */
export async function listPasskeys(db: Db, userId: string): Promise<PasskeyRow[]> {
  return await db.selectFrom("passkeys").selectAll().where("user_id", "=", userId).orderBy("id").execute();
}

export async function countPasskeys(db: Db, userId: string): Promise<number> {
  return (await listPasskeys(db, userId)).length;
}

export async function findPasskey(db: Db, userId: string, id: string): Promise<PasskeyRow | undefined> {
  return await db
    .selectFrom("passkeys")
    .selectAll()
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function findPasskeyOfCredential(
  db: Db,
  userId: string,
  credentialId: string,
): Promise<PasskeyRow | undefined> {
  return await db
    .selectFrom("passkeys")
    .selectAll()
    .where("user_id", "=", userId)
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
}

/** @returns false when it is registered already */
export async function insertPasskey(db: Db, passkey: PasskeyRow): Promise<boolean> {
  const stored = await db
    .insertInto("passkeys")
    .values(passkey)
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return stored !== undefined;
}

export async function renamePasskey(db: Db, userId: string, id: string, name: string): Promise<void> {
  await db.updateTable("passkeys").set({ name }).where("user_id", "=", userId).where("id", "=", id).execute();
}

export async function deletePasskey(db: Db, userId: string, id: string): Promise<void> {
  await db.deleteFrom("passkeys").where("user_id", "=", userId).where("id", "=", id).execute();
}

export async function deletePasskeys(db: Db, userId: string): Promise<void> {
  await db.deleteFrom("passkeys").where("user_id", "=", userId).execute();
}

/**
 * Records a use, in one statement: of two with the same count, one is accepted.
 * @returns false when the count has not grown, for example because the key was copied; many authenticators never count
 */
export async function countUse(db: Db, id: string, signCount: number, now: Date): Promise<boolean> {
  const result = await db
    .updateTable("passkeys")
    .set({ sign_count: signCount, last_used_at: now })
    .where("id", "=", id)
    .where(sql<boolean>`(sign_count < ${signCount} or (sign_count = 0 and ${signCount} = 0))`)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

interface PasskeyChallenge {
  hash: string;
  userId: string;
  /** Null: a passkey is to be added. */
  signInHash: string | null;
  expiresAt: Date;
}

/** Only the newest challenge is valid. */
export async function replacePasskeyChallenge(
  db: Db,
  { hash, userId, signInHash, expiresAt }: PasskeyChallenge,
): Promise<void> {
  await db
    .deleteFrom("passkey_challenges")
    .where("user_id", "=", userId)
    .where("sign_in_hash", signInHash === null ? "is" : "=", signInHash)
    .execute();
  await db
    .insertInto("passkey_challenges")
    .values({ hash, user_id: userId, sign_in_hash: signInHash, expires_at: expiresAt })
    .execute();
}

/** @returns whether it was valid; a valid one is consumed */
export async function spendPasskeyChallenge(
  db: Db,
  { hash, userId, signInHash }: Omit<PasskeyChallenge, "expiresAt">,
  now: Date,
): Promise<boolean> {
  const result = await db
    .deleteFrom("passkey_challenges")
    .where("hash", "=", hash)
    .where("user_id", "=", userId)
    .where("sign_in_hash", signInHash === null ? "is" : "=", signInHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Invalidates earlier challenges. */
export async function endPasskeyChallengesOfUser(db: Db, userId: string): Promise<void> {
  await db.deleteFrom("passkey_challenges").where("user_id", "=", userId).execute();
}

export async function purgePasskeyChallenges(db: Db, expiredBefore: Date): Promise<void> {
  await db.deleteFrom("passkey_challenges").where("expires_at", "<", expiredBefore).execute();
}
