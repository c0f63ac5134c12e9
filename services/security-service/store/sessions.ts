import type { Selectable } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { judgeRefresh } from "../domain/refresh.ts";
import type { RefreshTokens } from "../secrets/refresh-token.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;
type SessionRow = Selectable<SecurityTables["sessions"]>;

export interface NewSession {
  id: string;
  userId: string;
  organizationId: string;
  userAgent: string;
  createdAt: Date;
  expiresAt: Date;
  refreshTokenHash: string;
  factorAtProvider: boolean;
  /** When its owner signed in at their organization's provider; null: with a password. */
  signedOnAt: Date | null;
}

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db
    .insertInto("sessions")
    .values({
      id: session.id,
      user_id: session.userId,
      organization_id: session.organizationId,
      user_agent: session.userAgent,
      created_at: session.createdAt,
      last_used_at: session.createdAt,
      expires_at: session.expiresAt,
      factor_at_provider: session.factorAtProvider,
      signed_on_at: session.signedOnAt,
      ended_at: null,
      ended_because: null,
    })
    .execute();
  await insertRefreshToken(db, session.refreshTokenHash, session.id, session.createdAt);
}

async function insertRefreshToken(db: Db, hash: string, sessionId: string, createdAt: Date): Promise<void> {
  await db
    .insertInto("refresh_tokens")
    .values({ hash, session_id: sessionId, created_at: createdAt, used_at: null })
    .execute();
}

export type Rotation =
  | { outcome: "rotated"; session: SessionRow; token: string }
  /** Unknown, expired or already ended. */
  | { outcome: "refused" }
  /** A spent token was presented: this call has ended its whole family. */
  | { outcome: "reused"; session: SessionRow };

/**
 * Consumes a refresh token and stores its successor. Runs in a transaction: the update of the session's row serializes
 * the parallel refreshes of one browser, in any process.
 */
export async function rotateRefreshToken(
  transaction: Db,
  tokens: RefreshTokens,
  used: { token: string; graceMilliseconds: number },
  now: Date,
): Promise<Rotation> {
  const usedHash = tokens.hash(used.token);
  const session = await transaction
    .updateTable("sessions")
    .set({ last_used_at: now })
    .where("id", "=", (select) => select.selectFrom("refresh_tokens").select("session_id").where("hash", "=", usedHash))
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
  if (!session) return { outcome: "refused" };

  const verdict = judgeRefresh((await findRefreshToken(transaction, usedHash))!.used_at, now, used.graceMilliseconds);
  if (verdict === "reuse") {
    await endSession(transaction, session.id, "token_reused", now);
    return { outcome: "reused", session };
  }
  if (verdict === "rotate") {
    await transaction.updateTable("refresh_tokens").set({ used_at: now }).where("hash", "=", usedHash).execute();
  }
  // Skips successors that were spent meanwhile: the family has a single chain of tokens, and every request gets its
  // end.
  let token = tokens.getSuccessor(used.token);
  let known = await findRefreshToken(transaction, tokens.hash(token));
  while (known?.used_at) {
    token = tokens.getSuccessor(token);
    known = await findRefreshToken(transaction, tokens.hash(token));
  }
  if (!known) await insertRefreshToken(transaction, tokens.hash(token), session.id, now);
  return { outcome: "rotated", session, token };
}

/** The live session of a refresh token, spent or not. */
export async function findSessionOfToken(db: Db, tokenHash: string, now: Date): Promise<SessionRow | undefined> {
  return await db
    .selectFrom("sessions")
    .selectAll()
    .where("id", "=", (select) =>
      select.selectFrom("refresh_tokens").select("session_id").where("hash", "=", tokenHash),
    )
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

async function findRefreshToken(db: Db, hash: string) {
  return await db.selectFrom("refresh_tokens").select("used_at").where("hash", "=", hash).executeTakeFirst();
}

export async function endSession(
  db: Db,
  sessionId: string,
  because: NonNullable<SessionRow["ended_because"]>,
  now: Date,
): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ ended_at: now, ended_because: because })
    .where("id", "=", sessionId)
    .where("ended_at", "is", null)
    .execute();
}

/**
 * When the owner of a live session last signed in at their organization's provider; null: never, it began with a
 * password.
 */
export async function findSignedOnAt(db: Db, sessionId: string): Promise<Date | null> {
  const row = await db
    .selectFrom("sessions")
    .select("signed_on_at")
    .where("id", "=", sessionId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return row?.signed_on_at ?? null;
}

/**
 * Records a repeated sign-in at the organization's provider.
 * @returns false when the user has no such session there
 */
export async function confirmSession(
  db: Db,
  { id, userId, organizationId }: { id: string; userId: string; organizationId: string },
  signedOnAt: Date,
): Promise<boolean> {
  const result = await db
    .updateTable("sessions")
    .set({ signed_on_at: signedOnAt })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("organization_id", "=", organizationId)
    .where("signed_on_at", "is not", null)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends every live session of a user, in any organization. */
export async function endSessionsOfUser(
  db: Db,
  userId: string,
  because: NonNullable<SessionRow["ended_because"]>,
  now: Date,
): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ ended_at: now, ended_because: because })
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .execute();
}

/** Ends every live session of a user but one. */
export async function endOtherSessionsOfUser(
  db: Db,
  userId: string,
  exceptSessionId: string | undefined,
  because: NonNullable<SessionRow["ended_because"]>,
  now: Date,
): Promise<void> {
  let query = db
    .updateTable("sessions")
    .set({ ended_at: now, ended_because: because })
    .where("user_id", "=", userId)
    .where("ended_at", "is", null);
  if (exceptSessionId) query = query.where("id", "<>", exceptSessionId);
  await query.execute();
}

/** Ends the session of a refresh token, spent or not. */
export async function endSessionOfToken(db: Db, tokenHash: string, now: Date): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ ended_at: now, ended_because: "logout" })
    .where("id", "=", (select) =>
      select.selectFrom("refresh_tokens").select("session_id").where("hash", "=", tokenHash),
    )
    .where("ended_at", "is", null)
    .execute();
}

/** @returns false when the user has no such live session */
export async function endOwnSession(
  db: Db,
  owner: { userId: string; organizationId: string },
  sessionId: string,
  now: Date,
): Promise<boolean> {
  const result = await db
    .updateTable("sessions")
    .set({ ended_at: now, ended_because: "ended_by_user" })
    .where("id", "=", sessionId)
    .where("user_id", "=", owner.userId)
    .where("organization_id", "=", owner.organizationId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Live sessions of a user in one organization, newest first (ids are in order of time). Reads one row beyond the page.
 */
export async function listLivingSessions(
  db: Db,
  owner: { userId: string; organizationId: string },
  page: { limit: number; beforeId?: string },
  now: Date,
): Promise<SessionRow[]> {
  let query = db
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", owner.userId)
    .where("organization_id", "=", owner.organizationId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .orderBy("id", "desc")
    .limit(page.limit + 1);
  if (page.beforeId) query = query.where("id", "<", page.beforeId);
  return await query.execute();
}

/** Deletes families that can no longer be refreshed, with their tokens. */
export async function purgeSessions(db: Db, expiredBefore: Date): Promise<void> {
  await db.deleteFrom("sessions").where("expires_at", "<", expiredBefore).execute();
}
