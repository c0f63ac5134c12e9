import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, onlyAsks, pageOf } from "../kit/endpoint.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { emailAddress, mailedToken, shownEmail } from "../security-service/account.ts";
import { alertChannelsTag } from "./alert-channels.ts";

/** Where the mailed link leads in the portal, with `?token=`. The page shows what is asked and confirms by a press. */
export const addressConfirmationPath = "/confirm-alert-address";

const linkEnded = "The link has ended, or the address is of no channel any more.";

export const listRecipients = endpoint({
  method: "get",
  path: "/api/v1/alert-recipients",
  access: "tests:write",
  tag: alertChannelsTag,
  summary: "Members who may be mailed alerts, by username",
  description: "Their addresses are not shown. `query` looks into username and name.",
  query: listQuery.extend({
    ids: identifierList.optional().describe("Answers these members instead, also those who are disabled"),
  }),
  status: 200,
  answer: pageOf(
    z.object({
      id: z.uuid(),
      username: z.string(),
      fullName: z.string(),
      unreachable: z
        .enum(["disabled", "no_address"])
        .nullable()
        .describe("Why no mail reaches this member as things stand; null where it does."),
    }),
  ),
});

export const sendAddressLink = endpoint({
  method: "post",
  path: "/api/v1/alert-addresses/send-link",
  access: "tests:write",
  audit: { nothingBecause: "Nothing changes until somebody there confirms" },
  tag: alertChannelsTag,
  summary: "Mails an address of a channel another link to confirm",
  description: "The previous link no longer works from then on.",
  body: z.object({ address: emailAddress }),
  status: 202,
  answer: z.object({ address: shownEmail, expiresAt: moment }),
  problems: {
    not_found: "No channel has this address.",
    conflict: "It is confirmed already.",
    too_many_requests: "It was mailed a link just now, or too many were today.",
    service_unavailable: "A service does not answer, or this installation can't send mail.",
  },
});

const asked = z.object({
  address: shownEmail,
  organizationName: z.string().openapi({ example: "Example Ltd" }),
  confirmedAt: moment.nullable(),
});

export const readAddressLink = endpoint({
  method: "post",
  path: "/api/v1/alert-addresses/read-link",
  access: "public",
  audit: onlyAsks,
  tag: alertChannelsTag,
  summary: "What a mailed link asks to confirm",
  description: "Changes nothing: mail programs look at links by themselves.",
  body: z.object({ token: mailedToken }),
  status: 200,
  answer: asked,
  problems: { not_found: linkEnded },
});

export const confirmAddress = endpoint({
  method: "post",
  path: "/api/v1/alert-addresses/confirm",
  access: "public",
  audit: "alert address",
  tag: alertChannelsTag,
  summary: "Confirms that an address wants an organization's alerts",
  description: "Needs no account: whoever reads the mail may. Done again, it is confirmed as it was.",
  body: z.object({ token: mailedToken }),
  status: 200,
  answer: asked,
  problems: { not_found: linkEnded },
});
