import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";

export const subscriptionsTag: Tag = {
  name: "Subscriptions",
  description: "An organization's paid subscriptions and their history.",
};

export const subscriptionStates = ["PENDING_APPROVAL", "ACTIVE", "SUSPENDED", "CANCELLED", "EXPIRED"] as const;

/** An integer in the currency's smallest unit, e.g. 4900 for 49.00 USD. */
export const amount = z.object({
  minorUnits: z.number().int().openapi({ example: 4_900 }),
  currency: z.string().describe("ISO 4217.").openapi({ example: "USD" }),
});

const pricedPlan = {
  serviceId: z.string().openapi({ example: "business" }),
  serviceName: z.string().openapi({ example: "Business" }),
  price: amount,
};

export const subscription = z
  .object({
    id: identifier,
    serviceId: z.string().openapi({ example: "team" }),
    serviceName: z.string().openapi({ example: "Team" }),
    price: amount.describe("Per month, at the price when it was subscribed to."),
    state: z
      .enum(subscriptionStates)
      .describe(
        "`PENDING_APPROVAL`: waiting for the buyer's approval at the provider. `SUSPENDED`: payments failed, or an operator suspended it. `EXPIRED`: it was never approved, or has ended.",
      ),
    stateChangedAt: moment,
    trialDays: z.number().int().describe("Free days at the start; 0 for none.").openapi({ example: 14 }),
    trialEndsAt: moment
      .nullable()
      .describe(
        "When the trial ends or ended, and the first payment is due; null without a trial or before it starts.",
      ),
    isOnTrial: z.boolean().describe("Whether it is active with nothing paid for yet."),
    entitledUntil: moment
      .nullable()
      .describe("When the entitlement ends: after a cancellation, or while payments fail."),
    isEntitled: z.boolean().describe("Whether the organization is currently entitled to its plan."),
    nextBillingAt: moment.nullable(),
    failedPayments: z.number().int(),
    isCancelling: z
      .boolean()
      .describe(
        "Cancellation was requested and the provider has yet to confirm it; the request is repeated until it does.",
      ),
    heldBecause: z
      .string()
      .nullable()
      .describe("Why an operator suspended it; null if payments failed.")
      .openapi({ example: null }),
    approveUrl: z
      .string()
      .nullable()
      .describe(
        "Where the buyer approves it at the provider; null when there is nothing to approve, or the provider has yet to respond.",
      )
      .openapi({ example: null }),
    plannedChange: z
      .object({ ...pricedPlan, countsAt: moment })
      .nullable()
      .describe("The plan after the end of the paid period: approved, but not yet in effect."),
    pendingChange: z
      .object({
        ...pricedPlan,
        approveUrl: z.string().nullable().describe("Null until the provider accepts it.").openapi({ example: null }),
        askedAt: moment,
      })
      .nullable()
      .describe("Another plan that was requested and waits for approval."),
    createdAt: moment,
  })
  .openapi("Subscription");
export type Subscription = z.infer<typeof subscription>;

const params = z.object({ subscriptionId: z.uuid() });
export const providerAway = "The payment provider is unavailable, or none is configured. Nothing was charged.";

export const getPaymentProvider = endpoint({
  method: "get",
  path: "/api/v1/payment-provider",
  access: "signed-in",
  tag: subscriptionsTag,
  summary: "The payment provider of this installation",
  description: "Null when nothing is sold: plans are then arranged with the operators.",
  status: 200,
  response: z.object({
    provider: z
      .object({
        name: z.string().openapi({ example: "PayPal" }),
        isSandbox: z.boolean().describe("A simulation: no money moves."),
      })
      .nullable(),
  }),
});

export const listSubscriptions = endpoint({
  method: "get",
  path: "/api/v1/portal-subscriptions",
  access: "billing:manage",
  tag: subscriptionsTag,
  summary: "The organization's subscriptions, newest first",
  description: "Includes those that have ended.",
  query: listQuery.omit({ query: true }),
  status: 200,
  response: pageSchema(subscription).extend({
    getsTrial: z.boolean().describe("Whether the next one starts with its plan's trial: none was ever approved."),
  }),
});

export const createSubscription = endpoint({
  method: "post",
  path: "/api/v1/portal-subscriptions",
  access: "billing:manage",
  timeoutSeconds: 60,
  audit: "subscription",
  tag: subscriptionsTag,
  summary: "Subscribes to a plan",
  description:
    "Nothing is charged before the buyer approves it at `approveUrl`, which is null while the provider does not respond; the request is repeated until it does. Repeated for the same plan, it returns the pending subscription; for another plan, it replaces that one.",
  body: z.object({ serviceId: z.string().max(100).openapi({ example: "team" }) }),
  status: 201,
  response: subscription,
  locationPath: "/api/v1/portal-subscriptions/{id}",
  problems: {
    conflict: "You already have a subscription. Change its plan instead.",
    service_unavailable: "The payment provider refused it, or none is configured. Nothing was charged.",
  },
});

export const getSubscription = endpoint({
  method: "get",
  path: "/api/v1/portal-subscriptions/{subscriptionId}",
  access: "billing:manage",
  tag: subscriptionsTag,
  summary: "One subscription",
  description: "As last reported by the provider.",
  params,
  status: 200,
  response: subscription,
});

export const cancelSubscription = endpoint({
  method: "delete",
  path: "/api/v1/portal-subscriptions/{subscriptionId}",
  access: "billing:manage",
  timeoutSeconds: 60,
  audit: "subscription",
  tag: subscriptionsTag,
  summary: "Cancels a subscription",
  description:
    "Also at the provider; until it responds, `isCancelling` is true and the request is repeated. The entitlement lasts until `entitledUntil`; nothing the organization created is deleted.",
  params,
  status: 200,
  response: subscription,
  problems: {
    conflict: "It has already ended, or was just approved.",
    service_unavailable: "No payment provider is configured.",
  },
});

export const verifySubscription = endpoint({
  method: "post",
  path: "/api/v1/portal-subscriptions/paypal/{providerId}/verify",
  access: "billing:manage",
  timeoutSeconds: 60,
  audit: "subscription",
  tag: subscriptionsTag,
  summary: "Checks a subscription with PayPal after its buyer returned",
  description:
    "Parameters from the buyer are only hints: PayPal is queried, and only subscriptions started by this organization are accepted. Idempotent. `providerId` is PayPal's `subscription_id`, or `-` if the buyer brought none.",
  params: z.object({ providerId: z.string().min(1).max(127).openapi({ example: "I-BW452GLLEP1G" }) }),
  body: z.object({
    ba_token: z.string().max(200).optional().openapi({ example: "BA-2M539689T3856352J" }),
    token: z.string().max(200).optional().openapi({ example: "4CW62315494981215" }),
  }),
  status: 200,
  response: subscription,
  problems: {
    not_found: "The organization started no such subscription.",
    service_unavailable: providerAway,
  },
});

export const askProvider = endpoint({
  method: "post",
  path: "/api/v1/portal-subscriptions/{subscriptionId}/ask",
  access: "billing:manage",
  timeoutSeconds: 60,
  audit: "subscription",
  tag: subscriptionsTag,
  summary: "Refreshes a subscription from the provider",
  description: "The provider's response replaces what was stored.",
  params,
  status: 200,
  response: subscription,
  problems: { service_unavailable: providerAway },
});

export const listSubscriptionEntries = endpoint({
  method: "get",
  path: "/api/v1/portal-subscriptions/{subscriptionId}/entries",
  access: "billing:manage",
  tag: subscriptionsTag,
  summary: "History of a subscription, newest first",
  description: "Every change of its state, with its cause.",
  params,
  query: listQuery.omit({ query: true }),
  status: 200,
  response: pageSchema(
    z.object({
      id: identifier,
      at: moment,
      state: z.enum(subscriptionStates),
      text: z.string().openapi({ example: "Approved at PayPal." }),
      userId: z.uuid().nullable(),
    }),
  ),
});
