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
  /** Who did it, where a person or another part of the house did. */
  by?: string;
  detail?: string;
}

/** What is shown of one invitation at most: who was written to every day for years is none. */
const mostShown = 100;

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

/** The newest first. */
export async function listEvents(db: Db, organizationId: string, invitationId: string): Promise<InvitationEventRow[]> {
  return await db
    .selectFrom("invitation_events")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("invitation_id", "=", invitationId)
    .orderBy("id", "desc")
    .limit(mostShown)
    .execute();
}

/** The organization's last letters of invitation, newest first. */
export async function listRecentLetters(db: Db, organizationId: string, limit: number): Promise<RecentInvitation[]> {
  const rows = await db
    .selectFrom("invitation_events")
    .innerJoin("invitations", "invitations.id", "invitation_events.invitation_id")
    .select(["invitations.email_key", "invitation_events.at"])
    .where("invitation_events.organization_id", "=", organizationId)
    // As the index has it.
    .where("invitation_events.kind", "in", ["invited", "resent"])
    .orderBy("invitation_events.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ emailKey: row.email_key, createdAt: row.at }));
}
