import { z } from "@hono/zod-openapi";
import { endpoint, moment } from "../kit/endpoint.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { runStarter } from "./run-starters.ts";
import { runCounts, runsTag } from "./runs.ts";
import { runState, runTrigger, verdict } from "./verdicts.ts";

export const circleStanding = z
  .object({
    testCircleId: z.uuid(),
    lastRun: z
      .object({
        runId: z.uuid(),
        state: runState,
        verdict: verdict.nullable(),
        reason: z.string().nullable(),
        trigger: runTrigger,
        startedBy: runStarter.nullable().describe("Null of runs from before this was kept."),
        counts: runCounts,
        queuedAt: moment,
        startedAt: moment.nullable(),
        finishedAt: moment.nullable(),
      })
      .describe("The newest, ended or not."),
    lastVerdicts: z
      .array(
        z.object({
          runId: z.uuid(),
          verdict: verdict.nullable(),
          finishedAt: moment,
          passed: z.number().int().describe("Executions that passed, at a later attempt, too."),
          notPassed: z.number().int().describe("All others, skipped ones among them."),
        }),
      )
      .describe(
        "Of at most twelve runs that have ended, newest first; null where one was cancelled without a verdict.",
      ),
  })
  .openapi("CircleStanding");
export type CircleStanding = z.infer<typeof circleStanding>;

export const listCircleStandings = endpoint({
  method: "get",
  path: "/api/v1/test-circle-standings",
  access: "tests:read",
  tag: runsTag,
  summary: "How circles stand: their last run and their last verdicts",
  description: "Whole runs only, none that repeat a part. Circles that never ran are left out.",
  query: z.object({ testCircleIds: identifierList }),
  status: 200,
  answer: z.object({ items: z.array(circleStanding) }),
});
