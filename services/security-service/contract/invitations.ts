import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, pageOf, type Tag } from "../../kit/contract/endpoint.ts";
import { createdAccount, emailAddress, newAccount, sentCode, shownEmail, verificationRequest } from "./account.ts";

/** PENDING until its mail is handed over, then SENT; the other three are final. */
export const invitationStatuses = ["PENDING", "SENT", "ACCEPTED", "CANCELLED", "EXPIRED"] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

/** Roles an organization may give; the operator's is not among them. */
export const organizationRoles = ["ADMIN", "EDITOR", "VIEWER"] as const;

const tag: Tag = { name: "Invitations", description: "How an administrator brings people into the organization." };
const links: Tag = { name: "Invitation links", description: "What the link in an invitation's mail leads to." };

export const invitation = z
  .object({
    id: z.uuid(),
    email: shownEmail,
    roles: z.array(z.enum(organizationRoles)),
    status: z.enum(invitationStatuses),
    invitedBy: z.string().describe("Full name").openapi({ example: "Ada Lovelace" }),
    createdAt: moment,
    expiresAt: moment,
  })
  .openapi("Invitation");
export type Invitation = z.infer<typeof invitation>;

const roles = z.array(z.enum(organizationRoles)).min(1, "Choose at least one role").max(organizationRoles.length);
const emails = z.array(emailAddress).min(1, "Enter at least one e-mail address").max(100, "Invite at most 100 at once");
const invitationParams = z.object({ invitationId: z.uuid() });

const status = z
  .string()
  .max(100)
  .transform((text) => text.split(",").filter(Boolean))
  .pipe(z.array(z.enum(invitationStatuses)))
  .optional()
  .describe("Keeps invitations in any of these, separated by commas")
  .openapi({ example: "PENDING,SENT" });

export const invite = endpoint({
  method: "post",
  path: "/api/v1/users/invite",
  access: "users:manage",
  audit: "invitation",
  tag,
  summary: "Invites people by mail; an address with an invitation still open gets a new one instead",
  description:
    "Nobody is invited unless all are: a member, and an address invited five times within a day, is told at `emails[i]`.",
  body: z.object({ emails, roles }),
  status: 201,
  answer: z.object({ items: z.array(invitation) }),
  problems: {
    forbidden: "The scope `users:manage` is needed, and to be an administrator still.",
    too_many_requests: "More than 200 invitations within a day.",
    not_found: "The caller's organization is gone.",
  },
});

export const countInvitations = endpoint({
  method: "get",
  path: "/api/v1/users/invites/count",
  access: "users:manage",
  tag,
  summary: "Number of the organization's invitations, by status",
  description: "Without `status`, all of them.",
  query: z.object({ status }),
  status: 200,
  answer: z.object({ count: z.number().int().openapi({ example: 2 }) }),
});

export const listInvitations = endpoint({
  method: "get",
  path: "/api/v1/users/invites",
  access: "users:manage",
  tag,
  summary: "Invitations of the organization, newest first",
  description: "Open, accepted, cancelled and expired ones.",
  query: listQuery.extend({ status }),
  status: 200,
  answer: pageOf(invitation),
});

export const getInvitation = endpoint({
  method: "get",
  path: "/api/v1/users/invites/{invitationId}",
  access: "users:manage",
  tag,
  summary: "One invitation",
  description: "To whom it went, by whom, and what became of it.",
  params: invitationParams,
  status: 200,
  answer: invitation,
});

export const cancelInvitation = endpoint({
  method: "delete",
  path: "/api/v1/users/invites/{invitationId}/cancel",
  access: "users:manage",
  audit: "invitation",
  tag,
  summary: "Cancels an open invitation",
  description: "Its link leads nowhere any more.",
  params: invitationParams,
  status: 204,
  problems: {
    conflict: "It is accepted, cancelled or expired already.",
    forbidden: "The scope `users:manage` is needed, and to be an administrator still.",
  },
});

export const invitationOffer = z
  .object({
    email: shownEmail,
    organizationName: z.string().openapi({ example: "Example Ltd" }),
    invitedBy: z.string().describe("Full name").openapi({ example: "Ada Lovelace" }),
    roles: z.array(z.enum(organizationRoles)),
    expiresAt: moment,
  })
  .openapi("InvitationOffer");

export const getInvitationOffer = endpoint({
  method: "get",
  path: "/auth/v1/invitation/{token}",
  access: "public",
  tag: links,
  summary: "What an invitation link offers",
  description: "Accepts nothing: mail scanners follow links.",
  params: z.object({ token: z.string().max(200).describe("From the link").openapi({ example: "9f3c1d7a" }) }),
  status: 200,
  answer: invitationOffer,
  problems: {
    not_found: "The token is unknown, was used or cancelled, or has ended.",
    too_many_requests: "Too many forms came from this network.",
  },
});

export const sendInvitationCode = endpoint({
  method: "post",
  path: "/auth/v1/invitation/send-verification-code",
  access: "public",
  audit: { nothingBecause: "It is a letter" },
  tag: links,
  summary: "Mails a six-digit code to the invited address",
  description: "The newest code is the one that counts.",
  body: verificationRequest,
  status: 202,
  answer: sentCode,
  problems: {
    not_found: "The link's token is unknown, was used already or has ended.",
    too_many_requests: "The last code is younger than half a minute, or too many were sent.",
  },
});

export const createAccountByInvitation = endpoint({
  method: "post",
  path: "/auth/v1/create-account-by-invitation",
  access: "public",
  audit: "user",
  tag: links,
  summary: "Makes the invited person's account in the organization that invited them",
  description:
    "Values are judged as at `/registration/create-account`. An account belongs to one organization; the inviting side is not told of a conflict.",
  body: newAccount,
  status: 201,
  answer: createdAccount,
  problems: {
    not_found: "The link's token is unknown, was used already or has ended.",
    conflict: "The invited address has an account.",
    too_many_requests: "Too many forms came from this network.",
  },
});
