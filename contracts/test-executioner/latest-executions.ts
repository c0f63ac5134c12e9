import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, pageSchema } from "../kit/endpoint.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { executionsTag as tag } from "./executions.ts";
import { executionState, verdict } from "./verdicts.ts";

export const latestExecution = z
  .object({
    testId: z.uuid(),
    executionId: z.uuid(),
    state: executionState,
    verdict: verdict.nullable(),
    statusCode: z.number().int().nullable(),
    responseMilliseconds: z.number().nullable(),
    queuedAt: moment,
    finishedAt: moment.nullable(),
    recent: z
      .array(
        z.object({
          executionId: z.uuid(),
          verdict,
          reason: z.string().nullable().describe("One sentence about the first failure, secrets replaced."),
          finishedAt: moment,
        }),
      )
      .optional()
      .describe(
        "Recent verdicts of the test, newest first; for a test with rows, each row separately. Only if requested.",
      ),
  })
  .openapi("LatestExecution");
export type LatestExecution = z.infer<typeof latestExecution>;

export const listLatestExecutions = endpoint({
  method: "get",
  path: "/api/v1/latest-executions",
  access: "tests:read",
  tag,
  summary: "The last execution of each named test",
  description: "Tests that never ran are omitted.",
  query: z.object({
    testIds: identifierList,
    recent: z.coerce.number().int().min(0).max(20).default(0).describe("How many recent verdicts to return per test."),
  }),
  status: 200,
  response: z.object({ items: z.array(latestExecution) }),
});

export const latestSorts = ["-lastRun", "lastRun", "verdict", "-verdict"] as const;

export const listLatestOfApi = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/latest-executions",
  access: "tests:read",
  tag,
  summary: "The last execution of each test of an API",
  description: "Tests that are currently running are omitted.",
  params: z.object({ apiId: z.uuid() }),
  query: listQuery.omit({ query: true }).extend({
    verdict: verdict.optional().describe("Only tests with this verdict"),
    sort: z
      .enum(latestSorts)
      .default("-lastRun")
      .describe("Sort key; a leading `-` reverses the order. `verdict` is the worst first, of equal ones the newest."),
  }),
  status: 200,
  response: pageSchema(latestExecution),
});

/** Totals over the last execution of every enabled test of the API. */
export const apiExecutionSummary = z
  .object({
    apiId: z.uuid(),
    passed: z.number().int(),
    failed: z.number().int(),
    errored: z.number().int(),
    flaky: z.number().int(),
    regional: z.number().int().default(0).describe("Failing from fewer places than their circle's rule says."),
    unfinished: z.number().int().describe("Queued or running."),
    failing: z
      .number()
      .int()
      .default(0)
      .describe("Failed, erred or blocked and have not passed since; also while they run again."),
    lastFinishedAt: moment.nullable(),
    failingSince: moment
      .nullable()
      .describe(
        "Start of the longest current failure: when a test first failed or erred without passing since. Null when none does.",
      ),
  })
  .openapi("ApiExecutionSummary");
export type ApiExecutionSummary = z.infer<typeof apiExecutionSummary>;

export const summarizeApis = endpoint({
  method: "get",
  path: "/api/v1/api-execution-summaries",
  access: "tests:read",
  tag,
  summary: "Counts of APIs' last verdicts",
  description: "Over the last execution of every enabled test.",
  query: z.object({
    apiIds: identifierList,
  }),
  status: 200,
  response: z.object({ items: z.array(apiExecutionSummary) }),
});

export const listApiRuns = endpoint({
  method: "get",
  path: "/api/v1/api-run-verdicts",
  access: "tests:read",
  tag,
  summary: "The last runs of APIs with their verdicts",
  description: "Finished runs with a test of the API, whatever else they ran. APIs without one are omitted.",
  query: z.object({ apiIds: identifierList }),
  status: 200,
  response: z.object({
    items: z.array(
      z.object({
        apiId: z.uuid(),
        runs: z
          .array(
            z.object({
              runId: z.uuid(),
              verdict: verdict.nullable().describe("Null for one cancelled without a verdict."),
              finishedAt: moment,
            }),
          )
          .describe("At most twelve, newest first."),
      }),
    ),
  }),
});

export const watchApi = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/executions/events",
  access: "tests:read",
  tag,
  summary: "Changes of an API's executions as server-sent events",
  description:
    "Events `summary` (ApiExecutionSummary) and `latest` (`{ items: LatestExecution[] }`, changed ones) while any execution of the API is unfinished.",
  params: z.object({ apiId: z.uuid() }),
  status: 200,
  otherResponses: {
    "text/event-stream": { description: "Server-sent events.", example: "event: summary\ndata: {}\n\n" },
  },
});
