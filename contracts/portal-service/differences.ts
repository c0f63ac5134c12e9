import { z } from "@hono/zod-openapi";

/** Fields of a subscription that the provider's response may change. */
export const differenceSubjects = [
  "state",
  "plan",
  "price",
  "nextPayment",
  "paidUntil",
  "failedPayments",
  "payment",
] as const;

export const difference = z
  .object({
    subject: z.enum(differenceSubjects),
    id: z.string().nullable().describe("For a payment, its number at the provider.").openapi({ example: null }),
    before: z
      .string()
      .nullable()
      .describe("A state, a time, an amount such as `49.00 USD`, a count or an id; null if empty.")
      .openapi({ example: "ACTIVE" }),
    after: z.string().nullable().openapi({ example: "SUSPENDED" }),
  })
  .openapi("Difference");
export type ReportedDifference = z.infer<typeof difference>;
