import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { verification } from "../test-analyzer/verifications.ts";

export const findVerifications = endpoint({
  method: "get",
  path: "/internal/v1/test-executions/{executionId}/verifications",
  access: "internal",
  summary: "Verifications kept of an execution",
  description:
    "What the analyzer shows: it judged them, and the executioner keeps them with the attempts they were made from.",
  params: z.object({ executionId: z.uuid() }),
  status: 200,
  answer: z.object({ items: z.array(verification) }),
});
