import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, pageOf } from "../kit/endpoint.ts";
import { amount, subscriptionsTag as tag } from "./subscriptions.ts";

const paymentId = z.string().max(50).describe("The provider's.").openapi({ example: "8MC585209K746392H" });

export const payment = z
  .object({
    id: paymentId,
    subscriptionId: z.uuid(),
    serviceName: z.string().openapi({ example: "Team" }),
    amount,
    state: z
      .enum(["COMPLETED", "DECLINED", "PENDING", "REFUNDED", "PARTIALLY_REFUNDED", "REVERSED"])
      .describe("`REVERSED`: the buyer's bank or the provider took it back."),
    refunded: amount
      .nullable()
      .describe("How much of it went back; null where the provider told that a part did, and not how much."),
    paidAt: moment,
    coversUntil: moment.describe("The end of the month that it pays for."),
  })
  .openapi("Payment");
export type Payment = z.infer<typeof payment>;

export const listPayments = endpoint({
  method: "get",
  path: "/api/v1/payments",
  access: "billing:manage",
  tag,
  summary: "The organization's payments, newest first",
  description: "As the provider tells them, those that were declined or refunded, too.",
  query: listQuery.omit({ query: true }),
  status: 200,
  answer: pageOf(payment),
});

export const getPayment = endpoint({
  method: "get",
  path: "/api/v1/payments/{paymentId}",
  access: "billing:manage",
  tag,
  summary: "One payment",
  description: "What its invoice says.",
  params: z.object({ paymentId }),
  status: 200,
  answer: payment,
});
