import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, pageSchema } from "../kit/endpoint.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { latestSorts } from "./latest-executions.ts";
import { runStarter } from "./run-starters.ts";
import { runCounts, runsTag } from "./runs.ts";
import { runState, runTrigger, verdict } from "./verdicts.ts";

export const circleStatus = z
  .object({
    testCircleId: z.uuid(),
    lastRun: z
      .object({
        runId: z.uuid(),
        state: runState,
        verdict: verdict.nullable(),
        reason: z.string().nullable(),
        trigger: runTrigger,
        startedBy: runStarter.nullable().describe("Null for runs from before this was recorded."),
        counts: runCounts,
        queuedAt: moment,
        startedAt: moment.nullable(),
        finishedAt: moment.nullable(),
      })
      .describe("The newest run, finished or not."),
    lastVerdicts: z
      .array(
        z.object({
          runId: z.uuid(),
          verdict: verdict.nullable(),
          finishedAt: moment,
          passed: z
            .number()
            .int()
            .describe(
              "Executions that passed, including at a later attempt; from several places each member once, by the circle's rule.",
            ),
          notPassed: z.number().int().describe("All others, including skipped ones."),
        }),
      )
      .describe("At most twelve finished runs, newest first; null for one cancelled without a verdict."),
  })
  .openapi("CircleStanding");
export type CircleStatus = z.infer<typeof circleStatus>;

export const listCircleStandings = endpoint({
  method: "get",
  path: "/api/v1/test-circle-standings",
  access: "tests:read",
  tag: runsTag,
  summary: "Status of circles: their last run and their last verdicts",
  description: "Whole runs only, no partial repetitions. Circles that never ran are omitted.",
  query: z.object({ testCircleIds: identifierList }),
  status: 200,
  response: z.object({ items: z.array(circleStatus) }),
});

export const listLatestCircleRuns = endpoint({
  method: "get",
  path: "/api/v1/latest-circle-runs",
  access: "tests:read",
  tag: runsTag,
  summary: "The last run of each circle",
  description: "Whole runs only. Circles that never ran are omitted; deleted ones are not.",
  query: listQuery.omit({ query: true }).extend({
    apiId: z.uuid().optional().describe("Only circles whose last run had a test of this API"),
    sort: z
      .enum(latestSorts)
      .default("-lastRun")
      .describe(
        "Sort key; a leading `-` reverses the order. `verdict` is the worst first, of equal ones the newest; a run without a verdict is the mildest.",
      ),
  }),
  status: 200,
  response: pageSchema(z.object({ testCircleId: z.uuid(), runId: z.uuid(), verdict: verdict.nullable() })),
});
