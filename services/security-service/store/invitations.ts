import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { containsPattern } from "../../kit/database/keyset.ts";
import { type InvitationStatus, openStatuses, type RecentInvitation } from "../domain/invitation.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;
export type InvitationRow = SecurityTables["invitations"];
/** With the names that are shown beside it. */
export type ShownInvitation = InvitationRow & { inviter_name: string; organization_name: string };

/** Which of these addresses members of the organization have. */
export async function listMemberEmails(db: Db, organizationId: string, emailKeys: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("users")
    .innerJoin("memberships", "memberships.user_id", "users.id")
    .select("users.email_key")
    .where("memberships.organization_id", "=", organizationId)
    .where("users.email_key", "in", emailKeys)
    .execute();
  return new Set(rows.map((row) => row.email_key));
}

/** The newest first. */
export async function listRecentInvitations(
  db: Db,
  organizationId: string,
  limit: number,
): Promise<RecentInvitation[]> {
  const rows = await db
    .selectFrom("invitations")
    .select(["email_key", "created_at"])
    .where("organization_id", "=", organizationId)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ emailKey: row.email_key, createdAt: row.created_at }));
}

export async function insertInvitations(transaction: Db, rows: InvitationRow[]): Promise<void> {
  await transaction.insertInto("invitations").values(rows).execute();
}

/** Cancels the open invitations of these addresses; those whose time was over are written down as expired. */
export async function replaceOpenInvitations(
  transaction: Db,
  organizationId: string,
  emailKeys: string[],
  now: Date,
): Promise<void> {
  await transaction
    .updateTable("invitations")
    .set({ status: sql<InvitationStatus>`case when expires_at <= ${now} then 'EXPIRED' else 'CANCELLED' end` })
    .where("organization_id", "=", organizationId)
    .where("email_key", "in", emailKeys)
    .where("status", "in", openStatuses)
    .execute();
}

function selectShown(db: Db) {
  return db
    .selectFrom("invitations")
    .innerJoin("organizations", "organizations.id", "invitations.organization_id")
    .leftJoin("users", "users.id", "invitations.invited_by")
    .selectAll("invitations")
    .select("organizations.name as organization_name")
    .select(sql<string>`coalesce(users.full_name, organizations.name)`.as("inviter_name"));
}

/** Of any of these statuses at this moment, see `statusAt`. */
function hasStatus(statuses: InvitationStatus[], now: Date) {
  return ({ eb, or, and }: ExpressionBuilder<SecurityTables, "invitations">): Expression<SqlBool> => {
    const status = "invitations.status" as const;
    const expiresAt = "invitations.expires_at" as const;
    return or(
      statuses.map((one) => {
        if (one === "PENDING" || one === "SENT") return and([eb(status, "=", one), eb(expiresAt, ">", now)]);
        if (one !== "EXPIRED") return eb(status, "=", one);
        return or([eb(status, "=", one), and([eb(status, "in", openStatuses), eb(expiresAt, "<=", now)])]);
      }),
    );
  };
}

export interface InvitationFilter {
  statuses?: InvitationStatus[];
  query?: string;
  limit: number;
  beforeId?: string;
}

/** Newest first; reads one row beyond the page. */
export async function listInvitations(
  db: Db,
  organizationId: string,
  filter: InvitationFilter,
  now: Date,
): Promise<ShownInvitation[]> {
  let query = selectShown(db)
    .where("invitations.organization_id", "=", organizationId)
    .orderBy("invitations.id", "desc")
    .limit(filter.limit + 1);
  if (filter.statuses) query = query.where(hasStatus(filter.statuses, now));
  if (filter.query) query = query.where("invitations.email", "ilike", containsPattern(filter.query));
  if (filter.beforeId) query = query.where("invitations.id", "<", filter.beforeId);
  return await query.execute();
}

export async function countInvitations(
  db: Db,
  organizationId: string,
  statuses: InvitationStatus[] | undefined,
  now: Date,
): Promise<number> {
  let query = db
    .selectFrom("invitations")
    .select((count) => count.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId);
  if (statuses) query = query.where(hasStatus(statuses, now));
  return Number((await query.executeTakeFirstOrThrow()).count);
}

export async function findInvitation(
  db: Db,
  organizationId: string,
  invitationId: string,
): Promise<ShownInvitation | undefined> {
  return await selectShown(db)
    .where("invitations.organization_id", "=", organizationId)
    .where("invitations.id", "=", invitationId)
    .executeTakeFirst();
}

/** What a mailed link leads to; of any organization, because whoever holds the link belongs to none yet. */
export async function findInvitationOfLink(db: Db, invitationId: string): Promise<ShownInvitation | undefined> {
  return await selectShown(db).where("invitations.id", "=", invitationId).executeTakeFirst();
}

/** @returns false when it is not open, or not there */
export async function cancelInvitation(
  db: Db,
  organizationId: string,
  invitationId: string,
  now: Date,
): Promise<boolean> {
  const result = await db
    .updateTable("invitations")
    .set({ status: "CANCELLED" })
    .where("organization_id", "=", organizationId)
    .where("id", "=", invitationId)
    .where(hasStatus([...openStatuses], now))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** @returns false when it is not open any more */
export async function acceptInvitation(transaction: Db, invitationId: string, now: Date): Promise<boolean> {
  const result = await transaction
    .updateTable("invitations")
    .set({ status: "ACCEPTED" })
    .where("id", "=", invitationId)
    .where(hasStatus([...openStatuses], now))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function markInvitationSent(db: Db, invitationId: string): Promise<void> {
  await db
    .updateTable("invitations")
    .set({ status: "SENT" })
    .where("id", "=", invitationId)
    .where("status", "=", "PENDING")
    .execute();
}
