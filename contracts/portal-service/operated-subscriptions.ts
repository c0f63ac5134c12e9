import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { difference } from "./differences.ts";
import { listPayments } from "./payments.ts";
import { listSubscriptionEntries, subscription, subscriptionStates } from "./subscriptions.ts";

export const operatedTag: Tag = {
  name: "Operating payments",
  description: "Subscriptions, payments and plans of all organizations, for operators of the installation.",
};

export const operatedSubscription = subscription
  .extend({
    organization: z.object({
      id: identifier,
      name: z.string().nullable().describe("Null while security-service is unavailable.").openapi({ example: "Acme" }),
    }),
    userId: identifier.describe("The user who subscribed."),
    providerId: z.string().nullable().describe("The provider's id.").openapi({ example: "I-BW452GLLEP1G" }),
    providerPlanId: z.string().nullable().openapi({ example: "P-5ML4271244454362WXNWU5NQ" }),
    superseded: z.boolean().describe("Replaced by another subscription before it was approved."),
    askAt: moment.nullable().describe("When the provider is next queried automatically."),
    answeredAt: moment.nullable().describe("When the provider last responded."),
    differences: z.array(difference).describe("Changes caused by that response."),
  })
  .omit({ approveUrl: true, pendingChange: true })
  .openapi("OperatedSubscription");
export type OperatedSubscription = z.infer<typeof operatedSubscription>;

const access = "system:manage" as const;
const tag = operatedTag;
const params = z.object({ subscriptionId: z.uuid() });
const path = "/api/v1/system/subscriptions/{subscriptionId}";
const actionInput = z.object({
  reason: z
    .string()
    .trim()
    .min(1, "Enter a reason")
    .max(100, "At most 100 characters")
    .regex(/^[^\p{C}]*$/u, "In one line")
    .describe("Sent to its subscriber and the provider.")
    .openapi({ example: "The card was reported stolen." }),
});
const providerAway = "The payment provider is unavailable, or none is configured.";

export const listAllSubscriptions = endpoint({
  method: "get",
  path: "/api/v1/system/subscriptions",
  access,
  tag,
  summary: "Subscriptions of all organizations, newest first",
  description:
    "`query` is a subscription's id, the provider's id of a subscription or a payment, or beginnings of words of the organization's name.",
  query: listQuery.extend({
    state: z.enum(subscriptionStates).optional().describe("Only subscriptions in this state."),
    serviceId: z.string().max(100).optional().describe("Only subscriptions to this plan."),
  }),
  status: 200,
  response: pageSchema(operatedSubscription).extend({
    isCut: z.boolean().describe("More than 200 organizations match: only subscriptions of 200 are listed."),
  }),
  problems: { service_unavailable: "security-service is unavailable, so names can't be searched." },
});

export const getAnySubscription = endpoint({
  method: "get",
  path,
  access,
  tag,
  summary: "A subscription of any organization",
  description: "As last reported by the provider.",
  params,
  status: 200,
  response: operatedSubscription,
});

export const listEntriesOfAny = endpoint({
  ...listSubscriptionEntries,
  path: `${path}/entries`,
  access,
  tag,
  summary: "History of a subscription of any organization, newest first",
});

export const listPaymentsOfAny = endpoint({
  ...listPayments,
  path: `${path}/payments`,
  access,
  tag,
  params,
  summary: "Payments of a subscription of any organization, newest first",
});

export const askAboutAny = endpoint({
  method: "post",
  path: `${path}/ask`,
  access,
  timeoutSeconds: 60,
  audit: "subscription",
  tag,
  summary: "Refreshes a subscription and its payments from the provider",
  description: "The provider's response replaces what was stored; `differences` lists the changes.",
  params,
  status: 200,
  response: operatedSubscription,
  problems: { service_unavailable: providerAway },
});

const actions = {
  suspend: { summary: "Suspends a subscription", when: "It is not active." },
  activate: { summary: "Resumes a suspended subscription", when: "It is not suspended." },
  cancel: { summary: "Cancels a subscription for good", when: "It waits for approval, or is over." },
} as const;
export type OperatorAction = keyof typeof actions;

const actionEndpoint = (action: OperatorAction) =>
  endpoint({
    method: "post",
    path: `${path}/${action}`,
    access,
    timeoutSeconds: 60,
    audit: "subscription",
    tag,
    summary: actions[action].summary,
    description:
      "Performed at the provider, whose response is then stored. The subscriber sees the reason in the history.",
    params,
    body: actionInput,
    status: 200,
    response: operatedSubscription,
    problems: { conflict: actions[action].when, service_unavailable: providerAway },
  });

export const suspendAny = actionEndpoint("suspend");
export const activateAny = actionEndpoint("activate");
export const cancelAny = actionEndpoint("cancel");
