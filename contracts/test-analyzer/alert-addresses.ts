import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, onlyReads, pageSchema } from "../kit/endpoint.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { emailAddress, mailedToken, returnedEmail } from "../security-service/account.ts";
import { alertChannelsTag } from "./alert-channels.ts";

/**
 * Page of the portal in the emailed link, with `?token=`. It shows the request and requires a click to confirm, because
 * mail programs follow links.
 */
export const addressConfirmationPath = "/confirm-alert-address";

const linkEnded = "The link has expired, or the address no longer belongs to a channel.";

export const listRecipients = endpoint({
  method: "get",
  path: "/api/v1/alert-recipients",
  access: "tests:write",
  tag: alertChannelsTag,
  summary: "Members who can receive alert emails, by username",
  description: "Their addresses are omitted. `query` searches username and name.",
  query: listQuery.extend({
    ids: identifierList.optional().describe("Returns these members instead, including disabled ones"),
  }),
  status: 200,
  response: pageSchema(
    z.object({
      id: z.uuid(),
      username: z.string(),
      fullName: z.string(),
      unreachable: z
        .enum(["disabled", "no_address"])
        .nullable()
        .describe("Why email currently does not reach this member; null when it does."),
    }),
  ),
});

export const sendAddressLink = endpoint({
  method: "post",
  path: "/api/v1/alert-addresses/send-link",
  access: "tests:write",
  audit: { nothingBecause: "Nothing changes until the address is confirmed" },
  tag: alertChannelsTag,
  summary: "Emails another confirmation link to an address of a channel",
  description: "The previous link no longer works from then on.",
  body: z.object({ address: emailAddress }),
  status: 202,
  response: z.object({ address: returnedEmail, expiresAt: moment }),
  problems: {
    not_found: "No channel has this address.",
    conflict: "It is confirmed already.",
    too_many_requests: "A link was just emailed, or too many were today.",
    service_unavailable: "A service is unavailable, or this installation can't send email.",
  },
});

const confirmationRequest = z.object({
  address: returnedEmail,
  organizationName: z.string().openapi({ example: "Example Ltd" }),
  confirmedAt: moment.nullable(),
});

export const readAddressLink = endpoint({
  method: "post",
  path: "/api/v1/alert-addresses/read-link",
  access: "public",
  audit: onlyReads,
  tag: alertChannelsTag,
  summary: "Content of an emailed confirmation link",
  description: "Changes nothing: mail programs follow links.",
  body: z.object({ token: mailedToken }),
  status: 200,
  response: confirmationRequest,
  problems: { not_found: linkEnded },
});

export const confirmAddress = endpoint({
  method: "post",
  path: "/api/v1/alert-addresses/confirm",
  access: "public",
  audit: "alert address",
  tag: alertChannelsTag,
  summary: "Confirms an address for an organization's alerts",
  description: "Requires no account: the recipient of the email may confirm. Idempotent.",
  body: z.object({ token: mailedToken }),
  status: 200,
  response: confirmationRequest,
  problems: { not_found: linkEnded },
});
