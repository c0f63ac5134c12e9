import type { Invitation } from "#contracts/security-service/invitations.ts";
import { statusAt } from "../domain/invitation.ts";
import type { InvitationRow } from "../store/invitations.ts";

/** An invitation as returned to callers, with its current status. */
export function toInvitation(row: InvitationRow & { inviter_name: string }, now: Date): Invitation {
  const { mail_failure: message, mail_given_up: isFinal } = row;
  return {
    id: row.id,
    email: row.email,
    roles: row.roles,
    status: statusAt({ status: row.status, expiresAt: row.expires_at }, now),
    invitedBy: row.inviter_name,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    mailFailure: message === null ? null : { message, isFinal },
  };
}
