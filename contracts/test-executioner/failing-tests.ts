import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, pageSchema } from "../kit/endpoint.ts";
import { executionSummary, executionsTag as tag } from "./executions.ts";

export const failingTest = z
  .object({
    testId: z.uuid(),
    apiId: z.uuid(),
    since: moment.describe("When it started to fail or err without passing since."),
    execution: executionSummary
      .nullable()
      .describe("The last one that failed or erred; null when it is no longer stored."),
  })
  .openapi("FailingTest");
export type FailingTest = z.infer<typeof failingTest>;

export const listFailingTests = endpoint({
  method: "get",
  path: "/api/v1/failing-tests",
  access: "tests:read",
  tag,
  summary: "Failing tests, the latest to start failing first",
  description:
    "Tests that failed, erred or were blocked and have not passed since; also while they run again. Disabled ones are omitted.",
  query: listQuery.omit({ query: true }).extend({ apiId: z.uuid().optional().describe("Only tests of this API") }),
  status: 200,
  response: pageSchema(failingTest).extend({
    byApi: z
      .array(z.object({ apiId: z.uuid(), total: z.number().int() }))
      .describe("Number per API, highest first, for at most 200 APIs."),
  }),
});
