import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { createdAccount, newAccount, returnedEmail, sentCode, verificationRequest } from "./account.ts";

/** PENDING until its email is handed over, then SENT; the other three are final. */
export const invitationStatuses = ["PENDING", "SENT", "ACCEPTED", "CANCELLED", "EXPIRED"] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

/** Roles an organization may assign; the operator's is excluded. */
export const organizationRoles = ["ADMIN", "EDITOR", "VIEWER"] as const;

const tag: Tag = { name: "Invitations", description: "Invite people into the organization." };
const links: Tag = { name: "Invitation links", description: "Pages that an invitation's emailed link leads to." };

export const invitation = z
  .object({
    id: z.uuid(),
    email: returnedEmail,
    roles: z.array(z.enum(organizationRoles)),
    status: z.enum(invitationStatuses),
    invitedBy: z.string().describe("Full name").openapi({ example: "Ada Lovelace" }),
    createdAt: moment,
    expiresAt: moment.describe("When its newest link expires"),
    mailFailure: z
      .object({
        message: z.string().describe("Message of the mail server").openapi({ example: "550 5.1.1 No such user" }),
        isFinal: z.boolean().describe("No further attempts are made automatically"),
      })
      .nullable()
      .describe("Why its email has not been handed over yet; null without an error"),
  })
  .openapi("Invitation");
export type Invitation = z.infer<typeof invitation>;

export const invitationEvent = z
  .object({
    at: moment,
    kind: z
      .enum(["invited", "resent", "sent", "mailFailed", "mailGivenUp", "accepted", "cancelled", "replaced"])
      .describe("`sent`: its email was handed over; `mailFailed`: it is retried automatically"),
    by: z.string().nullable().describe("Full name, for an action by a person").openapi({ example: "Ada Lovelace" }),
    detail: z.string().nullable().openapi({ example: "550 5.1.1 No such user" }),
  })
  .openapi("InvitationEvent");
export type InvitationEvent = z.infer<typeof invitationEvent>;

const roles = z.array(z.enum(organizationRoles)).min(1, "Choose at least one role").max(organizationRoles.length);
export const maxInvitations = 200;
/** Each address is validated separately. */
const emails = z
  .array(z.string().trim().max(1_000).openapi({ example: "ada@example.com" }))
  .min(1, "Enter at least one email address")
  .max(maxInvitations, `Invite at most ${maxInvitations} at a time`);
const invitationParams = z.object({ invitationId: z.uuid() });

const status = z
  .string()
  .max(100)
  .transform((text) => text.split(",").filter(Boolean))
  .pipe(z.array(z.enum(invitationStatuses)))
  .optional()
  .describe("Only invitations with any of these statuses, separated by commas")
  .openapi({ example: "PENDING,SENT" });

export const invite = endpoint({
  method: "post",
  path: "/api/v1/users/invite",
  access: "users:manage",
  audit: "invitation",
  tag,
  summary: "Invites people by email; replaces an open invitation of the same address",
  description:
    "Each address is handled separately: valid ones are invited, and `refused` lists the others with reasons. If none can be invited, the response is 422 with the reasons at `emails[i]`.",
  body: z.object({ emails, roles }),
  status: 201,
  response: z.object({
    items: z.array(
      invitation.extend({
        replaces: z.uuid().nullable().describe("The previous open invitation; its link no longer works"),
      }),
    ),
    refused: z.array(
      z.object({
        index: z.int().describe("Index in `emails`").openapi({ example: 1 }),
        email: z.string().openapi({ example: "ada@example" }),
        message: z.string().openapi({ example: "Enter an email address, e.g. name@example.com" }),
      }),
    ),
  }),
  problems: {
    forbidden: "Requires the scope `users:manage` and the role of an administrator.",
    plan_limit_reached: "The plan allows no more members; open invitations are counted as members.",
    too_many_requests: "More than 500 invitations within a day.",
    not_found: "The caller's organization was deleted.",
  },
});

export const countInvitations = endpoint({
  method: "get",
  path: "/api/v1/users/invites/count",
  access: "users:manage",
  tag,
  summary: "Number of the organization's invitations, by status",
  description: "Without `status`, all invitations.",
  query: z.object({ status }),
  status: 200,
  response: z.object({ count: z.number().int().openapi({ example: 2 }) }),
});

export const listInvitations = endpoint({
  method: "get",
  path: "/api/v1/users/invites",
  access: "users:manage",
  tag,
  summary: "Invitations of the organization, newest first",
  description: "Open, accepted, cancelled and expired ones. `query` is beginnings of words of the email address.",
  query: listQuery.extend({ status }),
  status: 200,
  response: pageSchema(invitation),
});

export const getInvitation = endpoint({
  method: "get",
  path: "/api/v1/users/invites/{invitationId}",
  access: "users:manage",
  tag,
  summary: "One invitation",
  description: "Invitee, inviter and history, newest first.",
  params: invitationParams,
  status: 200,
  response: invitation.extend({ history: z.array(invitationEvent) }),
});

export const resendInvitation = endpoint({
  method: "post",
  path: "/api/v1/users/invites/{invitationId}/resend",
  access: "users:manage",
  audit: "invitation",
  tag,
  summary: "Sends an open or expired invitation again",
  description: "With a new link of the usual lifetime; the previous link stops working.",
  params: invitationParams,
  status: 200,
  response: invitation,
  problems: {
    conflict:
      "It is accepted or cancelled, the address has a newer one or is a member's, or was written to five times today.",
    forbidden: "Requires the scope `users:manage` and the role of an administrator.",
    plan_limit_reached: "The plan allows no more members; open invitations are counted as members.",
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
    forbidden: "Requires the scope `users:manage` and the role of an administrator.",
  },
});

export const invitationOffer = z
  .object({
    email: returnedEmail,
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
  summary: "Content of an invitation link",
  description: "Does not accept the invitation: mail scanners follow links.",
  params: z.object({ token: z.string().max(200).describe("From the link").openapi({ example: "9f3c1d7a" }) }),
  status: 200,
  response: invitationOffer,
  problems: {
    not_found: "The token is unknown, was used or cancelled, or has expired.",
    too_many_requests: "Too many forms from this network.",
  },
});

export const sendInvitationCode = endpoint({
  method: "post",
  path: "/auth/v1/invitation/send-verification-code",
  access: "public",
  audit: { nothingBecause: "It only sends an email" },
  tag: links,
  summary: "Emails a six-digit code to the invited address",
  description: "Only the newest code is valid.",
  body: verificationRequest,
  status: 202,
  response: sentCode,
  problems: {
    not_found: "The link's token is unknown, was already used or has expired.",
    too_many_requests: "The last code is younger than half a minute, or too many were sent.",
  },
});

export const createAccountByInvitation = endpoint({
  method: "post",
  path: "/auth/v1/create-account-by-invitation",
  access: "public",
  audit: "user",
  tag: links,
  summary: "Creates the invitee's account in the organization that invited them",
  description:
    "Values are validated as at `/registration/create-account`. An account belongs to one organization; the inviter does not learn of a conflict.",
  body: newAccount,
  status: 201,
  response: createdAccount,
  problems: {
    not_found: "The link's token is unknown, was already used or has expired.",
    conflict: "The invited address has an account.",
    plan_limit_reached:
      "The organization's plan has become smaller since and is full. The invitation stays open until there is room.",
    too_many_requests: "Too many forms from this network.",
  },
});
