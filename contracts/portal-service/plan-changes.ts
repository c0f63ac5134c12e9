import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { providerAway, subscription, subscriptionsTag as tag } from "./subscriptions.ts";

const params = z.object({ subscriptionId: z.uuid() });

export const createPlanChange = endpoint({
  method: "post",
  path: "/api/v1/portal-subscriptions/{subscriptionId}/plan-changes",
  access: "billing:manage",
  mayTakeSeconds: 60,
  audit: "subscription",
  tag,
  summary: "Asks for another plan",
  description:
    "Nothing changes before its buyer has approved it at `pendingChange.approveUrl`. Approved, a plan that costs more counts at once, any other when what is paid for is over; the new price is billed from the next payment on. Asked again for the same plan it answers the change that waits; for another plan it takes that one's place. The plan that is there already takes a planned change back.",
  params,
  body: z.object({ serviceId: z.string().max(100).openapi({ example: "business" }) }),
  status: 201,
  answer: subscription,
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
  summary: "Takes back a change of plan that nobody has approved yet",
  description: "Taken back already, it changes nothing. Whoever approves it at the provider all the same has it.",
  params,
  status: 200,
  answer: subscription,
});
