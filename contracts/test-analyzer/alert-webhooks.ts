import { z } from "@hono/zod-openapi";
import { endpoint, moment } from "../kit/endpoint.ts";
import { alertChannelsTag } from "./alert-channels.ts";
import { alertKinds } from "./alert-deliveries.ts";
import { alertMessage, toldIncident } from "./alert-messages.ts";

/** How long a receiver may take to answer. */
export const webhookTimeoutSeconds = 10;
/** 20 s doubled twelve times: the last try comes after 23 hours. */
export const alertTries = { attempts: 13, retryDelaySeconds: 20 };

/** Body of a delivery to a webhook: `type`, `timestamp` and `data`, as Standard Webhooks advises. */
export const alertWebhook = z.object({
  type: z.enum([
    "incident.opened",
    "incident.reminder",
    "incident.resolved",
    "service_level.burning",
    "service_level.steady",
    "certificate.expiring",
    "test",
  ]),
  timestamp: moment.describe("When it was told first; the same with every try."),
  data: alertMessage.omit({ kind: true, at: true }).extend({
    incidents: z
      .array(toldIncident.extend({ runUrl: z.string().describe("Page of that run in the portal.") }))
      .describe("What it is about, at most ten."),
  }),
});
export type AlertWebhook = z.infer<typeof alertWebhook>;

export const describeWebhooks = endpoint({
  method: "get",
  path: "/api/v1/alert-webhooks",
  access: "public",
  tag: alertChannelsTag,
  summary: "What webhooks are sent",
  description: "An example of each kind of alert, written as real ones are, and the JSON Schema that all follow.",
  status: 200,
  answer: z.object({
    examples: z.array(
      z.object({
        kind: z.enum(alertKinds).describe("As its deliveries are listed."),
        body: z.string().describe("As it would be sent, to the byte."),
      }),
    ),
    schema: z.record(z.string(), z.unknown()).describe("JSON Schema 2020-12."),
  }),
});
