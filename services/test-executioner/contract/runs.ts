import { z } from "@hono/zod-openapi";
import { listQuery, operation, pageOf } from "../../kit/contract/operation.ts";
import { orNone } from "../../kit/contract/or-none.ts";
import { executionState, runTrigger, verdict, wait } from "./executions.ts";

/** What a start asks for. A circle's execution will be a run whose source is the circle. */
export const runSourceInput = z.union([
  z.object({ tests: z.array(z.uuid()).min(1).max(5_000) }),
  z.object({
    apiId: z.uuid(),
    /** `safe` leaves out tests with methods that may change something (RFC 9110, 9.2.1). */
    include: z.enum(["safe", "all"]).default("safe"),
  }),
  /** The tests of an earlier run whose execution failed or errored, with the same environments and variables. */
  z.object({ runId: z.uuid(), only: z.literal("failed") }),
]);

export const runSource = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("test"), testId: z.uuid(), testName: z.string() }),
    z.object({ kind: z.literal("tests"), testCount: z.number().int() }),
    z.object({ kind: z.literal("api"), apiId: z.uuid(), include: z.enum(["safe", "all"]) }),
    z.object({ kind: z.literal("rerun"), runId: z.uuid() }),
  ])
  .openapi("RunSource");
export type RunSource = z.infer<typeof runSource>;

/** Sequential members start one after the other and hand captures on; parallel ones know nothing of each other. */
export const runOrder = z.enum(["sequential", "parallel"]);
export type RunOrder = z.infer<typeof runOrder>;

/** Of tests and of executions apart: a test with data rows is one test and as many executions. */
export const runCounts = z
  .object({
    tests: z.number().int(),
    executions: z.number().int(),
    /** Executions that are queued or running. */
    unfinished: z.number().int(),
    cancelled: z.number().int(),
    passed: z.number().int(),
    failed: z.number().int(),
    errored: z.number().int(),
    flaky: z.number().int(),
    skipped: z.number().int(),
    blocked: z.number().int(),
    /** Tests that `include: "safe"` left out. */
    leftOut: z.number().int(),
  })
  .openapi("RunCounts");
export type RunCounts = z.infer<typeof runCounts>;

export const runSummary = z
  .object({
    id: z.uuid(),
    source: runSource,
    trigger: runTrigger,
    order: runOrder,
    stopOnFailure: z.boolean(),
    state: executionState,
    /** The worst of its executions; null while it goes on, and of a run that was cancelled before anything ended. */
    verdict: verdict.nullable(),
    counts: runCounts,
    /** APIs whose tests it runs, with the version of the document each was judged by, pinned at the start. */
    apis: z.array(
      z.object({
        apiId: z.uuid(),
        apiName: z.string(),
        documentId: z.uuid(),
        environment: z.string().nullable(),
        baseUrl: z.string().nullable(),
      }),
    ),
    /** The first failure's reason, secrets replaced. */
    reason: z.string().nullable(),
    queuedAt: z.string(),
    startedAt: z.string().nullable(),
    finishedAt: z.string().nullable(),
  })
  .openapi("RunSummary");
export type RunSummary = z.infer<typeof runSummary>;

export const runMember = z
  .object({
    /** From 1, in the order of the run. */
    position: z.number().int(),
    executionId: z.uuid(),
    testId: z.uuid(),
    testName: z.string(),
    apiId: z.uuid(),
    method: z.string(),
    path: z.string(),
    /** Row of the test's data, from 1; absent for a test without rows. */
    row: z.number().int().optional(),
    state: executionState,
    verdict: verdict.nullable(),
    /** One sentence of the first thing that went wrong, secrets replaced. */
    reason: z.string().nullable(),
    attemptCount: z.number().int(),
    statusCode: z.number().int().nullable(),
    queuedAt: z.string(),
    startedAt: z.string().nullable(),
    finishedAt: z.string().nullable(),
    /** From its start to its end, pauses between attempts included; null before its end. */
    durationMilliseconds: z.number().nullable(),
  })
  .openapi("RunMember");
export type RunMember = z.infer<typeof runMember>;

export const run = runSummary
  .extend({
    /** At most five: the failed, errored and blocked ones that stand first. */
    firstFailures: z.array(runMember),
    /** What members captured so far; a secret one without its value. */
    captures: z.array(
      z.object({
        name: z.string(),
        value: z.string().nullable(),
        secret: z.boolean(),
        /** Of the member; 0 where the run it repeats captured it. */
        position: z.number().int(),
      }),
    ),
    members: pageOf(runMember),
  })
  .openapi("Run");
export type Run = z.infer<typeof run>;

const runParams = z.object({ runId: z.uuid() });

/**
 * Takes `Idempotency-Key`: the same key within a day answers with the same run.
 * Disabled tests run only when named.
 */
export const startRun = operation({
  method: "post",
  path: "/api/v1/runs",
  mayTakeSeconds: 60,
  access: "tests:run",
  audit: "run",
  summary: "Starts a run; `wait` answers when it is finished",
  query: wait,
  body: z.object({
    source: runSourceInput,
    order: runOrder.default("parallel"),
    stopOnFailure: z.boolean().default(false),
    /** Name of the environment by API. */
    environments: orNone(z.record(z.uuid(), z.string().max(100))),
    variables: orNone(z.record(z.string().max(100), z.string().max(100_000))),
    trigger: runTrigger.default("api"),
    /** Answers with a run of the same test, API or failed tests that still goes on, rather than starting another. */
    joinUnfinished: z.boolean().default(false),
  }),
  status: 202,
  answer: runSummary,
});

export const listRuns = operation({
  method: "get",
  path: "/api/v1/runs",
  access: "tests:read",
  summary: "Runs, newest first",
  query: listQuery.omit({ query: true }).extend({
    apiId: z.uuid().optional(),
    testId: z.uuid().optional(),
    verdict: verdict.optional(),
    trigger: runTrigger.optional(),
    from: z.string().optional(),
    to: z.string().optional(),
  }),
  status: 200,
  answer: pageOf(runSummary),
});

export const getRun = operation({
  method: "get",
  path: "/api/v1/runs/{runId}",
  access: "tests:read",
  summary: "One run with its members, in their order",
  params: runParams,
  query: listQuery.omit({ query: true }).extend({ verdict: verdict.optional() }),
  status: 200,
  answer: run,
});

/**
 * Server-sent events until the run has ended: first `run` (a RunSummary) as it is, then of every change `members`
 * ({ items: RunMember[] }, only those that changed) and `run`. The last event is `run`.
 */
export const watchRun = operation({
  method: "get",
  path: "/api/v1/runs/{runId}/events",
  access: "tests:read",
  summary: "Changes of a run as server-sent events",
  params: runParams,
  status: 200,
  answerType: "text/event-stream",
});

export const cancelRun = operation({
  method: "post",
  path: "/api/v1/runs/{runId}/cancel",
  access: "tests:run",
  audit: "run",
  summary: "Cancels what has not started",
  params: runParams,
  status: 200,
  answer: runSummary,
});

/** By `Accept`: `application/json`, `application/junit+xml` or `text/xml`, `application/har+json`. */
export const reportRun = operation({
  method: "get",
  path: "/api/v1/runs/{runId}/report",
  access: "tests:read",
  summary: "A run's report as JSON, JUnit XML or HAR",
  params: runParams,
  status: 200,
  answerType: "application/json",
});
