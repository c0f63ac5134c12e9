import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, pageOf } from "../../kit/contract/endpoint.ts";
import { amount, subscriptionsTag as tag } from "./subscriptions.ts";

export const listPayments = endpoint({
  method: "get",
  path: "/api/v1/payments",
  access: "billing:manage",
  tag,
  summary: "The organization's payments, newest first",
  description: "As the provider tells them, those that were declined or refunded, too.",
  query: listQuery.omit({ query: true }),
  status: 200,
  answer: pageOf(
    z.object({
      id: z.string().openapi({ example: "8MC585209K746392H" }),
      subscriptionId: z.uuid(),
      serviceName: z.string(),
      amount,
      state: z.enum(["COMPLETED", "DECLINED", "PENDING", "REFUNDED", "PARTIALLY_REFUNDED"]),
      paidAt: moment,
    }),
  ),
});
