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
      .describe(
        "Consecutive runs in which the test did not pass, including this one; 0 if this one passed or is still running.",
      ),
    isWhole: z.boolean().describe("False: it may have been failing for longer than the runs examined."),
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
      .describe("When it last passed before; null if it did not, or if `failures` is 0."),
    changes: z
      .array(z.enum(["statusCode", "time", "headers", "body", "document"]))
      .describe(
        "Differences from that execution. `time`: at least twice or half as long, and by 100 ms or more. `document`: the API's document was imported again.",
      ),
    headers: bodyComparison
      .nullable()
      .describe("Headers of the response, keyed by their names in lower case; headers of every response are omitted."),
    body: bodyComparison
      .nullable()
      .describe("Null if bodies are identical, or if one is missing, binary, or longer than 256 KiB."),
  })
  .openapi("ExecutionComparison");
export type ExecutionComparison = z.infer<typeof executionComparison>;

export const compareExecution = endpoint({
  method: "get",
  path: "/api/v1/test-executions/{executionId}/comparison",
  access: "tests:read",
  tag: executionsTag,
  summary: "Since when a test fails, and the differences from its last success",
  description:
    "Examines the last 200 earlier executions of the same test and row, in the same circle or outside circles, with the same environment. A run that contains the test several times is counted once.",
  params: executionParams,
  status: 200,
  response: executionComparison,
});
