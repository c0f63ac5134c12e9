import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { subscriptionsTag as tag } from "./subscriptions.ts";

export const receivePayPalWebhook = endpoint({
  method: "post",
  path: "/api/v1/paypal/webhooks",
  access: "public",
  timeoutSeconds: 60,
  audit: { nothingBecause: "It only triggers a query, whose changes are recorded" },
  tag,
  summary: "Receives a PayPal webhook",
  description:
    "PayPal verifies the signature over the raw bytes. An event is processed once and only triggers a query to PayPal.",
  body: z.looseObject({ id: z.string(), event_type: z.string() }).openapi("PayPalEvent"),
  streamsBody: true,
  status: 200,
  response: z.object({ received: z.literal(true) }),
  problems: {
    malformed_request: "PayPal did not send this.",
    too_many_requests: "Too many deliveries to verify in a minute. Send it again.",
    payload_too_large: "It has more than 1 MiB.",
    service_unavailable: "PayPal is unavailable, so the delivery can't be verified. Send it again.",
  },
});
