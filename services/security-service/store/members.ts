import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { findInOrder, wantedTerms } from "../../kit/database/word-search.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;

/** A user as a member of one organization. */
export interface Member {
  userId: string;
  username: string;
  usernameKey: string;
  fullName: string;
  /** Null: the browser's. */
  timeZone: string | null;
  email: string;
  roles: string[];
  disabledAt: Date | null;
  hasSecondFactor: boolean;
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
      "users.time_zone as timeZone",
      "memberships.roles",
      "users.disabled_at as disabledAt",
      "users.created_at as createdAt",
    ])
    .select(({ exists, or, selectFrom }) =>
      or([
        exists(
          selectFrom("second_factors")
            .select("second_factors.user_id")
            .whereRef("second_factors.user_id", "=", "users.id")
            .where("confirmed_at", "is not", null),
        ),
        exists(selectFrom("passkeys").select("passkeys.user_id").whereRef("passkeys.user_id", "=", "users.id")),
      ])
        .$castTo<boolean>()
        .as("hasSecondFactor"),
    );
}

export interface MemberPage {
  limit: number;
  afterKey?: string | undefined;
  /** Word prefixes in username, name and address. */
  query?: string | undefined;
  role?: string | undefined;
  state?: "enabled" | "disabled" | undefined;
}

/** By username; reads one row beyond the page. */
export async function listMembers(db: Db, organizationId: string, page: MemberPage): Promise<Member[]> {
  const { afterKey, query, role, state } = page;
  const limit = page.limit + 1;
  const terms = wantedTerms(organizationId, { query, labels: [role ? [role] : [], state ? [state] : []] });
  if (terms === "nothing") return [];
  let members = selectMembers(db, organizationId).orderBy("memberships.username_key").limit(limit);
  if (terms) {
    const table = { table: "memberships", id: "user_id", key: "username_key", direction: "asc" } as const;
    const ids = await findInOrder(db, { ...table, organizationId, after: afterKey, limit, terms });
    if (ids.length === 0) return [];
    members = members.where("memberships.user_id", "in", ids);
  } else if (afterKey !== undefined) {
    members = members.where("memberships.username_key", ">", afterKey);
  }
  return await members.execute();
}

export async function findMember(db: Db, organizationId: string, userId: string): Promise<Member | undefined> {
  return await selectMembers(db, organizationId).where("memberships.user_id", "=", userId).executeTakeFirst();
}

/** Whether a user other than this one may sign in and administrate. */
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

/** Email addresses of administrators who may sign in, oldest accounts first. */
export async function listAdministratorAddresses(db: Db, organizationId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("users.email")
    .where("memberships.organization_id", "=", organizationId)
    .where("users.disabled_at", "is", null)
    .where("users.email", "<>", "")
    .where(sql<boolean>`'ADMIN' = any(memberships.roles)`)
    .orderBy("users.id")
    .limit(limit)
    .execute();
  return rows.map(({ email }) => email);
}

/** Members who may sign in, plus open invitations. */
export async function countOccupied(
  db: Db,
  organizationId: string,
  now: Date,
): Promise<{ members: number; invited: number }> {
  const { members } = await db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(({ fn }) => fn.countAll<number>().as("members"))
    .where("memberships.organization_id", "=", organizationId)
    .where("users.disabled_at", "is", null)
    .executeTakeFirstOrThrow();
  const { invited } = await db
    .selectFrom("invitations")
    .select(({ fn }) => fn.countAll<number>().as("invited"))
    .where("organization_id", "=", organizationId)
    .where("status", "in", ["PENDING", "SENT"])
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  return { members, invited };
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
