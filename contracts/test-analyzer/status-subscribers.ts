import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, onlyReads, pageSchema, type Tag } from "../kit/endpoint.ts";
import { emailAddress, mailedToken, recaptchaToken, returnedEmail } from "../security-service/account.ts";

const tag: Tag = {
  name: "Status subscribers",
  description: "Email addresses that receive the updates of a status page, each after it has confirmed.",
};

/** Pages of the portal in emailed links, with `?token=`: they ask, because mail programs follow links. */
export const subscriptionConfirmationPath = "/confirm-status-updates";
export const subscriptionEndPath = "/end-status-updates";
/** Of the service, for mail programs (RFC 8058). */
export const oneClickPath = "/api/v1/status-subscribers/unsubscribe";

export const maxSubscribers = 2_000;

const ownWish = { nothingBecause: "Whether to receive emails is the subscriber's own decision" };
const linkEnded = "The link has ended, or the page was closed.";

export const statusSubscriptionInput = z
  .object({ email: emailAddress, recaptchaToken })
  .openapi("StatusSubscriptionInput");

export const subscribeToStatus = endpoint({
  method: "post",
  path: "/api/v1/status-pages/{address}/subscribers",
  access: "public",
  audit: ownWish,
  tag,
  summary: "Emails a link that confirms a subscription",
  description: "The response is the same whether or not the address is subscribed.",
  params: z.object({
    address: z.string().max(100).describe("Of the page, after `/status/`").openapi({ example: "bookshop" }),
  }),
  body: statusSubscriptionInput,
  status: 202,
  response: z.object({ email: returnedEmail }),
  problems: {
    not_found: "No such page.",
    too_many_requests: "Too many forms from this network, or too many subscriptions of this page today.",
    invalid_input: "A value needs correction, or the human check failed (at `recaptchaToken`).",
    service_unavailable: "A service is unavailable, or this installation can't send email.",
  },
});

const link = z.object({
  email: returnedEmail,
  pageTitle: z.string(),
  pageAddress: z.string().describe("The page is at `/status/{address}`."),
  confirmedAt: moment.nullable(),
});

export const readSubscriptionLink = endpoint({
  method: "post",
  path: "/api/v1/status-subscribers/read-link",
  access: "public",
  audit: onlyReads,
  tag,
  summary: "Content of an emailed link",
  description: "Changes nothing: mail programs follow links.",
  body: z.object({ token: mailedToken }),
  status: 200,
  response: link,
  problems: { not_found: linkEnded },
});

export const confirmSubscription = endpoint({
  method: "post",
  path: "/api/v1/status-subscribers/confirm",
  access: "public",
  audit: ownWish,
  tag,
  summary: "Confirms a subscription",
  description: "Idempotent.",
  body: z.object({ token: mailedToken }),
  status: 200,
  response: link,
  problems: { not_found: linkEnded, conflict: "The page has as many subscribers as one may have." },
});

export const unsubscribeFromStatus = endpoint({
  method: "post",
  path: oneClickPath,
  access: "public",
  audit: ownWish,
  tag,
  summary: "Ends a subscription",
  description: "The address in `List-Unsubscribe` (RFC 8058). Also 204 where there is none.",
  query: z.object({ token: mailedToken }),
  status: 204,
});

export const statusSubscriber = z
  .object({ id: z.uuid(), email: returnedEmail, confirmedAt: moment })
  .openapi("StatusSubscriber");
export type StatusSubscriber = z.infer<typeof statusSubscriber>;

const path = "/api/v1/test-circles/{testCircleId}/status-page/subscribers";

export const listStatusSubscribers = endpoint({
  method: "get",
  path,
  access: "tests:write",
  tag,
  summary: "Confirmed subscribers of a circle's status page, newest first",
  description: "None without a page.",
  params: z.object({ testCircleId: z.uuid() }),
  query: listQuery.omit({ query: true }),
  status: 200,
  response: pageSchema(statusSubscriber),
});

export const removeStatusSubscriber = endpoint({
  method: "delete",
  path: `${path}/{subscriberId}`,
  access: "tests:write",
  audit: "status subscriber",
  tag,
  summary: "Removes a subscriber",
  description: "Without an email. The address may subscribe again.",
  params: z.object({ testCircleId: z.uuid(), subscriberId: z.uuid() }),
  status: 204,
});
