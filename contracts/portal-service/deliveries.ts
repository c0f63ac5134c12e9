import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageSchema } from "../kit/endpoint.ts";
import { difference } from "./differences.ts";
import { operatedTag as tag } from "./operated-subscriptions.ts";

/** Why a delivery was rejected as not sent by PayPal. */
export const webhookRejections = ["headers", "algorithm", "certificate", "unreadable", "signature"] as const;

export const deliveryOutcomes = ["believed", "refused"] as const;

export const paymentDelivery = z
  .object({
    id: z
      .string()
      .describe("PayPal's id if the signature was valid; otherwise ours.")
      .openapi({ example: "WH-9F3A21B7C4D5E6F708" }),
    eventType: z
      .string()
      .describe("Unverified: as received from the sender.")
      .openapi({ example: "BILLING.SUBSCRIPTION.ACTIVATED" }),
    outcome: z.enum(deliveryOutcomes).describe("`believed`: PayPal confirmed the signature."),
    fault: z.enum(webhookRejections).nullable().describe("Why it was rejected.").openapi({ example: null }),
    providerId: z.string().nullable().openapi({ example: "I-BW452GLLEP1G" }),
    subscriptionId: identifier.nullable().describe("Null when it concerns none of our subscriptions."),
    times: z.number().int().describe("Number of deliveries; it is processed once."),
    receivedAt: moment,
    lastReceivedAt: moment,
    answeredAt: moment.nullable().describe("When PayPal responded the query that the delivery triggered."),
    differences: z.array(difference).describe("Changes caused by that response."),
  })
  .openapi("PaymentDelivery");
export type PaymentDelivery = z.infer<typeof paymentDelivery>;

export const listDeliveries = endpoint({
  method: "get",
  path: "/api/v1/system/paypal-deliveries",
  access: "system:manage",
  tag,
  summary: "Webhook deliveries in the name of PayPal, newest first",
  description:
    "Stored for 90 days, without data of buyers. At most 20 rejected ones are stored per hour; the rest are only counted. `query` is the id of a delivery, or the provider's id of a subscription.",
  query: listQuery.extend({
    outcome: z.enum(deliveryOutcomes).optional().describe("Only deliveries with this outcome."),
    subscriptionId: z.uuid().optional().describe("Only deliveries that concern this subscription."),
  }),
  status: 200,
  response: pageSchema(paymentDelivery).extend({
    refusedOfDay: z.number().int().describe("Number rejected in the last 24 hours."),
  }),
});

export const getDelivery = endpoint({
  method: "get",
  path: "/api/v1/system/paypal-deliveries/{paymentDeliveryId}",
  access: "system:manage",
  tag,
  summary: "One delivery and its effect",
  description:
    "The payload of a delivery is never trusted: PayPal is queried, and the resulting changes are listed here.",
  params: z.object({ paymentDeliveryId: z.string().min(1).max(100).openapi({ example: "WH-9F3A21B7C4D5E6F708" }) }),
  status: 200,
  response: paymentDelivery,
});
