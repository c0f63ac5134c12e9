import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageOf, type Tag } from "../kit/endpoint.ts";
import { entityTag, idempotencyKey, ifMatch } from "../kit/headers.ts";
import { orNone } from "../kit/or-none.ts";
import { emailAddress, shownEmail } from "../security-service/account.ts";
import { alertDelivery } from "./alert-deliveries.ts";

export const alertChannelsTag: Tag = {
  name: "Alert channels",
  description:
    "Where alerts go: mail, Slack, Teams, and webhooks signed as [Standard Webhooks](https://www.standardwebhooks.com) says.",
};

export const channelKinds = ["mail", "webhook", "slack", "teams"] as const;
export type ChannelKind = (typeof channelKinds)[number];

const webAddress = z
  .string()
  .trim()
  .max(2_000, "An address has at most 2,000 characters")
  .refine(URL.canParse, { error: "Write a whole address, as in https://hooks.example.com/alerts", abort: true })
  .refine((text) => /^https?:\/\//i.test(text), "The address starts with https:// or http://")
  .openapi({ format: "uri", example: "https://hooks.example.com/alerts" });

const named = {
  name: z
    .string()
    .trim()
    .min(1, "Give the channel a name")
    .max(200)
    .regex(/^\P{Cc}*$/u, "A name is written on one line")
    .openapi({ example: "On call" }),
  enabled: z.boolean().default(true).describe("When off, only tests are sent to it."),
};
const memberIds = z.array(z.uuid()).max(100, "At most 100 members").default([]);
const secretUrl = orNone(webAddress).describe(
  "Address of the incoming webhook. It is a secret: written, never read. Left out on PUT it stays.",
);

export const alertChannelInput = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("mail"),
      ...named,
      memberIds: memberIds.describe("Members of the organization; who is disabled gets no mail."),
      addresses: z
        .array(emailAddress)
        .max(20, "At most 20 addresses")
        .default([])
        .describe("Other addresses. Each is mailed a link once and gets alerts when somebody there confirmed it."),
    }),
    z.object({ kind: z.literal("webhook"), ...named, url: webAddress }),
    z.object({ kind: z.literal("slack"), ...named, url: secretUrl }),
    z.object({ kind: z.literal("teams"), ...named, url: secretUrl }),
  ])
  .openapi("AlertChannelInput");
export type AlertChannelInput = z.infer<typeof alertChannelInput>;

/** Secrets a webhook's deliveries are signed with, without their values. */
const signingSecret = z.object({
  createdAt: moment,
  validUntil: moment.nullable().describe("Null for the newest; the one before ends then."),
});

const kept = {
  id: identifier,
  name: z.string(),
  enabled: z.boolean(),
  lastDelivery: alertDelivery
    .pick({ kind: true, state: true, status: true, detail: true, createdAt: true })
    .nullable()
    .describe("The newest that was sent or tried; null before the first."),
  version: z.number().int().describe("Counts up with every change; sent back as ETag and asked for by If-Match."),
  createdAt: moment,
  updatedAt: moment,
};
const host = z.string().describe("All of its address that is shown").openapi({ example: "hooks.slack.com" });

export const alertChannel = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("mail"),
      ...kept,
      memberIds: z.array(z.uuid()),
      addresses: z.array(z.object({ address: shownEmail, confirmedAt: moment.nullable() })),
    }),
    z.object({
      kind: z.literal("webhook"),
      ...kept,
      url: z.string().openapi({ example: "https://hooks.example.com/alerts" }),
      secrets: z.array(signingSecret).describe("Newest first; two while the one before is still valid."),
      secret: z
        .string()
        .optional()
        .describe("Only where it was just made: what deliveries are signed with, shown this once.")
        .openapi({ example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }),
    }),
    z.object({ kind: z.literal("slack"), ...kept, host }),
    z.object({ kind: z.literal("teams"), ...kept, host }),
  ])
  .openapi("AlertChannel");
export type AlertChannel = z.infer<typeof alertChannel>;

const params = z.object({ channelId: z.uuid() });
const taken = "There is a channel of this name.";
const stale = "Somebody else saved since the version in `If-Match`.";

export const listChannels = endpoint({
  method: "get",
  path: "/api/v1/alert-channels",
  access: "tests:read",
  tag: alertChannelsTag,
  summary: "Alert channels by name",
  description: "`query` looks into the name.",
  query: listQuery,
  status: 200,
  answer: pageOf(alertChannel),
});

export const createChannel = endpoint({
  method: "post",
  path: "/api/v1/alert-channels",
  access: "tests:write",
  audit: "alert channel",
  tag: alertChannelsTag,
  summary: "Creates an alert channel",
  description:
    "A webhook's signing secret is made here and answered this once; repeated with its Idempotency-Key, the call answers it again.",
  headers: [idempotencyKey],
  body: alertChannelInput,
  status: 201,
  answer: alertChannel,
  answerHeaders: [entityTag],
  makes: "/api/v1/alert-channels/{id}",
  problems: {
    conflict: `${taken} Or the Idempotency-Key was used for another call, or what it made was deleted.`,
    too_many_requests: "Too many addresses were asked to confirm today.",
    service_unavailable: "A service does not answer, or this installation can't send mail.",
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
  answer: alertChannel,
  answerHeaders: [entityTag],
});

export const changeChannel = endpoint({
  method: "put",
  path: "/api/v1/alert-channels/{channelId}",
  access: "tests:write",
  audit: "alert channel",
  tag: alertChannelsTag,
  summary: "Changes an alert channel",
  description: "Its kind stays what it is. Addresses that are new are mailed a link to confirm.",
  params,
  body: alertChannelInput,
  status: 200,
  answer: alertChannel,
  headers: [ifMatch],
  answerHeaders: [entityTag],
  problems: {
    conflict: taken,
    stale_version: stale,
    too_many_requests: "Too many addresses were asked to confirm today.",
    service_unavailable: "A service does not answer, or this installation can't send mail.",
  },
});

export const deleteChannel = endpoint({
  method: "delete",
  path: "/api/v1/alert-channels/{channelId}",
  access: "tests:write",
  audit: "alert channel",
  tag: alertChannelsTag,
  summary: "Deletes an alert channel",
  description: "Rules that named it go on without it; its deliveries go with it.",
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
    "Until the one before ends, each delivery carries a signature by either, so that its receiver can change over meanwhile. Of a call repeated with its Idempotency-Key only the first changes it.",
  params,
  headers: [idempotencyKey],
  body: z.object({
    previousHours: z
      .number()
      .int()
      .min(0)
      .max(168, "At most a week")
      .default(24)
      .describe("How long the one before goes on; 0 ends it at once."),
  }),
  status: 200,
  answer: alertChannel,
  answerHeaders: [entityTag],
  problems: { conflict: "The channel is no webhook, or the Idempotency-Key was used for another call." },
});

export const testChannel = endpoint({
  method: "post",
  path: "/api/v1/alert-channels/{channelId}/test",
  mayTakeSeconds: 30,
  access: "tests:write",
  audit: { nothingBecause: "Its deliveries list what was sent" },
  tag: alertChannelsTag,
  summary: "Sends a test",
  description: "Once, and answers what came. Mail is handed to the mail server, which may still refuse it.",
  params,
  status: 200,
  answer: alertDelivery,
  problems: { service_unavailable: "A service does not answer, or this installation can't send mail." },
});
