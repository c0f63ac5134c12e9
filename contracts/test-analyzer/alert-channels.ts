import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, identifier, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { entityTag, idempotencyKey, ifMatch } from "../kit/headers.ts";
import { orNone } from "../kit/or-none.ts";
import { emailAddress, returnedEmail } from "../security-service/account.ts";
import { alertDelivery } from "./alert-deliveries.ts";
import { alertHeaders, alertTemplate } from "./alert-templates.ts";

export const alertChannelsTag: Tag = {
  name: "Alert channels",
  description:
    "Destinations of alerts: email, Slack, Teams, Discord, Google Chat, Telegram, PagerDuty, and webhooks signed according to [Standard Webhooks](https://www.standardwebhooks.com).",
};

/** Chats whose channels take messages at an address of their own, which is their only secret. */
export const chatKinds = ["slack", "teams", "discord", "googleChat"] as const;
export const channelKinds = ["mail", "webhook", ...chatKinds, "telegram", "pagerDuty"] as const;
export type ChannelKind = (typeof channelKinds)[number];

const webAddress = z
  .string()
  .trim()
  .max(2_000, "An address has at most 2,000 characters")
  .refine(URL.canParse, { error: "Enter a full URL, e.g. https://hooks.example.com/alerts", abort: true })
  .refine((text) => /^https?:\/\//i.test(text), "The address starts with https:// or http://")
  .openapi({ format: "uri", example: "https://hooks.example.com/alerts" });

const named = {
  name: displayName(
    z
      .string()
      .trim()
      .min(1, "Give the channel a name")
      .max(200)
      .regex(/^\P{Cc}*$/u, "A name is written on one line")
      .openapi({ example: "On call" }),
  ),
  enabled: z.boolean().default(true).describe("When off, it receives only test messages."),
};
const memberIds = z.array(z.uuid()).max(100, "At most 100 members").default([]);
const secretUrl = orNone(webAddress).describe(
  "URL of the incoming webhook. Write-only, because it is a secret. Omitted on PUT, it is unchanged.",
);

/** Where PagerDuty takes events; accounts of its European region use https://events.eu.pagerduty.com/v2/enqueue. */
export const pagerDutyUrl = "https://events.pagerduty.com/v2/enqueue";
export const telegramUrl = "https://api.telegram.org";

const routingKey = orNone(
  z
    .string()
    .trim()
    .regex(/^[\w-]{8,64}$/, "Copy the Integration Key of an Events API V2 integration")
    .openapi({ example: "e93facc04764012d7bfb002500d5d1a6" }),
).describe("Integration Key of an Events API V2 integration. Write-only. Omitted on PUT, it is unchanged.");
const botToken = orNone(
  z
    .string()
    .trim()
    .regex(/^\d{5,20}:[\w-]{20,80}$/, "Copy the token that BotFather gave to the bot")
    .openapi({ example: "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11" }),
).describe("Token of the bot. Write-only. Omitted on PUT, it is unchanged.");
const chatId = z
  .string()
  .trim()
  .regex(/^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/, "Write the number of the chat, or @ and the name of a public channel")
  .describe("Number of the chat, or `@` and the name of a public channel.")
  .openapi({ example: "-1001234567890" });

export const alertChannelInput = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("mail"),
      ...named,
      memberIds: memberIds.describe("Members of the organization; disabled members get no email."),
      addresses: z
        .array(emailAddress)
        .max(20, "At most 20 addresses")
        .default([])
        .describe("Other addresses. Each is emailed a link once and gets alerts after it is confirmed."),
    }),
    z.object({
      kind: z.literal("webhook"),
      ...named,
      url: webAddress,
      template: orNone(alertTemplate).describe(
        "A body of your own instead of the documented one. Each incident is then a request of its own.",
      ),
      headers: alertHeaders,
    }),
    z.object({ kind: z.literal("slack"), ...named, url: secretUrl }),
    z.object({ kind: z.literal("teams"), ...named, url: secretUrl }),
    z.object({ kind: z.literal("discord"), ...named, url: secretUrl }),
    z.object({ kind: z.literal("googleChat"), ...named, url: secretUrl }),
    z.object({
      kind: z.literal("telegram"),
      ...named,
      url: webAddress.default(telegramUrl).describe("Base URL of the Bot API; another one for a server of your own."),
      chatId,
      botToken,
    }),
    z.object({
      kind: z.literal("pagerDuty"),
      ...named,
      url: webAddress.default(pagerDutyUrl).describe("Where events are sent; another one for the European region."),
      routingKey,
    }),
  ])
  .openapi("AlertChannelInput", {
    example: { kind: "webhook", name: "On call", url: "https://hooks.example.com/alerts" },
  });
export type AlertChannelInput = z.infer<typeof alertChannelInput>;

/** Secrets that sign a webhook's deliveries, without their values. */
const signingSecret = z.object({
  createdAt: moment,
  validUntil: moment.nullable().describe("When the previous secret expires; null for the newest."),
});

const storedChannel = {
  id: identifier,
  name: z.string(),
  enabled: z.boolean(),
  lastDelivery: alertDelivery
    .pick({ kind: true, state: true, status: true, detail: true, createdAt: true })
    .nullable()
    .describe("The newest delivery sent or attempted; null before the first."),
  version: z.number().int().describe("Incremented with every change; sent as ETag and required by If-Match."),
  createdAt: moment,
  updatedAt: moment,
};
const host = z.string().describe("The displayable part of its URL").openapi({ example: "hooks.slack.com" });

export const alertChannel = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("mail"),
      ...storedChannel,
      memberIds: z.array(z.uuid()),
      addresses: z.array(z.object({ address: returnedEmail, confirmedAt: moment.nullable() })),
    }),
    z.object({
      kind: z.literal("webhook"),
      ...storedChannel,
      url: z.string().openapi({ example: "https://hooks.example.com/alerts" }),
      template: alertTemplate.nullable().describe("Null: the documented body."),
      headerNames: z.array(z.string()).describe("Additional headers, without their values."),
      secrets: z.array(signingSecret).describe("Newest first; two while the previous one is still valid."),
      secret: z
        .string()
        .optional()
        .describe("Only in the response that created it: signs deliveries and is returned once.")
        .openapi({ example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }),
    }),
    z.object({ kind: z.literal("slack"), ...storedChannel, host }),
    z.object({ kind: z.literal("teams"), ...storedChannel, host }),
    z.object({ kind: z.literal("discord"), ...storedChannel, host }),
    z.object({ kind: z.literal("googleChat"), ...storedChannel, host }),
    z.object({ kind: z.literal("telegram"), ...storedChannel, url: z.string(), chatId: z.string() }),
    z.object({ kind: z.literal("pagerDuty"), ...storedChannel, url: z.string() }),
  ])
  .openapi("AlertChannel");
export type AlertChannel = z.infer<typeof alertChannel>;

const params = z.object({ channelId: z.uuid() });
const nameTaken = "There is a channel of this name.";
const stale = "Another user saved since the version in `If-Match`.";

export const listChannels = endpoint({
  method: "get",
  path: "/api/v1/alert-channels",
  access: "tests:read",
  tag: alertChannelsTag,
  summary: "Alert channels by name",
  description: "`query` searches the name.",
  query: listQuery,
  status: 200,
  response: pageSchema(alertChannel),
});

export const createChannel = endpoint({
  method: "post",
  path: "/api/v1/alert-channels",
  access: "tests:write",
  audit: "alert channel",
  tag: alertChannelsTag,
  summary: "Creates an alert channel",
  description:
    "A webhook's signing secret is generated here and returned once; repeated with its Idempotency-Key, the call returns it again.",
  headers: [idempotencyKey],
  body: alertChannelInput,
  status: 201,
  response: alertChannel,
  responseHeaders: [entityTag],
  locationPath: "/api/v1/alert-channels/{id}",
  problems: {
    conflict: `${nameTaken} Or the Idempotency-Key was used for another call, or its resource was deleted.`,
    too_many_requests: "Too many confirmation links were emailed today.",
    service_unavailable: "A service is unavailable, or this installation can't send email.",
  },
});

export const getChannel = endpoint({
  method: "get",
  path: "/api/v1/alert-channels/{channelId}",
  access: "tests:read",
  tag: alertChannelsTag,
  summary: "One alert channel",
  description: "Its ETag is for `If-Match`.",
  params,
  status: 200,
  response: alertChannel,
  responseHeaders: [entityTag],
});

export const changeChannel = endpoint({
  method: "put",
  path: "/api/v1/alert-channels/{channelId}",
  access: "tests:write",
  audit: "alert channel",
  tag: alertChannelsTag,
  summary: "Changes an alert channel",
  description: "Its kind can't be changed. New addresses are emailed a confirmation link.",
  params,
  body: alertChannelInput,
  status: 200,
  response: alertChannel,
  headers: [ifMatch],
  responseHeaders: [entityTag],
  problems: {
    conflict: nameTaken,
    stale_version: stale,
    too_many_requests: "Too many confirmation links were emailed today.",
    service_unavailable: "A service is unavailable, or this installation can't send email.",
  },
});

export const deleteChannel = endpoint({
  method: "delete",
  path: "/api/v1/alert-channels/{channelId}",
  access: "tests:write",
  audit: "alert channel",
  tag: alertChannelsTag,
  summary: "Deletes an alert channel",
  description: "Rules that use it continue without it; its deliveries are deleted.",
  params,
  status: 204,
  headers: [ifMatch],
  problems: { stale_version: stale },
});

export const rotateChannelSecret = endpoint({
  method: "post",
  path: "/api/v1/alert-channels/{channelId}/secret",
  access: "tests:write",
  audit: "alert channel",
  tag: alertChannelsTag,
  summary: "Gives a webhook a new signing secret",
  description:
    "Until the previous secret expires, each delivery is signed with both, so that the receiver can switch over. Repeated with its Idempotency-Key, the call has no further effect.",
  params,
  headers: [idempotencyKey],
  body: z.object({
    previousHours: z
      .number()
      .int()
      .min(0)
      .max(168, "At most a week")
      .default(24)
      .describe("How long the previous secret remains valid; 0 ends it immediately."),
  }),
  status: 200,
  response: alertChannel,
  responseHeaders: [entityTag],
  problems: { conflict: "The channel is not a webhook, or the Idempotency-Key was used for another call." },
});

export const testChannel = endpoint({
  method: "post",
  path: "/api/v1/alert-channels/{channelId}/test",
  timeoutSeconds: 30,
  access: "tests:write",
  audit: { nothingBecause: "Its deliveries list what was sent" },
  tag: alertChannelsTag,
  summary: "Sends a test message",
  description: "One attempt, whose result is returned. Email is handed to the mail server, which may still reject it.",
  params,
  status: 200,
  response: alertDelivery,
  problems: { service_unavailable: "A service is unavailable, or this installation can't send email." },
});
