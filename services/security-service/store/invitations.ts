import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { findInOrder, wantedTerms } from "../../kit/database/word-search.ts";
import { type InvitationStatus, openStatuses } from "../domain/invitation.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;
export type InvitationRow = Omit<Selectable<SecurityTables["invitations"]>, "terms">;
/** Name of the unique violation when an address already has an open invitation. */
export const openInvitationConstraint = "invitations_open";
/** Includes the names that are displayed with it. */
export type InvitationWithNames = InvitationRow & { inviter_name: string; organization_name: string };

/** The addresses among these that belong to members of the organization. */
export async function listMemberEmails(db: Db, organizationId: string, emailKeys: string[]): Promise<Set<string>> {
  if (emailKeys.length === 0) return new Set();
  const rows = await db
    .selectFrom("users")
    .innerJoin("memberships", "memberships.user_id", "users.id")
    .select("users.email_key")
    .where("memberships.organization_id", "=", organizationId)
    .where("users.email_key", "in", emailKeys)
    .execute();
  return new Set(rows.map((row) => row.email_key));
}

export async function insertInvitations(transaction: Db, rows: InvitationRow[]): Promise<void> {
  await transaction.insertInto("invitations").values(rows).execute();
}

/**
 * Cancels the open invitations of these addresses; those past their expiry are stored as expired.
 * @returns those that were open
 */
export async function replaceOpenInvitations(
  transaction: Db,
  organizationId: string,
  emailKeys: string[],
  now: Date,
): Promise<{ id: string; email_key: string }[]> {
  const ended = await transaction
    .updateTable("invitations")
    .set({ status: sql<InvitationStatus>`case when expires_at <= ${now} then 'EXPIRED' else 'CANCELLED' end` })
    .where("organization_id", "=", organizationId)
    .where("email_key", "in", emailKeys)
    .where("status", "in", openStatuses)
    .returning(["id", "email_key", "status"])
    .execute();
  return ended.filter(({ status }) => status === "CANCELLED");
}

function selectWithNames(db: Db) {
  return db
    .selectFrom("invitations")
    .innerJoin("organizations", "organizations.id", "invitations.organization_id")
    .leftJoin("users", "users.id", "invitations.invited_by")
    .selectAll("invitations")
    .select("organizations.name as organization_name")
    .select(sql<string>`coalesce(users.full_name, organizations.name)`.as("inviter_name"));
}

/**
 * Matches any of these statuses at this moment, see `statusAt`. Columns are unqualified, for use in any view of the
 * table.
 */
function hasStatus(statuses: readonly InvitationStatus[], now: Date): Expression<SqlBool> {
  const open = openStatuses.filter((status) => statuses.includes(status));
  const final = statuses.filter((status) => status !== "PENDING" && status !== "SENT");
  const among = (some: readonly InvitationStatus[]) => sql<SqlBool>`status in (${sql.join(some)})`;
  const conditions = [
    ...(open.length > 0 ? [sql<SqlBool>`(${among(open)} and expires_at > ${now})`] : []),
    ...(final.length > 0 ? [among(final)] : []),
    ...(final.includes("EXPIRED") ? [sql<SqlBool>`(${among(openStatuses)} and expires_at <= ${now})`] : []),
  ];
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
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
): Promise<InvitationWithNames[]> {
  const { statuses, query, beforeId } = filter;
  const limit = filter.limit + 1;
  // Expired invitations are stored as open until a job updates them.
  const stored = statuses?.includes("EXPIRED") ? [...statuses, ...openStatuses] : statuses;
  const terms = wantedTerms(organizationId, { query, labels: [stored ?? []] });
  if (terms === "nothing") return [];
  let invitations = selectWithNames(db)
    .where("invitations.organization_id", "=", organizationId)
    .orderBy("invitations.id", "desc")
    .limit(limit);
  if (terms) {
    const table = { table: "invitations", id: "id", key: "id", direction: "desc" } as const;
    const condition = statuses && hasStatus(statuses, now);
    const ids = await findInOrder(db, { ...table, organizationId, after: beforeId, limit, terms, condition });
    if (ids.length === 0) return [];
    invitations = invitations.where("invitations.id", "in", ids);
  } else if (beforeId) {
    invitations = invitations.where("invitations.id", "<", beforeId);
  }
  return await invitations.execute();
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
): Promise<InvitationWithNames | undefined> {
  return await selectWithNames(db)
    .where("invitations.organization_id", "=", organizationId)
    .where("invitations.id", "=", invitationId)
    .executeTakeFirst();
}

/** The invitation of a mailed link; of any organization, because the link's holder does not belong to one yet. */
export async function findInvitationOfLink(db: Db, invitationId: string): Promise<InvitationWithNames | undefined> {
  return await selectWithNames(db).where("invitations.id", "=", invitationId).executeTakeFirst();
}

/** @returns false when it is not open or does not exist */
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
    .where(hasStatus(openStatuses, now))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** @returns false when it is no longer open */
export async function acceptInvitation(transaction: Db, invitationId: string, now: Date): Promise<boolean> {
  const result = await transaction
    .updateTable("invitations")
    .set({ status: "ACCEPTED" })
    .where("id", "=", invitationId)
    .where(hasStatus(openStatuses, now))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Accepts the open invitations of an address, for a user who joins another way.
 * @returns the ids
 */
export async function acceptInvitationTo(
  transaction: Db,
  organizationId: string,
  emailKey: string,
  now: Date,
): Promise<string[]> {
  const rows = await transaction
    .updateTable("invitations")
    .set({ status: "ACCEPTED" })
    .where("organization_id", "=", organizationId)
    .where("email_key", "=", emailKey)
    .where(hasStatus(openStatuses, now))
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Reopens an open or expired invitation until `expiresAt`; the caller sends its email. */
export async function renewInvitation(
  transaction: Db,
  { id, organization_id }: Pick<InvitationRow, "id" | "organization_id">,
  expiresAt: Date,
) {
  const renewed = { status: "PENDING", expires_at: expiresAt, mail_failure: null, mail_given_up: false } as const;
  await transaction
    .updateTable("invitations")
    .set(renewed)
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .execute();
  return renewed;
}

/**
 * Records whether an email was handed over. Mail has no organization.
 * @returns undefined when it is recorded already or no longer relevant
 */
export async function noteEmail(
  db: Db,
  invitationId: string,
  change: { status: "SENT" } | { mail_failure: string; mail_given_up: boolean },
): Promise<{ organizationId: string } | undefined> {
  let query = db
    .updateTable("invitations")
    .set("status" in change ? { ...change, mail_failure: null, mail_given_up: false } : change)
    .where("id", "=", invitationId)
    .where("status", "=", "PENDING")
    .returning("organization_id");
  // Each retry in between reports the same.
  if ("mail_failure" in change && !change.mail_given_up) query = query.where("mail_failure", "is", null);
  const row = await query.executeTakeFirst();
  return row && { organizationId: row.organization_id };
}

/**
 * Stores the expiry of open invitations past their time, so that reads stay cheap.
 * @returns how many
 */
export async function writeDownExpired(db: Db, now: Date, limit: number): Promise<number> {
  const result = await db
    .updateTable("invitations")
    .set({ status: "EXPIRED" })
    .where("id", "in", (select) =>
      select
        .selectFrom("invitations")
        .select("id")
        .where("status", "in", openStatuses)
        .where("expires_at", "<=", now)
        .limit(limit),
    )
    .where("status", "in", openStatuses)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}
