import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { runParams, runsTag } from "./runs.ts";

export const describeRepetition = endpoint({
  method: "get",
  path: "/api/v1/runs/{runId}/repetition",
  access: "tests:read",
  tag: runsTag,
  summary: "Preview of a repetition",
  description:
    "Counted by method, to show which requests would be sent again. Based on the earlier run: deleted or changed tests are only detected when it starts.",
  params: runParams,
  query: z.object({
    from: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe("Position of the first member to run again; without it, the failed ones"),
  }),
  status: 200,
  response: z.object({
    executions: z.number().int(),
    methods: z
      .array(
        z.object({ method: z.string(), safe: z.boolean().describe("RFC 9110, 9.2.1"), executions: z.number().int() }),
      )
      .describe("In alphabetical order."),
  }),
  problems: { conflict: "The run to repeat is still running." },
});
