import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { verification } from "../test-analyzer/verifications.ts";

export const findVerifications = endpoint({
  method: "get",
  path: "/internal/v1/test-executions/{executionId}/verifications",
  access: "internal",
  summary: "Stored verifications of an execution",
  description:
    "The analyzer evaluates and displays them; the executioner stores them with the attempts they belong to.",
  params: z.object({ executionId: z.uuid() }),
  status: 200,
  response: z.object({ items: z.array(verification) }),
});
