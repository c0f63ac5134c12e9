import { z } from "@hono/zod-openapi";
import { endpoint, wholeListOf } from "../kit/endpoint.ts";
import { operatedTag as tag } from "./operated-subscriptions.ts";
import { amount } from "./subscriptions.ts";

export const monthlyNumbers = z
  .object({
    month: z.string().describe("In UTC.").openapi({ example: "2026-04" }),
    currency: z.string().describe("ISO 4217.").openapi({ example: "USD" }),
    began: z.number().int().describe("Subscriptions that were active for the first time."),
    ended: z.number().int().describe("Subscriptions that were cancelled or are over, having been active."),
    activeAtEnd: z
      .number()
      .int()
      .describe("Subscriptions that had begun and not ended when the month did; of the current month, now."),
    paid: amount.describe("What was collected, whatever went back later."),
    refunded: amount.describe("What went back, refunded or reversed."),
  })
  .openapi("MonthlyNumbers");
export type ShownMonth = z.infer<typeof monthlyNumbers>;

export const listMonthlyNumbers = endpoint({
  method: "get",
  path: "/api/v1/system/monthly-numbers",
  access: "system:manage",
  tag,
  summary: "Subscriptions and payments by month and currency, the newest month first",
  description: "Of all organizations. Currencies are never added up.",
  query: z.object({
    months: z.coerce.number().int().min(1).max(60).default(12).describe("How many, up to the current one."),
  }),
  status: 200,
  answer: wholeListOf(monthlyNumbers),
});
