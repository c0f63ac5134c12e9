import { z } from "@hono/zod-openapi";
import { idempotencyKey } from "../../kit/contract/headers.ts";
import { identifier, listQuery, moment, operation, pageOf, type Tag } from "../../kit/contract/operation.ts";
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

const tag: Tag = { name: "Executions", description: "Tests as they ran, with every attempt." };

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
    validFrom: moment,
    validTo: moment,
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
    /** Text of at most 1 MiB; null when it is not text (then its size and beginning are kept). */
    body: z.string().nullable(),
    /** The first 256 bytes of what is not text, in hex, 16 a line. */
    bodyPreview: z.string().optional(),
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
    startedAt: moment,
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
    row: z.number().int().optional().describe("Row of the test's data, from 1; absent for a test without rows."),
    state: executionState,
    verdict: verdict.nullable(),
    cause: cause.optional(),
    trigger: runTrigger,
    attemptCount: z.number().int(),
    statusCode: z.number().int().nullable(),
    responseMilliseconds: z.number().nullable(),
    queuedAt: moment,
    startedAt: moment.nullable(),
    finishedAt: moment.nullable(),
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
    queuedAt: moment,
    finishedAt: moment.nullable(),
  })
  .openapi("LatestExecution");
export type LatestExecution = z.infer<typeof latestExecution>;

const testParams = z.object({ testId: z.uuid() });
const executionParams = z.object({ executionId: z.uuid() });
const apiParams = z.object({ apiId: z.uuid() });
/** Left empty, as a form sends it, a bound is none. */
const bound = z.string().openapi({ format: "date-time" });
export const period = {
  from: bound.optional().describe("Keeps what started at this time or later"),
  to: bound.optional().describe("Keeps what started before this time"),
};
export const wait = z.object({
  wait: z.coerce.number().min(0).max(60).default(0).describe("Seconds to wait for the end before answering."),
});
const overrides = z
  .object({
    baseUrl: orNone(z.string().max(4_000)),
    environment: orNone(z.string().max(100)),
    variables: orNone(z.record(z.string(), z.string())),
    trigger: orNone(runTrigger).describe("Left out: `manual` with a person's session, else `api`."),
  })
  .default({});

export const runTest = operation({
  method: "post",
  path: "/api/v1/tests/{testId}/executions",
  access: "tests:run",
  audit: "run",
  tag,
  summary: "Runs a test",
  description:
    "Answers at once, or with `wait` when it is finished. A test with rows runs once a row: `rows` names each, and `id`, `state` and `verdict` are those of the worst.",
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
  headers: [idempotencyKey],
  makes: "/api/v1/test-executions/{id}",
  problems: { conflict: "The `Idempotency-Key` was used for another call." },
});

export const runTestsOfApi = operation({
  method: "post",
  path: "/api/v1/apis/{apiId}/executions",
  access: "tests:run",
  audit: "run",
  tag,
  summary: "Runs tests of an API",
  description: "All that are enabled, or those named. A test with rows has an item for each row.",
  params: apiParams,
  query: wait,
  body: overrides
    .unwrap()
    .extend({ testIds: orNone(z.array(z.uuid()).max(5_000)) })
    .default({}),
  status: 202,
  answer: z.object({
    runId: identifier.nullable().describe("Null where there was nothing to run."),
    items: z.array(z.object({ testId: z.uuid(), id: identifier, state: executionState, verdict: verdict.nullable() })),
  }),
  headers: [idempotencyKey],
  problems: { conflict: "The `Idempotency-Key` was used for another call." },
});

export const listExecutions = operation({
  method: "get",
  path: "/api/v1/tests/{testId}/executions",
  access: "tests:read",
  tag,
  summary: "Executions of a test, newest first",
  description: "Of all runs it was part of.",
  params: testParams,
  query: listQuery.omit({ query: true }).extend({
    verdict: verdict.optional().describe("Keeps those with this verdict"),
    trigger: runTrigger.optional().describe("Keeps those started so"),
    ...period,
  }),
  status: 200,
  answer: pageOf(executionSummary),
});

export const getExecution = operation({
  method: "get",
  path: "/api/v1/test-executions/{executionId}",
  access: "tests:read",
  tag,
  summary: "One execution with its attempts",
  description: "What was sent and what came, with known secrets replaced.",
  params: executionParams,
  status: 200,
  answer: execution,
});

export const watchExecution = operation({
  method: "get",
  path: "/api/v1/test-executions/{executionId}/events",
  access: "tests:read",
  tag,
  summary: "Progress of one execution as server-sent events",
  description: "Events `execution` (an ExecutionSummary each) until it has ended.",
  params: executionParams,
  status: 200,
  otherAnswers: {
    "text/event-stream": { description: "Server-sent events.", example: "event: execution\ndata: {}\n\n" },
  },
});

export const cancelExecution = operation({
  method: "post",
  path: "/api/v1/test-executions/{executionId}/cancel",
  access: "tests:run",
  audit: "execution",
  tag,
  summary: "Cancels an execution",
  description: "Others of its run go on.",
  params: executionParams,
  status: 200,
  answer: executionSummary,
  problems: { conflict: "It has started or ended." },
});

export const listLatestExecutions = operation({
  method: "get",
  path: "/api/v1/latest-executions",
  access: "tests:read",
  tag,
  summary: "The last execution of each named test",
  description: "Tests that never ran are left out.",
  query: z.object({
    testIds: z
      .string()
      .max(8_000)
      .describe("Comma separated, at most 200.")
      .openapi({ example: "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10" }),
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
    unfinished: z.number().int().describe("Queued or running now."),
    lastFinishedAt: moment.nullable(),
  })
  .openapi("ApiExecutionSummary");
export type ApiExecutionSummary = z.infer<typeof apiExecutionSummary>;

export const summarizeApis = operation({
  method: "get",
  path: "/api/v1/api-execution-summaries",
  access: "tests:read",
  tag,
  summary: "Last verdicts of APIs, counted",
  description: "Over the last execution of every test.",
  query: z.object({
    apiIds: z
      .string()
      .max(8_000)
      .describe("Comma separated, at most 200.")
      .openapi({ example: "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10" }),
  }),
  status: 200,
  answer: z.object({ items: z.array(apiExecutionSummary) }),
});

export const watchApi = operation({
  method: "get",
  path: "/api/v1/apis/{apiId}/executions/events",
  access: "tests:read",
  tag,
  summary: "Progress of an API's executions as server-sent events",
  description:
    "Events `summary` (ApiExecutionSummary) and `latest` (`{ items: LatestExecution[] }`, changed ones) while any execution of the API is unfinished.",
  params: apiParams,
  status: 200,
  otherAnswers: {
    "text/event-stream": { description: "Server-sent events.", example: "event: summary\ndata: {}\n\n" },
  },
});

export const deleteExecutionsOfTest = operation({
  method: "delete",
  path: "/api/v1/tests/{testId}/executions",
  access: "tests:write",
  audit: "executions of a test",
  tag,
  summary: "Deletes the executions of a test",
  description: "With their attempts and verifications. Runs keep their verdicts.",
  params: testParams,
  status: 204,
});

export const deleteExecutionsOfApi = operation({
  method: "delete",
  path: "/api/v1/apis/{apiId}/executions",
  access: "tests:write",
  audit: "executions of an API",
  tag,
  summary: "Deletes the executions of all tests of an API",
  description: "With their attempts and verifications. Runs keep their verdicts.",
  params: apiParams,
  status: 204,
});

export const sendRequest = operation({
  method: "post",
  path: "/api/v1/requests",
  mayTakeSeconds: 150,
  access: "tests:run",
  audit: { nothingBecause: "Nothing is kept of it" },
  tag: { name: "Requests", description: "What the viewer and the editor send." },
  summary: "Sends one request",
  description: "Nothing is stored; secrets of credentials are replaced in the answer.",
  body: z.object({
    apiId: z.uuid(),
    method: z.string().min(1).max(40),
    path: z.string().min(1).max(4_000),
    request: testRequest,
    environment: z.string().max(100).optional().describe("Whose base address and variables are used."),
    variables: z.record(z.string(), z.string()).optional(),
    timeoutMilliseconds: z.number().int().min(100).max(120_000).default(30_000),
  }),
  // A stored body of 1 MiB grows sixfold at worst when it is written as a JSON string.
  maximumBodyBytes: 8 * 1_048_576,
  status: 200,
  answer: attempt.omit({ verdict: true }),
  problems: { not_found: "There is no such API." },
});
