import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";

export const getRetention = endpoint({
  method: "get",
  path: "/internal/v1/retention",
  access: "internal",
  summary: "How long the plan of the caller's organization keeps what ran; null without a plan: for ever",
  status: 200,
  answer: z.object({
    retention: z.object({ detailsDays: z.number().int(), verdictsDays: z.number().int() }).nullable(),
  }),
});
