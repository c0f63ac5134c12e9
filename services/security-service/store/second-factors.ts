import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { countPasskeys, endPasskeyChallengesOfUser } from "./passkeys.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;
export type SecondFactorRow = SecurityTables["second_factors"];

export async function findSecondFactor(db: Db, userId: string): Promise<SecondFactorRow | undefined> {
  return await db.selectFrom("second_factors").selectAll().where("user_id", "=", userId).executeTakeFirst();
}

/**
 * Stores an unconfirmed secret.
 * @returns false when a confirmed one exists
 */
export async function beginFactor(
  db: Db,
  { userId, sealedSecret, now }: { userId: string; sealedSecret: string; now: Date },
): Promise<boolean> {
  const fresh = { sealed_secret: sealedSecret, created_at: now, confirmed_at: null, last_step: null };
  const stored = await db
    .insertInto("second_factors")
    .values({ user_id: userId, ...fresh })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet(fresh).where("second_factors.confirmed_at", "is", null),
    )
    .returning("user_id")
    .executeTakeFirst();
  return stored !== undefined;
}

/**
 * Consumes the code of a time step, in one statement: of any number of requests with one code, one is accepted, and no
 * earlier step after it.
 */
export async function spendStep(db: Db, userId: string, step: number): Promise<boolean> {
  const result = await db
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where(sql<boolean>`coalesce(last_step, -1) < ${step}`)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** @returns false when it was confirmed already or no longer exists */
export async function confirmFactor(db: Db, userId: string, now: Date): Promise<boolean> {
  const result = await db
    .updateTable("second_factors")
    .set({ confirmed_at: now })
    .where("user_id", "=", userId)
    .where("confirmed_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Removes the app. */
export async function deleteFactor(db: Db, userId: string): Promise<void> {
  await db.deleteFrom("second_factors").where("user_id", "=", userId).execute();
  await deleteCodesWithoutFactor(db, userId);
}

/** Whether sign-in takes a second factor: the app's code or a passkey. */
export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  return Boolean((await findSecondFactor(db, userId))?.confirmed_at) || (await countPasskeys(db, userId)) > 0;
}

/** Recovery codes substitute for a second factor, and are deleted with the last one. */
export async function deleteCodesWithoutFactor(db: Db, userId: string): Promise<void> {
  if (await hasSecondFactor(db, userId)) return;
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
}

export async function replaceRecoveryCodes(db: Db, userId: string, hashes: string[]): Promise<void> {
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await db
    .insertInto("recovery_codes")
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute();
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom("recovery_codes")
    .where("user_id", "=", userId)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** @returns whether it was valid; a valid one is consumed */
export async function spendRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const result = await db
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export interface Challenge {
  hash: string;
  userId: string;
  userAgent: string;
  expiresAt: Date;
  /** When they signed in at their organization's provider; null: with a password. */
  signedOnAt: Date | null;
}

export async function insertChallenge(db: Db, challenge: Challenge): Promise<void> {
  const { hash, userId, userAgent, expiresAt, signedOnAt } = challenge;
  await db
    .insertInto("sign_in_challenges")
    .values({ hash, user_id: userId, user_agent: userAgent, expires_at: expiresAt, signed_on_at: signedOnAt })
    .execute();
}

export async function findChallenge(db: Db, hash: string, now: Date): Promise<Challenge | undefined> {
  const row = await db
    .selectFrom("sign_in_challenges")
    .selectAll()
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (!row) return undefined;
  const { user_id: userId, user_agent: userAgent, expires_at: expiresAt, signed_on_at: signedOnAt } = row;
  return { hash, userId, userAgent, expiresAt, signedOnAt };
}

/** @returns false when another request did */
export async function spendChallenge(db: Db, hash: string): Promise<boolean> {
  const result = await db.deleteFrom("sign_in_challenges").where("hash", "=", hash).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** A new password invalidates sign-ins begun with the old one. */
export async function endChallengesOfUser(db: Db, userId: string): Promise<void> {
  await db.deleteFrom("sign_in_challenges").where("user_id", "=", userId).execute();
  await endPasskeyChallengesOfUser(db, userId);
}

export async function purgeChallenges(db: Db, expiredBefore: Date): Promise<void> {
  await db.deleteFrom("sign_in_challenges").where("expires_at", "<", expiredBefore).execute();
}
