import type { Scope } from "#contracts/kit/endpoint.ts";
import type { Executor } from "../../kit/database/database.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;
export type ApiTokenRow = SecurityTables["api_tokens"];

export interface TokenOwner {
  userId: string;
  organizationId: string;
}

export interface NewApiTokenRow extends TokenOwner {
  id: string;
  name: string;
  hash: string;
  ending: string;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date;
}

export async function insertApiToken(db: Db, token: NewApiTokenRow): Promise<ApiTokenRow> {
  return await db
    .insertInto("api_tokens")
    .values({
      id: token.id,
      user_id: token.userId,
      organization_id: token.organizationId,
      name: token.name,
      token_hash: token.hash,
      ending: token.ending,
      scopes: token.scopes,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
      last_used_at: null,
      ended_at: null,
      ended_because: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

function selectOwn(db: Db, { userId, organizationId }: TokenOwner) {
  return db
    .selectFrom("api_tokens")
    .where("user_id", "=", userId)
    .where("organization_id", "=", organizationId)
    .where("ended_at", "is", null);
}

/** Newest first (ids are in order of time). Reads one row beyond the page. */
export async function listOwnApiTokens(
  db: Db,
  owner: TokenOwner,
  page: { limit: number; beforeId?: string | undefined },
): Promise<ApiTokenRow[]> {
  let query = selectOwn(db, owner)
    .selectAll()
    .orderBy("id", "desc")
    .limit(page.limit + 1);
  if (page.beforeId) query = query.where("id", "<", page.beforeId);
  return await query.execute();
}

export async function countOwnApiTokens(db: Db, owner: TokenOwner, now: Date): Promise<number> {
  const { count } = await selectOwn(db, owner)
    .where("expires_at", ">", now)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** @returns the token before the change; undefined when the user has no such live token */
export async function endOwnApiToken(
  db: Db,
  owner: TokenOwner,
  tokenId: string,
  now: Date,
): Promise<ApiTokenRow | undefined> {
  return await db
    .updateTable("api_tokens")
    .set({ ended_at: now, ended_because: "revoked" })
    .where("id", "=", tokenId)
    .where("user_id", "=", owner.userId)
    .where("organization_id", "=", owner.organizationId)
    .where("ended_at", "is", null)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Records the use.
 * @returns undefined for a token that is unknown, ended or expired
 */
export async function noteApiTokenUse(db: Db, hash: string, now: Date): Promise<ApiTokenRow | undefined> {
  return await db
    .updateTable("api_tokens")
    .set({ last_used_at: now })
    .where("token_hash", "=", hash)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes tokens that expired before this moment, including those that ended otherwise. */
export async function purgeApiTokens(db: Db, expiredBefore: Date): Promise<void> {
  await db.deleteFrom("api_tokens").where("expires_at", "<", expiredBefore).execute();
}
