import { type Selectable, sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { lacksSecondFactor } from "./effective-roles.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;

export interface Account {
  userId: string;
  username: string;
  fullName: string;
  email: string;
  disabled: boolean;
  /** Empty when there is no password. */
  passwordHash: string;
  /** Null: the browser's. */
  timeZone: string | null;
}

export interface Membership {
  organizationId: string;
  /** Effective roles: none while a required second factor is missing. */
  roles: string[];
  needsSecondFactor: boolean;
}

const accountColumns = ["id", "username", "full_name", "email", "disabled_at", "password_hash", "time_zone"] as const;

function getAccount(row: Pick<Selectable<SecurityTables["users"]>, (typeof accountColumns)[number]>): Account {
  return {
    userId: row.id,
    username: row.username,
    fullName: row.full_name,
    email: row.email,
    disabled: row.disabled_at !== null,
    passwordHash: row.password_hash,
    timeZone: row.time_zone,
  };
}

export async function findAccountByUsername(db: Db, usernameKey: string): Promise<Account | undefined> {
  const row = await db
    .selectFrom("users")
    .select(accountColumns)
    .where("username_key", "=", usernameKey)
    .executeTakeFirst();
  return row && getAccount(row);
}

/**
 * The account for a name submitted at sign-in: matched by username, else by email address. One statement for all names,
 * so that its time reveals nothing.
 */
export async function findAccountByName(
  db: Db,
  name: { usernameKey: string; emailKey: string },
): Promise<Account | undefined> {
  const row = await db
    .selectFrom("users")
    .select(accountColumns)
    .where(({ or, and, eb }) =>
      // Matches the index, which excludes the empty address: many may have none.
      or([
        eb("username_key", "=", name.usernameKey),
        and([eb("email_key", "=", name.emailKey), sql<boolean>`email_key <> ''`]),
      ]),
    )
    .orderBy(sql`username_key = ${name.usernameKey}`, "desc")
    .limit(1)
    .executeTakeFirst();
  return row && getAccount(row);
}

/** @param emailKey from `emailKey`; the empty one matches no account */
export async function findAccountByEmail(db: Db, emailKey: string): Promise<Account | undefined> {
  const row = await db
    .selectFrom("users")
    .select(accountColumns)
    .where("email_key", "=", emailKey)
    // Matches the index: many may have no address.
    .where(sql<boolean>`email_key <> ''`)
    .executeTakeFirst();
  return row && getAccount(row);
}

export async function findAccount(db: Db, userId: string): Promise<Account | undefined> {
  const row = await db.selectFrom("users").select(accountColumns).where("id", "=", userId).executeTakeFirst();
  return row && getAccount(row);
}

/** Serializes changes of one account until the commit. */
export async function lockUser(transaction: Db, userId: string): Promise<void> {
  await transaction.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
}

/**
 * The organization a user works in: the given one, or the one joined first.
 * @param session whether its provider asked for a second factor
 */
export async function findMembership(
  db: Db,
  userId: string,
  organizationId?: string,
  session?: { factorAtProvider: boolean },
): Promise<Membership | undefined> {
  let query = db
    .selectFrom("memberships")
    .select(["organization_id", "roles"])
    .select(lacksSecondFactor("memberships.user_id", "memberships.organization_id").as("needsSecondFactor"))
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .limit(1);
  if (organizationId) query = query.where("organization_id", "=", organizationId);
  const row = await query.executeTakeFirst();
  if (!row) return undefined;
  const { roles } = row;
  const needsSecondFactor = row.needsSecondFactor && !session?.factorAtProvider;
  return { organizationId: row.organization_id, roles: needsSecondFactor ? [] : roles, needsSecondFactor };
}

export async function hasAnyUser(db: Db): Promise<boolean> {
  return (await db.selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Makes every other first start wait until the end of this transaction. The number identifies the lock and is random.
 */
export async function lockFirstStart(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(7214306951)`.execute(db);
}

/** @returns false when the account was deleted or disabled */
export async function setPasswordHash(db: Db, userId: string, passwordHash: string): Promise<boolean> {
  const result = await db
    .updateTable("users")
    .set({ password_hash: passwordHash })
    .where("id", "=", userId)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
