import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { containsPattern } from "../../kit/database/keyset.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;

/** A user as a member of one organization. */
export interface Member {
  userId: string;
  username: string;
  usernameKey: string;
  fullName: string;
  email: string;
  roles: string[];
  disabledAt: Date | null;
  createdAt: Date;
}

function selectMembers(db: Db, organizationId: string) {
  return db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .where("memberships.organization_id", "=", organizationId)
    .select([
      "users.id as userId",
      "users.username",
      "memberships.username_key as usernameKey",
      "users.full_name as fullName",
      "users.email",
      "memberships.roles",
      "users.disabled_at as disabledAt",
      "users.created_at as createdAt",
    ]);
}

/** By username; reads one row beyond the page. Words are looked for along the whole list: no index finds them. */
export async function listMembers(
  db: Db,
  organizationId: string,
  page: { limit: number; afterKey?: string; query?: string },
): Promise<Member[]> {
  let query = selectMembers(db, organizationId)
    .orderBy("memberships.username_key")
    .limit(page.limit + 1);
  if (page.afterKey !== undefined) query = query.where("memberships.username_key", ">", page.afterKey);
  if (page.query) {
    const pattern = containsPattern(page.query);
    query = query.where(({ or, eb }) =>
      or([
        eb("users.username", "ilike", pattern),
        eb("users.full_name", "ilike", pattern),
        eb("users.email", "ilike", pattern),
      ]),
    );
  }
  return await query.execute();
}

export async function findMember(db: Db, organizationId: string, userId: string): Promise<Member | undefined> {
  return await selectMembers(db, organizationId).where("memberships.user_id", "=", userId).executeTakeFirst();
}

/** Whether somebody other than this user may sign in and administrate. */
export async function hasOtherAdministrator(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("users.id")
    .where("memberships.organization_id", "=", organizationId)
    .where("users.id", "<>", userId)
    .where("users.disabled_at", "is", null)
    .where(sql<boolean>`'ADMIN' = any(memberships.roles)`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export interface MemberDetails {
  fullName: string;
  email: string;
  emailKey: string;
  disabledAt: Date | null;
}

/** Throws the unique violation `users_email` when another account has the address. */
export async function updateMember(
  db: Db,
  organizationId: string,
  userId: string,
  { fullName, email, emailKey, disabledAt }: MemberDetails,
): Promise<void> {
  await db
    .updateTable("users")
    .set({ full_name: fullName, email, email_key: emailKey, disabled_at: disabledAt })
    .where("id", "=", userId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("memberships")
          .select("user_id")
          .where("user_id", "=", userId)
          .where("organization_id", "=", organizationId),
      ),
    )
    .execute();
}

export async function updateRoles(db: Db, organizationId: string, userId: string, roles: string[]): Promise<void> {
  await db
    .updateTable("memberships")
    .set({ roles })
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
}
