import { z } from "@hono/zod-openapi";
import { endpoint, moment } from "../kit/endpoint.ts";
import { alertChannelsTag } from "./alert-channels.ts";
import { alertKinds } from "./alert-deliveries.ts";
import { alertIncident, alertMessage } from "./alert-messages.ts";

/** Upper bound for a receiver's response. */
export const webhookTimeoutSeconds = 10;
/** 20 s doubled twelve times: the last attempt is after 23 hours. */
export const alertTries = { attempts: 13, retryDelaySeconds: 20 };

/** Body of a delivery to a webhook: `type`, `timestamp` and `data`, as Standard Webhooks recommends. */
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
  timestamp: moment.describe("When the message was created; the same for every attempt."),
  data: alertMessage.omit({ kind: true, at: true }).extend({
    incidents: z
      .array(
        alertIncident.extend({
          incidentUrl: z.string().describe("Page of the incident in the portal."),
          runUrl: z.string().optional().describe("Page of the run of the newest failure."),
          documentUrl: z.string().optional().describe("With the cause `document`: page of the watched document."),
          locationUrl: z.string().optional().describe("With the cause `location`: page of the location."),
          resolvedRunUrl: z.string().optional().describe("Page of the run that resolved it."),
        }),
      )
      .describe("The incidents, at most ten."),
  }),
});
export type AlertWebhook = z.infer<typeof alertWebhook>;

export const describeWebhooks = endpoint({
  method: "get",
  path: "/api/v1/alert-webhooks",
  access: "public",
  tag: alertChannelsTag,
  summary: "Examples of webhook messages",
  description: "An example of every kind of alert, in the real format, and the JSON Schema of all.",
  status: 200,
  response: z.object({
    examples: z.array(
      z.object({
        kind: z.enum(alertKinds).describe("As in the list of deliveries."),
        body: z.string().describe("As it would be sent, byte for byte."),
      }),
    ),
    schema: z.record(z.string(), z.unknown()).describe("JSON Schema 2020-12."),
  }),
});
