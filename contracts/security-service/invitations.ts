import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, pageOf, type Tag } from "../kit/endpoint.ts";
import { createdAccount, newAccount, sentCode, shownEmail, verificationRequest } from "./account.ts";

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
    expiresAt: moment.describe("When its newest link ends"),
    mailFailure: z
      .object({
        message: z.string().describe("In the mail server's words").openapi({ example: "550 5.1.1 No such user" }),
        isFinal: z.boolean().describe("Nothing more is tried by itself"),
      })
      .nullable()
      .describe("Why its letter is not handed over yet; null when nothing went wrong"),
  })
  .openapi("Invitation");
export type Invitation = z.infer<typeof invitation>;

export const invitationEvent = z
  .object({
    at: moment,
    kind: z
      .enum(["invited", "resent", "sent", "mailFailed", "mailGivenUp", "accepted", "cancelled", "replaced"])
      .describe("`sent`: its letter was handed over; `mailFailed`: it is tried again by itself"),
    by: z.string().nullable().describe("Full name, where a person did it").openapi({ example: "Ada Lovelace" }),
    detail: z.string().nullable().openapi({ example: "550 5.1.1 No such user" }),
  })
  .openapi("InvitationEvent");
export type InvitationEvent = z.infer<typeof invitationEvent>;

const roles = z.array(z.enum(organizationRoles)).min(1, "Choose at least one role").max(organizationRoles.length);
export const mostInvitedAtOnce = 200;
/** Each is judged by itself. */
const emails = z
  .array(z.string().trim().max(1_000).openapi({ example: "ada@example.com" }))
  .min(1, "Enter at least one e-mail address")
  .max(mostInvitedAtOnce, `Invite at most ${mostInvitedAtOnce} at once`);
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
    "Each address is judged by itself: those that can be invited are, and `refused` says why the others can't. Where nobody can be, the answer is 422 with the reasons at `emails[i]`.",
  body: z.object({ emails, roles }),
  status: 201,
  answer: z.object({
    items: z.array(
      invitation.extend({
        replaces: z.uuid().nullable().describe("The invitation that was still open; its link has ended"),
      }),
    ),
    refused: z.array(
      z.object({
        index: z.int().describe("Place in `emails`").openapi({ example: 1 }),
        email: z.string().openapi({ example: "ada@example" }),
        message: z.string().openapi({ example: "Enter an e-mail address, as in name@example.com" }),
      }),
    ),
  }),
  problems: {
    forbidden: "The scope `users:manage` is needed, and to be an administrator still.",
    plan_limit_reached: "The plan allows no more members; open invitations count as such.",
    too_many_requests: "More than 500 invitations within a day.",
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
  description: "Open, accepted, cancelled and expired ones. `query` is beginnings of words of the e-mail address.",
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
  description: "Who was invited, by whom, and what has happened since, newest first.",
  params: invitationParams,
  status: 200,
  answer: invitation.extend({ history: z.array(invitationEvent) }),
});

export const resendInvitation = endpoint({
  method: "post",
  path: "/api/v1/users/invites/{invitationId}/resend",
  access: "users:manage",
  audit: "invitation",
  tag,
  summary: "Sends an open or expired invitation again",
  description: "With a new link, which holds as long as that of a new one; the link before ends.",
  params: invitationParams,
  status: 200,
  answer: invitation,
  problems: {
    conflict:
      "It is accepted or cancelled, the address has a newer one or is a member's, or was written to five times today.",
    forbidden: "The scope `users:manage` is needed, and to be an administrator still.",
    plan_limit_reached: "The plan allows no more members; open invitations count as such.",
    too_many_requests: "More than 500 invitations within a day.",
  },
});

export const cancelInvitation = endpoint({
  method: "delete",
  path: "/api/v1/users/invites/{invitationId}/cancel",
  access: "users:manage",
  audit: "invitation",
  tag,
  summary: "Cancels an open invitation",
  description: "Its link no longer works.",
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
    plan_limit_reached:
      "The organization's plan has become smaller since and is full. The invitation stays open until there is room.",
    too_many_requests: "Too many forms came from this network.",
  },
});
