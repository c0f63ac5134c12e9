import { z } from "@hono/zod-openapi";
import { endpoint, moment } from "../kit/endpoint.ts";
import { bodyComparison } from "./comparisons.ts";
import { executionParams, executionsTag } from "./executions.ts";
import { verdict } from "./verdicts.ts";

export const executionComparison = z
  .object({
    failures: z
      .number()
      .int()
      .describe("Runs in a row in which the test did not pass, this one included; 0 where this one did, or goes on."),
    isWhole: z.boolean().describe("False: it may have failed for longer than was looked through."),
    passed: z
      .object({
        executionId: z.uuid(),
        runId: z.uuid(),
        verdict,
        finishedAt: moment,
        statusCode: z.number().int().nullable(),
        responseMilliseconds: z.number().nullable(),
      })
      .nullable()
      .describe("When it passed last before; null where it did not, or where `failures` is 0."),
    changes: z
      .array(z.enum(["statusCode", "time", "headers", "body", "document"]))
      .describe(
        "What is not as it was then. `time`: at least twice or half as long, and by 100 ms or more. `document`: the API's document was imported anew.",
      ),
    headers: bodyComparison
      .nullable()
      .describe(
        "Headers of the response, each a member by its name in small letters; those of every response left out.",
      ),
    body: bodyComparison
      .nullable()
      .describe("Null where bodies are the same, or where one is not there, no text, or longer than 256 KiB."),
  })
  .openapi("ExecutionComparison");
export type ExecutionComparison = z.infer<typeof executionComparison>;

export const compareExecution = endpoint({
  method: "get",
  path: "/api/v1/test-executions/{executionId}/comparison",
  access: "tests:read",
  tag: executionsTag,
  summary: "Since when a test fails, and what differs from when it passed last",
  description:
    "Looks through the last 200 executions before this one of the same test, and of the same row, in the same circle or outside of circles, with the same environment. Of a run that has the test several times, one counts.",
  params: executionParams,
  status: 200,
  answer: executionComparison,
});
