import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";

export const getRetention = endpoint({
  method: "get",
  path: "/internal/v1/retention",
  access: "internal",
  summary: "Retention of results under the plan of the caller's organization; null without a plan: unlimited",
  status: 200,
  response: z.object({
    retention: z.object({ detailsDays: z.number().int(), verdictsDays: z.number().int() }).nullable(),
  }),
});
