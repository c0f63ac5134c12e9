import type {
  InvitationEvent,
  invitationStatuses,
  organizationRoles,
} from "#contracts/security-service/invitations.ts";

export type InvitationStatus = (typeof invitationStatuses)[number];
export type InvitationEventKind = InvitationEvent["kind"];
export type OrganizationRole = (typeof organizationRoles)[number];

/** Letters in the organization's name go to people who did not ask for them. */
export const mostLettersADay = 500;
const mostToOneAddressADay = 5;
const day = 24 * 60 * 60 * 1_000;

/** A letter of invitation that was written. */
export interface RecentInvitation {
  emailKey: string;
  createdAt: Date;
}

/** Both are open, and end with their time. */
export const openStatuses = ["PENDING", "SENT"] as const;

export function isOpen(invitation: { status: InvitationStatus; expiresAt: Date }, now: Date): boolean {
  return openStatuses.some((status) => status === invitation.status) && invitation.expiresAt > now;
}

/** What an invitation's status is at this moment: nobody writes it down when one expires. */
export function statusAt(invitation: { status: InvitationStatus; expiresAt: Date }, now: Date): InvitationStatus {
  const hasEnded = openStatuses.some((status) => status === invitation.status) && invitation.expiresAt <= now;
  return hasEnded ? "EXPIRED" : invitation.status;
}

/**
 * How many letters an organization may still send today, and which addresses get no more.
 * @param recent the organization's newest letters, `mostLettersADay` of them
 */
export function judgeInviting(
  recent: RecentInvitation[],
  emailKeys: string[],
  now: Date,
): { left: number; tiredAddresses: string[] } {
  const today = recent.filter(({ createdAt }) => now.getTime() - createdAt.getTime() < day);
  const lettersTo = (key: string) => today.filter(({ emailKey }) => emailKey === key).length;
  return {
    left: Math.max(0, mostLettersADay - today.length),
    tiredAddresses: emailKeys.filter((key) => lettersTo(key) >= mostToOneAddressADay),
  };
}
