import type { invitationStatuses, organizationRoles } from "../contract/invitations.ts";

export type InvitationStatus = (typeof invitationStatuses)[number];
export type OrganizationRole = (typeof organizationRoles)[number];
