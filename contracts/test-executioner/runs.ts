import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { capturedType } from "../test-analyzer/verifications.ts";
import { circlePhase } from "../test-registry/circle-members.ts";
import { placeRule } from "../test-registry/circle-places.ts";
import { outcomeSort, period, placeOfExecution } from "./executions.ts";
import { junit } from "./junit.ts";
import { runStarter } from "./run-starters.ts";
import { executionState, executionVerdict, runState, runTrigger, verdict } from "./verdicts.ts";

export const runsTag: Tag = { name: "Runs", description: "All executions caused by one start, with one verdict." };

const circleOfRun = {
  testCircleId: z.uuid(),
  testCircleName: z.string().describe("Its name at the start."),
};

export const runSource = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("test"), testId: z.uuid(), testName: z.string() }),
    z.object({ kind: z.literal("tests"), testCount: z.number().int() }),
    z.object({ kind: z.literal("api"), apiId: z.uuid(), include: z.enum(["safe", "all"]) }),
    z.object({ kind: z.literal("circle"), ...circleOfRun }),
    z.object({
      kind: z.literal("rerun"),
      runId: z.uuid(),
      from: z.number().int().optional().describe("Position in that run; omitted when only the failed ones ran."),
      circle: z.object(circleOfRun).optional().describe("For a circle's run, the circle."),
    }),
  ])
  .openapi("RunSource");
export type RunSource = z.infer<typeof runSource>;

/**
 * Sequential members start one after the other and pass captures on; parallel ones are independent. A circle's set-up
 * and tear-down are sequential in either case, and all members receive what set-up captures.
 */
export const runOrder = z.enum(["sequential", "parallel"]);
export type RunOrder = z.infer<typeof runOrder>;

/** Counts of tests and of executions: a test with data rows is one test and as many executions as rows. */
export const runCounts = z
  .object({
    tests: z.number().int(),
    executions: z.number().int(),
    unfinished: z.number().int().describe("Queued or running executions."),
    cancelled: z.number().int(),
    passed: z.number().int(),
    failed: z.number().int(),
    errored: z.number().int(),
    flaky: z.number().int(),
    skipped: z.number().int(),
    blocked: z.number().int(),
    regional: z
      .number()
      .int()
      .default(0)
      .describe(
        "Executions that failed from a place while their test does not fail by the circle's rule; not among the others.",
      ),
    leftOut: z.number().int().describe('Tests omitted by `include: "safe"`, and disabled ones a circle names.'),
  })
  .openapi("RunCounts");
export type RunCounts = z.infer<typeof runCounts>;

export const runSummary = z
  .object({
    id: z.uuid(),
    source: runSource,
    trigger: runTrigger,
    startedBy: runStarter.nullable().describe("Null for runs from before this was recorded."),
    order: runOrder,
    concurrency: z
      .number()
      .int()
      .nullable()
      .describe("Maximum number of concurrent members of a parallel circle; null: limited by capacity only."),
    stopOnFailure: z.boolean(),
    onlyOwn: z
      .boolean()
      .describe("Whether its members may change only what the run created, as set in its circle at the start."),
    state: runState.describe("`cancelling`: cancelled, while active executions and a circle's tear-down finish."),
    verdict: verdict
      .nullable()
      .describe(
        "The worst of its executions, or from several places of its tests by the circle's rule; null while it is running, and for a run cancelled before anything ended.",
      ),
    counts: runCounts,
    apis: z
      .array(
        z.object({
          apiId: z.uuid(),
          apiName: z.string(),
          documentId: z.uuid(),
          environment: z.string().nullable(),
          baseUrl: z.string().nullable(),
        }),
      )
      .describe("APIs of its tests, with the document version used for each, pinned at the start."),
    places: placeRule
      .extend({
        ids: z.array(z.uuid().nullable()).describe("Locations; null: the portal itself."),
        turn: z.int().optional().describe("With `inTurn`: which of them it was sent from, by its index."),
        deletedIds: z
          .array(z.uuid())
          .optional()
          .describe("Locations that its circle names, and that were deleted before it: it was sent from the others."),
        seriesSize: z.int().nullable().describe("Members of each place, which follow those of the place before."),
      })
      .optional()
      .describe("Several places that its circle is sent from."),
    lateAgentId: z
      .uuid()
      .optional()
      .describe("The agent that started it at its due time, while the portal was away; recorded late."),
    reason: z.string().nullable().describe("Reason of the first failure, secrets replaced."),
    queuedAt: moment,
    startedAt: moment.nullable(),
    finishedAt: moment.nullable(),
  })
  .openapi("RunSummary");
export type RunSummary = z.infer<typeof runSummary>;

export const runMember = z
  .object({
    position: z.number().int().describe("From 1, in run order."),
    phase: circlePhase.describe("For a circle's run; else `main`."),
    executionId: z.uuid(),
    testId: z.uuid(),
    testName: z.string(),
    apiId: z.uuid(),
    method: z.string(),
    path: z.string(),
    row: z.number().int().optional().describe("Row of the test's data, from 1; absent for a test without rows."),
    rowName: z.string().optional().describe("What its column `case` says."),
    ...placeOfExecution,
    isRegional: z
      .literal(true)
      .optional()
      .describe("It failed from its place, and its test does not fail by the circle's rule."),
    state: executionState,
    verdict: executionVerdict.nullable(),
    reason: z.string().nullable().describe("One sentence about the first failure, secrets replaced."),
    attemptCount: z.number().int(),
    statusCode: z.number().int().nullable(),
    queuedAt: moment,
    startedAt: moment.nullable(),
    finishedAt: moment.nullable(),
    durationMilliseconds: z
      .number()
      .nullable()
      .describe("From its start to its end, including pauses between attempts; null before its end."),
    responseMilliseconds: z
      .number()
      .nullable()
      .optional()
      .describe("Of its last attempt, from sending to the end of the response; null without a response."),
    sendingMilliseconds: z
      .number()
      .nullable()
      .optional()
      .describe("Part of `responseMilliseconds`: connecting, and sending the request. Null for earlier executions."),
    storingMilliseconds: z
      .number()
      .nullable()
      .optional()
      .describe("From its end until its result was stored. Null before that and for earlier executions."),
  })
  .openapi("RunMember");
export type RunMember = z.infer<typeof runMember>;

export const run = runSummary
  .extend({
    firstFailures: z.array(runMember).describe("At most five: the first failed, errored and blocked ones by position."),
    captures: z
      .array(
        z.object({
          name: z.string(),
          value: z.string().nullable(),
          secret: z.boolean(),
          type: capturedType
            .nullable()
            .default(null)
            .describe("`string`, or `json` when `value` is JSON text; null for text without a JSON type."),
          position: z
            .number()
            .int()
            .describe("Position of the member; 0 for values known at the start: from the repeated run, or the circle."),
        }),
      )
      .describe(
        "Values captured so far, and at position 0 those known at the start: a circle's secret and generated variables, and an earlier run's captures. Secret ones without their values; null, too, for an optional capture that found nothing.",
      ),
    members: pageSchema(runMember),
  })
  .openapi("Run");
export type Run = z.infer<typeof run>;

export const runParams = z.object({ runId: z.uuid() });

export const listRuns = endpoint({
  method: "get",
  path: "/api/v1/runs",
  access: "tests:read",
  tag: runsTag,
  summary: "Runs, newest first",
  description: "For the organization; filters narrow them down.",
  query: listQuery.omit({ query: true }).extend({
    apiId: z.uuid().optional(),
    testId: z.uuid().optional(),
    testCircleId: z.uuid().optional().describe("Only runs of this circle, whole or partial"),
    source: z.enum(["circle"]).optional().describe("Only runs of circles"),
    verdict: verdict.optional().describe("Only runs with this verdict"),
    trigger: runTrigger.optional().describe("Only runs with this trigger"),
    sort: outcomeSort.describe(
      "Sort key; a leading `-` reverses the order. `verdict` is the worst first, of equal ones the newest, and omits runs without a verdict. With `testId` always the newest first.",
    ),
    ...period,
  }),
  status: 200,
  response: pageSchema(runSummary),
});

export const failing = z.enum(["true", "false", "whileUnfinished"]);
export type Failing = z.infer<typeof failing>;

export const getRun = endpoint({
  method: "get",
  path: "/api/v1/runs/{runId}",
  access: "tests:read",
  tag: runsTag,
  summary: "One run with its members",
  description:
    "Members in order, page by page; `firstFailures` are the first failed ones by position. With `Accept: application/xml` or `application/junit+xml` it is the JUnit report of the whole run, as `GET /runs/{runId}/report` returns it.",
  params: runParams,
  query: listQuery.omit({ query: true }).extend({
    verdict: verdict.optional().describe("Only members with this verdict"),
    failing: failing
      .optional()
      .describe(
        "Only members that failed, errored or were blocked, or only the others; `whileUnfinished`: both until the run has ended, then the others",
      ),
  }),
  status: 200,
  response: run,
  otherResponses: { "application/junit+xml": junit, "application/xml": junit, "text/xml": junit },
});

const position = z.coerce.number().int().min(0).optional();

export const watchRun = endpoint({
  method: "get",
  path: "/api/v1/runs/{runId}/events",
  access: "tests:read",
  tag: runsTag,
  summary: "Changes of a run as server-sent events",
  description:
    "Until the run has ended: first its current `run` (a RunSummary), then for every change `members` (`{ items: RunMember[] }`, only the changed ones) and `run`. The last event is `run`.",
  params: runParams,
  query: z.object({
    from: position.describe("Includes members from this position on, and the first five that failed"),
    to: position.describe("Includes members up to this position, and the first five that failed"),
  }),
  status: 200,
  otherResponses: { "text/event-stream": { description: "Server-sent events.", example: "event: run\ndata: {}\n\n" } },
});

export const cancelRun = endpoint({
  method: "post",
  path: "/api/v1/runs/{runId}/cancel",
  access: "tests:run",
  audit: "run",
  tag: runsTag,
  summary: "Cancels a run",
  description:
    "Pending requests are not sent; active ones finish, and the run is `cancelling` until then. The tear-down of a circle that has started still runs.",
  params: runParams,
  status: 200,
  response: runSummary,
  problems: { conflict: "The run has ended." },
});
