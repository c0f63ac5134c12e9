import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { providerAway, subscription, subscriptionsTag as tag } from "./subscriptions.ts";

const params = z.object({ subscriptionId: z.uuid() });

export const createPlanChange = endpoint({
  method: "post",
  path: "/api/v1/portal-subscriptions/{subscriptionId}/plan-changes",
  access: "billing:manage",
  timeoutSeconds: 60,
  audit: "subscription",
  tag,
  summary: "Requests a change of plan",
  description:
    "Takes effect only after the buyer approves it at `pendingChange.approveUrl`. Once approved, a more expensive plan takes effect immediately, any other at the end of the paid period; the new price is billed from the next payment. A repeated request for the same plan returns the pending change; one for another plan replaces it. Requesting the current plan withdraws a scheduled change.",
  params,
  body: z.object({ serviceId: z.string().max(100).openapi({ example: "business" }) }),
  status: 201,
  response: subscription,
  problems: {
    conflict: "It is not active, or has this plan already.",
    service_unavailable: providerAway,
  },
});

export const withdrawPlanChange = endpoint({
  method: "delete",
  path: "/api/v1/portal-subscriptions/{subscriptionId}/pending-change",
  access: "billing:manage",
  audit: "subscription",
  tag,
  summary: "Withdraws a change of plan that is not yet approved",
  description: "Idempotent. A change that is approved at the provider anyway takes effect.",
  params,
  status: 200,
  response: subscription,
});
