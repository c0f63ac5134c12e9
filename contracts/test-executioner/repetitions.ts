import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { runParams, runsTag } from "./runs.ts";

export const describeRepetition = endpoint({
  method: "get",
  path: "/api/v1/runs/{runId}/repetition",
  access: "tests:read",
  tag: runsTag,
  summary: "What would run again",
  description:
    "Counted by method, so that whoever is about to repeat a run knows what is sent once more. As it was then: tests that are gone or have changed since are known when it starts.",
  params: runParams,
  query: z.object({
    from: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe("Position of the first member that runs again; without it what failed does"),
  }),
  status: 200,
  answer: z.object({
    executions: z.number().int(),
    methods: z
      .array(
        z.object({ method: z.string(), safe: z.boolean().describe("RFC 9110, 9.2.1"), executions: z.number().int() }),
      )
      .describe("In alphabetical order."),
  }),
  problems: { conflict: "The run to repeat still goes on." },
});
