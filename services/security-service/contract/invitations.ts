import { z } from "@hono/zod-openapi";
import { listQuery, operation, pageOf } from "../../kit/contract/operation.ts";
import { createdAccount, emailAddress, newAccount, sentCode, verificationRequest } from "./account.ts";

/** PENDING until its mail is handed over, then SENT; the other three are final. */
export const invitationStatuses = ["PENDING", "SENT", "ACCEPTED", "CANCELLED", "EXPIRED"] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

/** Roles an organization may give; the operator's is not among them. */
export const organizationRoles = ["ADMIN", "EDITOR", "VIEWER"] as const;

export const invitation = z
  .object({
    id: z.uuid(),
    email: z.string(),
    roles: z.array(z.enum(organizationRoles)),
    status: z.enum(invitationStatuses),
    invitedBy: z.string(),
    createdAt: z.string(),
    expiresAt: z.string(),
  })
  .openapi("Invitation");
export type Invitation = z.infer<typeof invitation>;

const roles = z.array(z.enum(organizationRoles)).min(1, "Choose at least one role").max(organizationRoles.length);
const emails = z.array(emailAddress).min(1, "Enter at least one e-mail address").max(100, "Invite at most 100 at once");
const invitationParams = z.object({ invitationId: z.uuid() });

/** `status=PENDING,SENT` keeps invitations in any of these. */
const status = z
  .string()
  .max(100)
  .transform((text) => text.split(",").filter(Boolean))
  .pipe(z.array(z.enum(invitationStatuses)))
  .optional();

/**
 * Nobody is invited unless all are. 422 at `emails[i]` for a member, and for an address invited five times within a day;
 * 429 beyond 200 invitations within a day; 403 for whoever is no administrator any more.
 */
export const invite = operation({
  method: "post",
  path: "/api/v1/users/invite",
  access: "users:manage",
  audit: "invitation",
  summary: "Invites people by mail; an address with an invitation still open gets a new one instead",
  body: z.object({ emails, roles }),
  status: 201,
  answer: z.object({ items: z.array(invitation) }),
});

export const countInvitations = operation({
  method: "get",
  path: "/api/v1/users/invites/count",
  access: "users:manage",
  summary: "Number of the organization's invitations, by status",
  query: z.object({ status }),
  status: 200,
  answer: z.object({ count: z.number().int() }),
});

export const listInvitations = operation({
  method: "get",
  path: "/api/v1/users/invites",
  access: "users:manage",
  summary: "Invitations of the organization, newest first",
  query: listQuery.extend({ status }),
  status: 200,
  answer: pageOf(invitation),
});

export const getInvitation = operation({
  method: "get",
  path: "/api/v1/users/invites/{invitationId}",
  access: "users:manage",
  summary: "One invitation",
  params: invitationParams,
  status: 200,
  answer: invitation,
});

/** 409 once it is accepted, cancelled or expired. */
export const cancelInvitation = operation({
  method: "delete",
  path: "/api/v1/users/invites/{invitationId}/cancel",
  access: "users:manage",
  audit: "invitation",
  summary: "Cancels an open invitation; its link leads nowhere any more",
  params: invitationParams,
  status: 204,
});

export const invitationOffer = z
  .object({
    email: z.string(),
    organizationName: z.string(),
    invitedBy: z.string(),
    roles: z.array(z.enum(organizationRoles)),
    expiresAt: z.string(),
  })
  .openapi("InvitationOffer");

/** 404 when the token is unknown, used, cancelled or has ended. Accepts nothing: mail scanners follow links. */
export const getInvitationOffer = operation({
  method: "get",
  path: "/auth/v1/invitation/{token}",
  access: "public",
  summary: "What an invitation link offers",
  params: z.object({ token: z.string().max(200) }),
  status: 200,
  answer: invitationOffer,
});

/** As `sendRegistrationCode`. */
export const sendInvitationCode = operation({
  method: "post",
  path: "/auth/v1/invitation/send-verification-code",
  access: "public",
  audit: { nothingBecause: "It is a letter" },
  summary: "Mails a six-digit code to the invited address",
  body: verificationRequest,
  status: 202,
  answer: sentCode,
});

/**
 * As `createAccount`. 409 when the invited address has an account: an account belongs to one organization. The inviting
 * side is told nothing of it.
 */
export const createAccountByInvitation = operation({
  method: "post",
  path: "/auth/v1/create-account-by-invitation",
  access: "public",
  audit: "user",
  summary: "Makes the invited person's account in the organization that invited them",
  body: newAccount,
  status: 201,
  answer: createdAccount,
});
