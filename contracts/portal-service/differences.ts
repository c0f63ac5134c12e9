import { z } from "@hono/zod-openapi";

/** What of a subscription an answer of the provider may change. */
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
    id: z.string().nullable().describe("Of a payment its number at the provider.").openapi({ example: null }),
    before: z
      .string()
      .nullable()
      .describe("A state, a moment, an amount as in `49.00 USD`, a count, an id; null for nothing.")
      .openapi({ example: "ACTIVE" }),
    after: z.string().nullable().openapi({ example: "SUSPENDED" }),
  })
  .openapi("Difference");
export type ShownDifference = z.infer<typeof difference>;
