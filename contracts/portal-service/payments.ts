import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, pageSchema } from "../kit/endpoint.ts";
import { amount, subscriptionsTag as tag } from "./subscriptions.ts";

const paymentId = z.string().max(50).describe("The provider's id.").openapi({ example: "8MC585209K746392H" });

export const payment = z
  .object({
    id: paymentId,
    subscriptionId: z.uuid(),
    serviceName: z.string().openapi({ example: "Team" }),
    amount,
    state: z
      .enum(["COMPLETED", "DECLINED", "PENDING", "REFUNDED", "PARTIALLY_REFUNDED", "REVERSED"])
      .describe("`REVERSED`: returned by the buyer's bank or the provider."),
    refunded: amount
      .nullable()
      .describe("Amount returned; null if the provider reported a partial refund without an amount."),
    paidAt: moment,
    coversUntil: moment.describe("The end of the month it pays for."),
  })
  .openapi("Payment");
export type Payment = z.infer<typeof payment>;

export const listPayments = endpoint({
  method: "get",
  path: "/api/v1/payments",
  access: "billing:manage",
  tag,
  summary: "The organization's payments, newest first",
  description: "As reported by the provider, including declined and refunded ones.",
  query: listQuery.omit({ query: true }),
  status: 200,
  response: pageSchema(payment),
});

export const getPayment = endpoint({
  method: "get",
  path: "/api/v1/payments/{paymentId}",
  access: "billing:manage",
  tag,
  summary: "One payment",
  description: "The content of its invoice.",
  params: z.object({ paymentId }),
  status: 200,
  response: payment,
});
