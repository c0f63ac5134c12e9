import type {
  InvitationEvent,
  invitationStatuses,
  organizationRoles,
} from "#contracts/security-service/invitations.ts";

export type InvitationStatus = (typeof invitationStatuses)[number];
export type InvitationEventKind = InvitationEvent["kind"];
export type OrganizationRole = (typeof organizationRoles)[number];

/** Emails in the organization's name reach people who did not ask for them. */
export const maxEmailsPerDay = 500;
const maxPerAddressPerDay = 5;
const day = 24 * 60 * 60 * 1_000;

/** A written invitation email. */
export interface RecentInvitation {
  emailKey: string;
  createdAt: Date;
}

/** Both are open until they expire. */
export const openStatuses = ["PENDING", "SENT"] as const;

export function isOpen(invitation: { status: InvitationStatus; expiresAt: Date }, now: Date): boolean {
  return openStatuses.some((status) => status === invitation.status) && invitation.expiresAt > now;
}

/** Status of an invitation at this moment: expiry is not stored when it happens. */
export function statusAt(invitation: { status: InvitationStatus; expiresAt: Date }, now: Date): InvitationStatus {
  const hasEnded = openStatuses.some((status) => status === invitation.status) && invitation.expiresAt <= now;
  return hasEnded ? "EXPIRED" : invitation.status;
}

/**
 * How many emails an organization may still send today, and which addresses have reached their limit.
 * @param recent the organization's newest emails, at most `mostLettersADay`
 */
export function judgeInviting(
  recent: RecentInvitation[],
  emailKeys: string[],
  now: Date,
): { left: number; tiredAddresses: string[] } {
  const today = recent.filter(({ createdAt }) => now.getTime() - createdAt.getTime() < day);
  const countEmailsTo = (key: string) => today.filter(({ emailKey }) => emailKey === key).length;
  return {
    left: Math.max(0, maxEmailsPerDay - today.length),
    tiredAddresses: emailKeys.filter((key) => countEmailsTo(key) >= maxPerAddressPerDay),
  };
}
