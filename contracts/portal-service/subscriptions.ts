import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageOf, type Tag } from "../kit/endpoint.ts";

export const subscriptionsTag: Tag = {
  name: "Subscriptions",
  description: "What an organization pays for, and what became of it.",
};

export const subscriptionStates = ["PENDING_APPROVAL", "ACTIVE", "SUSPENDED", "CANCELLED", "EXPIRED"] as const;

/** Integers of the smallest unit, as in 4900 for 49.00 USD. */
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
    price: amount.describe("A month, as it was when it was subscribed to."),
    state: z
      .enum(subscriptionStates)
      .describe(
        "`PENDING_APPROVAL`: its buyer has yet to approve it at the provider. `SUSPENDED`: payments failed, or it was suspended by those who run the portal. `EXPIRED`: it was never approved, or is over.",
      ),
    stateChangedAt: moment,
    trialDays: z.number().int().describe("Free days that it begins with; 0 for none.").openapi({ example: 14 }),
    trialEndsAt: moment
      .nullable()
      .describe("When its trial ends, or ended, and the first payment is due; null without one, or before it began."),
    isOnTrial: z.boolean().describe("It gives its plan, and nothing was paid for it yet."),
    entitledUntil: moment
      .nullable()
      .describe("Until when it gives what its plan allows: after it was cancelled, or while payments fail."),
    isEntitled: z.boolean().describe("Whether it gives what its plan allows now."),
    nextBillingAt: moment.nullable(),
    failedPayments: z.number().int(),
    isCancelling: z
      .boolean()
      .describe(
        "Somebody asked to cancel it, and the provider has yet to answer that it is. It is asked until it does.",
      ),
    heldBecause: z
      .string()
      .nullable()
      .describe("Why those who run the portal suspended it; null for one whose payments failed.")
      .openapi({ example: null }),
    approveUrl: z
      .string()
      .nullable()
      .describe(
        "Where its buyer approves it, at the provider; null when there is nothing to approve, or the provider has yet to answer.",
      )
      .openapi({ example: null }),
    plannedChange: z
      .object({ ...pricedPlan, countsAt: moment })
      .nullable()
      .describe("The plan that follows once what is paid for is over: approved, and not counting yet."),
    pendingChange: z
      .object({
        ...pricedPlan,
        approveUrl: z.string().nullable().describe("Null until the provider has taken it.").openapi({ example: null }),
        askedAt: moment,
      })
      .nullable()
      .describe("Another plan that was asked for and waits for approval."),
    createdAt: moment,
  })
  .openapi("Subscription");
export type Subscription = z.infer<typeof subscription>;

const params = z.object({ subscriptionId: z.uuid() });
export const providerAway = "The payment provider does not answer, or none is configured. Nothing was charged.";

export const getPaymentProvider = endpoint({
  method: "get",
  path: "/api/v1/payment-provider",
  access: "signed-in",
  tag: subscriptionsTag,
  summary: "Who collects payments on this installation",
  description: "Null where nothing is sold: plans are then arranged with those who run the portal.",
  status: 200,
  answer: z.object({
    provider: z
      .object({
        name: z.string().openapi({ example: "PayPal" }),
        isSandbox: z.boolean().describe("It only plays: no money moves."),
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
  description: "Those that are over, too.",
  query: listQuery.omit({ query: true }),
  status: 200,
  answer: pageOf(subscription).extend({
    getsTrial: z.boolean().describe("Whether the next one begins with its plan's trial: none was ever approved."),
  }),
});

export const createSubscription = endpoint({
  method: "post",
  path: "/api/v1/portal-subscriptions",
  access: "billing:manage",
  mayTakeSeconds: 60,
  audit: "subscription",
  tag: subscriptionsTag,
  summary: "Subscribes to a plan",
  description:
    "Nothing is charged before its buyer has approved it at `approveUrl`. While the provider does not answer there is none yet: it is asked again until it does. Done again for the same plan it answers what waits for approval; for another plan it takes that one's place.",
  body: z.object({ serviceId: z.string().max(100).openapi({ example: "team" }) }),
  status: 201,
  answer: subscription,
  makes: "/api/v1/portal-subscriptions/{id}",
  problems: {
    conflict: "You already have a subscription. Change its plan instead.",
    service_unavailable: "The payment provider refuses it, or none is configured. Nothing was charged.",
  },
});

export const getSubscription = endpoint({
  method: "get",
  path: "/api/v1/portal-subscriptions/{subscriptionId}",
  access: "billing:manage",
  tag: subscriptionsTag,
  summary: "One subscription",
  description: "As it was when the provider was last asked.",
  params,
  status: 200,
  answer: subscription,
});

export const cancelSubscription = endpoint({
  method: "delete",
  path: "/api/v1/portal-subscriptions/{subscriptionId}",
  access: "billing:manage",
  mayTakeSeconds: 60,
  audit: "subscription",
  tag: subscriptionsTag,
  summary: "Cancels a subscription",
  description:
    "At the provider, too; while it does not answer, `isCancelling` says so, and it is asked until it does. What is paid for lasts until `entitledUntil`; nothing that was made is deleted.",
  params,
  status: 200,
  answer: subscription,
  problems: {
    conflict: "It is over already, or was approved this moment.",
    service_unavailable: "No payment provider is configured.",
  },
});

export const verifySubscription = endpoint({
  method: "post",
  path: "/api/v1/portal-subscriptions/paypal/{providerId}/verify",
  access: "billing:manage",
  mayTakeSeconds: 60,
  audit: "subscription",
  tag: subscriptionsTag,
  summary: "Asks PayPal what became of a subscription, after its buyer came back",
  description:
    "What the buyer brings are hints. PayPal is asked, and only a subscription that this organization began counts. However often it is done, its effect is the same. `providerId` is PayPal's `subscription_id`, or `-` where it brought none.",
  params: z.object({ providerId: z.string().min(1).max(127).openapi({ example: "I-BW452GLLEP1G" }) }),
  body: z.object({
    ba_token: z.string().max(200).optional().openapi({ example: "BA-2M539689T3856352J" }),
    token: z.string().max(200).optional().openapi({ example: "4CW62315494981215" }),
  }),
  status: 200,
  answer: subscription,
  problems: {
    not_found: "The organization began no such subscription.",
    service_unavailable: providerAway,
  },
});

export const askProvider = endpoint({
  method: "post",
  path: "/api/v1/portal-subscriptions/{subscriptionId}/ask",
  access: "billing:manage",
  mayTakeSeconds: 60,
  audit: "subscription",
  tag: subscriptionsTag,
  summary: "Asks the provider for a subscription's state",
  description: "What it answers counts, whatever was known before.",
  params,
  status: 200,
  answer: subscription,
  problems: { service_unavailable: providerAway },
});

export const listSubscriptionEntries = endpoint({
  method: "get",
  path: "/api/v1/portal-subscriptions/{subscriptionId}/entries",
  access: "billing:manage",
  tag: subscriptionsTag,
  summary: "What happened to a subscription, newest first",
  description: "Each change of its state, and who or what caused it.",
  params,
  query: listQuery.omit({ query: true }),
  status: 200,
  answer: pageOf(
    z.object({
      id: identifier,
      at: moment,
      state: z.enum(subscriptionStates),
      text: z.string().openapi({ example: "Approved at PayPal." }),
      userId: z.uuid().nullable(),
    }),
  ),
});
