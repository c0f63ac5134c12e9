import { uuidv7 } from "uuidv7";
import type { Executor } from "../../kit/database/database.ts";
import type { InvitationEventKind, RecentInvitation } from "../domain/invitation.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;
export type InvitationEventRow = SecurityTables["invitation_events"];

export interface InvitationEvent {
  organizationId: string;
  invitationId: string;
  kind: InvitationEventKind;
  at: Date;
  /** The author, if a person or another service caused it. */
  by?: string;
  detail?: string;
}

/** Maximum events returned per invitation; only daily resends for years would exceed it. */
const maxDisplayed = 100;

export async function insertEvents(transaction: Db, events: InvitationEvent[]): Promise<void> {
  if (events.length === 0) return;
  await transaction
    .insertInto("invitation_events")
    .values(
      events.map(({ organizationId, invitationId, kind, at, by = null, detail = null }) => ({
        id: uuidv7(),
        organization_id: organizationId,
        invitation_id: invitationId,
        kind,
        at,
        by_name: by,
        detail,
      })),
    )
    .execute();
}

/** Newest first. */
export async function listEvents(db: Db, organizationId: string, invitationId: string): Promise<InvitationEventRow[]> {
  return await db
    .selectFrom("invitation_events")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("invitation_id", "=", invitationId)
    .orderBy("id", "desc")
    .limit(maxDisplayed)
    .execute();
}

/** The organization's latest invitation emails, newest first. */
export async function listRecentEmails(db: Db, organizationId: string, limit: number): Promise<RecentInvitation[]> {
  const rows = await db
    .selectFrom("invitation_events")
    .innerJoin("invitations", "invitations.id", "invitation_events.invitation_id")
    .select(["invitations.email_key", "invitation_events.at"])
    .where("invitation_events.organization_id", "=", organizationId)
    // Matches the index.
    .where("invitation_events.kind", "in", ["invited", "resent"])
    .orderBy("invitation_events.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ emailKey: row.email_key, createdAt: row.at }));
}
