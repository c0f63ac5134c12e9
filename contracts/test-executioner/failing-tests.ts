import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, pageOf } from "../kit/endpoint.ts";
import { executionSummary, executionsTag as tag } from "./executions.ts";

export const failingTest = z
  .object({
    testId: z.uuid(),
    apiId: z.uuid(),
    since: moment.describe("When it began to fail or err, without passing since."),
    execution: executionSummary.nullable().describe("The last one that failed or erred; null once it is not kept."),
  })
  .openapi("FailingTest");
export type FailingTest = z.infer<typeof failingTest>;

export const listFailingTests = endpoint({
  method: "get",
  path: "/api/v1/failing-tests",
  access: "tests:read",
  tag,
  summary: "Tests that fail now, the latest to begin first",
  description:
    "Those that have failed, erred or been blocked and not passed since; also while they run again. Disabled ones are left out.",
  query: listQuery.omit({ query: true }).extend({ apiId: z.uuid().optional().describe("Keeps those of this API") }),
  status: 200,
  answer: pageOf(failingTest).extend({
    byApi: z
      .array(z.object({ apiId: z.uuid(), total: z.number().int() }))
      .describe("How many of each API, most first, of at most 100 APIs."),
  }),
});
