import { z } from "@hono/zod-openapi";
import { completeListSchema, endpoint } from "../kit/endpoint.ts";
import { operatedTag as tag } from "./operated-subscriptions.ts";
import { amount } from "./subscriptions.ts";

export const monthlyNumbers = z
  .object({
    month: z.string().describe("In UTC.").openapi({ example: "2026-04" }),
    currency: z.string().describe("ISO 4217.").openapi({ example: "USD" }),
    began: z.number().int().describe("Subscriptions activated for the first time."),
    ended: z.number().int().describe("Formerly active subscriptions that were cancelled or ended."),
    activeAtEnd: z
      .number()
      .int()
      .describe("Subscriptions in effect at the end of the month; for the current month, now."),
    paid: amount.describe("Amount collected, including amounts returned later."),
    refunded: amount.describe("Amount refunded or reversed."),
  })
  .openapi("MonthlyNumbers");
export type ReportedMonth = z.infer<typeof monthlyNumbers>;

export const listMonthlyNumbers = endpoint({
  method: "get",
  path: "/api/v1/system/monthly-numbers",
  access: "system:manage",
  tag,
  summary: "Subscriptions and payments by month and currency, the newest month first",
  description: "Across all organizations. Currencies are never added up.",
  query: z.object({
    months: z.coerce.number().int().min(1).max(60).default(12).describe("Number of months, including the current one."),
  }),
  status: 200,
  response: completeListSchema(monthlyNumbers),
});
