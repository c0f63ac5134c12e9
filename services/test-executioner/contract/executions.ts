import { z } from "@hono/zod-openapi";
import { identifier, listQuery, operation, pageOf } from "../../kit/contract/operation.ts";
import { orNone } from "../../kit/contract/or-none.ts";
import { testRequest } from "../../test-registry/contract/tests.ts";

export const verdicts = ["passed", "failed", "errored", "flaky", "skipped", "blocked"] as const;
export const verdict = z.enum(verdicts);
export type Verdict = z.infer<typeof verdict>;

export const executionStates = ["queued", "running", "finished", "cancelled"] as const;
export const executionState = z.enum(executionStates);
export type ExecutionState = z.infer<typeof executionState>;

/** Who started a run: a person, a schedule, continuous integration, another program, or somebody repeating a run. */
export const runTrigger = z.enum(["manual", "schedule", "ci", "api", "rerun"]);
export type RunTrigger = z.infer<typeof runTrigger>;

const headerPairs = z.array(z.tuple([z.string(), z.string()]));

/** Milliseconds spent in each phase of one request. */
export const phases = z
  .object({
    blocked: z.number(),
    dns: z.number(),
    connect: z.number(),
    tls: z.number(),
    send: z.number(),
    wait: z.number(),
    receive: z.number(),
    total: z.number(),
  })
  .openapi("Phases");
export type Phases = z.infer<typeof phases>;

export const tlsFacts = z
  .object({
    protocol: z.string(),
    cipher: z.string(),
    subject: z.string(),
    issuer: z.string(),
    validFrom: z.string(),
    validTo: z.string(),
    daysLeft: z.number(),
    authorized: z.boolean(),
    fingerprint256: z.string(),
  })
  .openapi("TlsFacts");

export const sentRequest = z
  .object({
    method: z.string(),
    url: z.string(),
    headers: headerPairs,
    /** As text with every known secret replaced; null when there was no body. */
    body: z.string().nullable(),
    bodyBytes: z.number().int(),
  })
  .openapi("SentRequest");
export type SentRequest = z.infer<typeof sentRequest>;

export const receivedResponse = z
  .object({
    url: z.string(),
    status: z.number().int(),
    statusText: z.string(),
    httpVersion: z.string(),
    headers: headerPairs,
    /** Text of at most 1 MiB; null when it is not text (then only the size is kept). */
    body: z.string().nullable(),
    bodyBytes: z.number().int(),
    truncated: z.boolean(),
    tls: tlsFacts.optional(),
    redirects: z.array(z.object({ url: z.string(), status: z.number().int(), location: z.string().optional() })),
  })
  .openapi("ReceivedResponse");
export type ReceivedResponse = z.infer<typeof receivedResponse>;

/** Why something could not be judged. `code` is closed; `detail` a sentence a person can act on. */
export const cause = z.object({ code: z.string(), detail: z.string(), phase: z.string().optional() }).openapi("Cause");
export type Cause = z.infer<typeof cause>;

export const attempt = z
  .object({
    number: z.number().int(),
    startedAt: z.string(),
    durationMilliseconds: z.number(),
    request: sentRequest.nullable(),
    response: receivedResponse.nullable(),
    phases: phases.nullable(),
    verdict,
    cause: cause.optional(),
  })
  .openapi("Attempt");
export type Attempt = z.infer<typeof attempt>;

export const executionSummary = z
  .object({
    id: z.uuid(),
    runId: z.uuid(),
    testId: z.uuid(),
    testName: z.string(),
    apiId: z.uuid(),
    method: z.string(),
    path: z.string(),
    /** Row of the test's data, from 1; absent for a test without rows. */
    row: z.number().int().optional(),
    state: executionState,
    verdict: verdict.nullable(),
    cause: cause.optional(),
    trigger: runTrigger,
    attemptCount: z.number().int(),
    statusCode: z.number().int().nullable(),
    responseMilliseconds: z.number().nullable(),
    queuedAt: z.string(),
    startedAt: z.string().nullable(),
    finishedAt: z.string().nullable(),
  })
  .openapi("ExecutionSummary");
export type ExecutionSummary = z.infer<typeof executionSummary>;

export const execution = executionSummary.extend({ attempts: z.array(attempt) }).openapi("Execution");
export type Execution = z.infer<typeof execution>;

export const latestExecution = z
  .object({
    testId: z.uuid(),
    executionId: z.uuid(),
    state: executionState,
    verdict: verdict.nullable(),
    statusCode: z.number().int().nullable(),
    responseMilliseconds: z.number().nullable(),
    queuedAt: z.string(),
    finishedAt: z.string().nullable(),
  })
  .openapi("LatestExecution");
export type LatestExecution = z.infer<typeof latestExecution>;

const testParams = z.object({ testId: z.uuid() });
const executionParams = z.object({ executionId: z.uuid() });
const apiParams = z.object({ apiId: z.uuid() });
export const wait = z.object({
  /** Seconds to wait for the end before answering. */
  wait: z.coerce.number().min(0).max(60).default(0),
});
const overrides = z
  .object({
    baseUrl: orNone(z.string().max(4_000)),
    environment: orNone(z.string().max(100)),
    variables: orNone(z.record(z.string(), z.string())),
    /** Left out: `manual` with a person's session, else `api`. */
    trigger: orNone(runTrigger),
  })
  .default({});

/**
 * Takes `Idempotency-Key`: the same key within a day answers with the same execution.
 * A test with rows runs once a row: `rows` names each, and `id`, `state` and `verdict` are those of the worst.
 */
export const runTest = operation({
  method: "post",
  path: "/api/v1/tests/{testId}/executions",
  access: "tests:run",
  audit: "run",
  summary: "Runs a test; `wait` answers when it is finished",
  params: testParams,
  query: wait,
  body: overrides,
  status: 202,
  answer: z.object({
    id: identifier,
    runId: identifier,
    state: executionState,
    verdict: verdict.nullable(),
    rows: z
      .array(z.object({ row: z.number().int(), id: identifier, state: executionState, verdict: verdict.nullable() }))
      .optional(),
  }),
});

/** Takes `Idempotency-Key`. Disabled tests run only when named. A test with rows has an item for each row. */
export const runTestsOfApi = operation({
  method: "post",
  path: "/api/v1/apis/{apiId}/executions",
  access: "tests:run",
  audit: "run",
  summary: "Runs all enabled tests of an API, or those named",
  params: apiParams,
  query: wait,
  body: overrides
    .unwrap()
    .extend({ testIds: orNone(z.array(z.uuid()).max(5_000)) })
    .default({}),
  status: 202,
  answer: z.object({
    /** Null where there was nothing to run. */
    runId: identifier.nullable(),
    items: z.array(z.object({ testId: z.uuid(), id: identifier, state: executionState, verdict: verdict.nullable() })),
  }),
});

export const listExecutions = operation({
  method: "get",
  path: "/api/v1/tests/{testId}/executions",
  access: "tests:read",
  summary: "Executions of a test, newest first",
  params: testParams,
  query: listQuery.omit({ query: true }).extend({
    verdict: verdict.optional(),
    trigger: runTrigger.optional(),
    from: z.string().optional(),
    to: z.string().optional(),
  }),
  status: 200,
  answer: pageOf(executionSummary),
});

export const getExecution = operation({
  method: "get",
  path: "/api/v1/test-executions/{executionId}",
  access: "tests:read",
  summary: "One execution with every attempt; known secrets are replaced",
  params: executionParams,
  status: 200,
  answer: execution,
});

/** Server-sent events `execution` (an ExecutionSummary each) until it is finished. */
export const watchExecution = operation({
  method: "get",
  path: "/api/v1/test-executions/{executionId}/events",
  access: "tests:read",
  summary: "Progress of one execution as server-sent events",
  params: executionParams,
  status: 200,
  answerType: "text/event-stream",
});

export const cancelExecution = operation({
  method: "post",
  path: "/api/v1/test-executions/{executionId}/cancel",
  access: "tests:run",
  audit: "execution",
  summary: "Cancels an execution that has not started",
  params: executionParams,
  status: 200,
  answer: executionSummary,
});

export const listLatestExecutions = operation({
  method: "get",
  path: "/api/v1/latest-executions",
  access: "tests:read",
  summary: "The last execution of each named test",
  query: z.object({
    /** Comma separated, at most 200. */
    testIds: z.string().max(8_000),
  }),
  status: 200,
  answer: z.object({ items: z.array(latestExecution) }),
});

/** Totals over the last execution of every test of the API. */
export const apiExecutionSummary = z
  .object({
    apiId: z.uuid(),
    passed: z.number().int(),
    failed: z.number().int(),
    errored: z.number().int(),
    flaky: z.number().int(),
    /** Queued or running now. */
    unfinished: z.number().int(),
    lastFinishedAt: z.string().nullable(),
  })
  .openapi("ApiExecutionSummary");
export type ApiExecutionSummary = z.infer<typeof apiExecutionSummary>;

export const summarizeApis = operation({
  method: "get",
  path: "/api/v1/api-execution-summaries",
  access: "tests:read",
  summary: "Last verdicts of APIs, counted",
  query: z.object({
    /** Comma separated, at most 200. */
    apiIds: z.string().max(8_000),
  }),
  status: 200,
  answer: z.object({ items: z.array(apiExecutionSummary) }),
});

/** Server-sent events `summary` (ApiExecutionSummary) and `latest` ({ items: LatestExecution[] }, changed ones) while any execution of the API is unfinished. */
export const watchApi = operation({
  method: "get",
  path: "/api/v1/apis/{apiId}/executions/events",
  access: "tests:read",
  summary: "Progress of an API's executions as server-sent events",
  params: apiParams,
  status: 200,
  answerType: "text/event-stream",
});

export const deleteExecutionsOfTest = operation({
  method: "delete",
  path: "/api/v1/tests/{testId}/executions",
  access: "tests:write",
  audit: "executions of a test",
  summary: "Deletes the executions of a test",
  params: testParams,
  status: 204,
});

export const deleteExecutionsOfApi = operation({
  method: "delete",
  path: "/api/v1/apis/{apiId}/executions",
  access: "tests:write",
  audit: "executions of an API",
  summary: "Deletes the executions of all tests of an API",
  params: apiParams,
  status: 204,
});

/** The viewer's and editor's "send": nothing is stored; secrets of credentials are replaced in the answer. */
export const sendRequest = operation({
  method: "post",
  path: "/api/v1/requests",
  mayTakeSeconds: 150,
  access: "tests:run",
  audit: { nothingBecause: "Nothing is kept of it" },
  summary: "Sends one request without storing a test",
  body: z.object({
    apiId: z.uuid(),
    method: z.string().min(1).max(40),
    path: z.string().min(1).max(4_000),
    request: testRequest,
    /** Whose base address and variables are used. */
    environment: z.string().max(100).optional(),
    variables: z.record(z.string(), z.string()).optional(),
    timeoutMilliseconds: z.number().int().min(100).max(120_000).default(30_000),
  }),
  // A stored body of 1 MiB grows sixfold at worst when it is written as a JSON string.
  maximumBodyBytes: 8 * 1_048_576,
  status: 200,
  answer: attempt.omit({ verdict: true }),
});
