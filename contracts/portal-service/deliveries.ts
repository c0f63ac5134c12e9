import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageOf } from "../kit/endpoint.ts";
import { difference } from "./differences.ts";
import { operatedTag as tag } from "./operated-subscriptions.ts";

/** Why a delivery is taken for somebody else's. */
export const webhookFaults = ["headers", "algorithm", "certificate", "unreadable", "signature"] as const;

export const deliveryOutcomes = ["believed", "refused"] as const;

export const paymentDelivery = z
  .object({
    id: z
      .string()
      .describe("PayPal's, of one that it signed; else ours.")
      .openapi({ example: "WH-9F3A21B7C4D5E6F708" }),
    eventType: z
      .string()
      .describe("As it was told, by whomever.")
      .openapi({ example: "BILLING.SUBSCRIPTION.ACTIVATED" }),
    outcome: z.enum(deliveryOutcomes).describe("`believed`: PayPal said that it had signed it."),
    fault: z.enum(webhookFaults).nullable().describe("Why it was refused.").openapi({ example: null }),
    providerId: z.string().nullable().openapi({ example: "I-BW452GLLEP1G" }),
    subscriptionId: identifier.nullable().describe("Null where it concerns none of ours."),
    times: z.number().int().describe("How often it was delivered; it counts once."),
    receivedAt: moment,
    lastReceivedAt: moment,
    answeredAt: moment.nullable().describe("When PayPal had answered the question it led to."),
    differences: z.array(difference).describe("What that answer changed."),
  })
  .openapi("PaymentDelivery");
export type PaymentDelivery = z.infer<typeof paymentDelivery>;

export const listDeliveries = endpoint({
  method: "get",
  path: "/api/v1/system/paypal-deliveries",
  access: "system:manage",
  tag,
  summary: "What PayPal told, newest first, and what pretended to be PayPal",
  description:
    "Kept for 90 days, without a word of a buyer. Of an hour's refused ones 20 are kept, the others only counted. `query` is the id of a delivery, or the provider's id of a subscription.",
  query: listQuery.extend({
    outcome: z.enum(deliveryOutcomes).optional().describe("Keeps those with this outcome."),
    subscriptionId: z.uuid().optional().describe("Keeps those that concern this subscription of ours."),
  }),
  status: 200,
  answer: pageOf(paymentDelivery).extend({
    refusedOfDay: z.number().int().describe("How many were refused in the last 24 hours."),
  }),
});

export const getDelivery = endpoint({
  method: "get",
  path: "/api/v1/system/paypal-deliveries/{paymentDeliveryId}",
  access: "system:manage",
  tag,
  summary: "One delivery, and what came of it",
  description: "It is never believed by itself: PayPal is asked, and what that changed is told here.",
  params: z.object({ paymentDeliveryId: z.string().min(1).max(100).openapi({ example: "WH-9F3A21B7C4D5E6F708" }) }),
  status: 200,
  answer: paymentDelivery,
});
