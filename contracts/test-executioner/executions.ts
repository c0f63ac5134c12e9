import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { idempotencyKey, prefer, preferenceApplied } from "../kit/headers.ts";
import { orNone } from "../kit/or-none.ts";
import { attempt, cause } from "./attempts.ts";
import { executionState, executionVerdict, runTrigger, verdict } from "./verdicts.ts";

export const executionsTag: Tag = { name: "Executions", description: "Executed tests with every attempt." };

export const placeOfExecution = {
  locationId: z.uuid().optional().describe("Where an agent runs it; absent where the portal itself does."),
  agentId: z.uuid().optional().describe("The agent that runs it, or ran it."),
  isLate: z
    .literal(true)
    .optional()
    .describe("Its agent had to store the result for more than a minute, since the portal was away."),
};

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
    rowName: z.string().optional().describe("What its column `case` says."),
    ...placeOfExecution,
    state: executionState,
    verdict: executionVerdict.nullable(),
    cause: cause.optional(),
    reason: z
      .string()
      .nullable()
      .describe("About the first failure, secrets replaced; of a test that waited, also how long and how often."),
    trigger: runTrigger,
    attemptCount: z
      .number()
      .int()
      .describe("Also the tries of a test that waits, of which the first and the last nine are stored."),
    statusCode: z.number().int().nullable(),
    responseMilliseconds: z.number().nullable(),
    queuedAt: moment,
    startedAt: moment.nullable(),
    finishedAt: moment.nullable(),
  })
  .openapi("ExecutionSummary");
export type ExecutionSummary = z.infer<typeof executionSummary>;

export const execution = executionSummary
  .extend({
    attempts: z.array(attempt),
    sameResponseAs: z
      .object({ id: z.uuid(), finishedAt: moment })
      .optional()
      .describe(
        "The execution that passed with the same response, which is stored there; of this one, only what differs is stored.",
      ),
  })
  .openapi("Execution");
export type Execution = z.infer<typeof execution>;

const testParams = z.object({ testId: z.uuid() });
export const executionParams = z.object({ executionId: z.uuid() });
const apiParams = z.object({ apiId: z.uuid() });
/** An empty bound, as forms send it, means no bound. */
const bound = z.string().openapi({ format: "date-time" });
export const period = {
  from: bound.optional().describe("Only executions started at this time or later"),
  to: bound.optional().describe("Only executions started before this time"),
  active: z
    .enum(["true"])
    .optional()
    .describe("With `from`: also those that started up to a day before it and ended at this time or later, or not yet"),
};
export const outcomeSorts = ["-started", "started", "verdict", "-verdict"] as const;
export type OutcomeSort = (typeof outcomeSorts)[number];
export const outcomeSort = z
  .enum(outcomeSorts)
  .default("-started")
  .describe(
    "Sort key; a leading `-` reverses the order. `verdict` is the worst first, of equal ones the newest, and omits those without a verdict.",
  );
/** A longer wait would be cut by proxies. */
export const maxWaitSeconds = 60;

export const wait = z.object({
  wait: z.coerce
    .number()
    .min(0)
    .max(maxWaitSeconds)
    .default(0)
    .describe("Seconds to wait for the end before responding. `Prefer: wait=30` asks for the same."),
});
export const triggerDescription =
  "With an API token `ci`, or `api` as the default. Runs that a signed-in user starts are `manual`, or `rerun`.";
export const overrides = z
  .object({
    baseUrl: orNone(z.string().max(4_000)),
    environment: orNone(z.string().max(100)),
    variables: orNone(z.record(z.string(), z.string())),
    trigger: orNone(runTrigger).describe(triggerDescription),
  })
  .default({});

export const runTest = endpoint({
  method: "post",
  path: "/api/v1/tests/{testId}/executions",
  access: "tests:run",
  audit: "run",
  tag: executionsTag,
  summary: "Runs a test",
  description:
    "Responds immediately, or with `wait` when it is finished. A test with rows runs once per row: `rows` lists them, and `id`, `state` and `verdict` are those of the worst.",
  params: testParams,
  query: wait,
  body: overrides,
  status: 202,
  response: z.object({
    id: identifier,
    runId: identifier,
    state: executionState,
    verdict: verdict.nullable(),
    rows: z
      .array(z.object({ row: z.number().int(), id: identifier, state: executionState, verdict: verdict.nullable() }))
      .optional(),
  }),
  headers: [idempotencyKey, prefer],
  responseHeaders: [preferenceApplied],
  locationPath: "/api/v1/test-executions/{id}",
  problems: {
    plan_limit_reached: "The plan's remaining executions of the month do not suffice; nothing was started.",
    conflict: "The `Idempotency-Key` was used for another call.",
  },
});

export const runTestsOfApi = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/executions",
  access: "tests:run",
  audit: "run",
  tag: executionsTag,
  summary: "Runs tests of an API",
  description: "All enabled tests, or those named. A test with rows has an item for each row.",
  params: apiParams,
  query: wait,
  body: overrides
    .unwrap()
    .extend({ testIds: orNone(z.array(z.uuid()).max(5_000)) })
    .default({}),
  status: 202,
  response: z.object({
    runId: identifier.nullable().describe("Null if there was nothing to run."),
    items: z.array(z.object({ testId: z.uuid(), id: identifier, state: executionState, verdict: verdict.nullable() })),
  }),
  headers: [idempotencyKey, prefer],
  responseHeaders: [preferenceApplied],
  problems: {
    plan_limit_reached: "The plan's remaining executions of the month do not suffice; nothing was started.",
    conflict: "The `Idempotency-Key` was used for another call.",
  },
});

export const listExecutions = endpoint({
  method: "get",
  path: "/api/v1/tests/{testId}/executions",
  access: "tests:read",
  tag: executionsTag,
  summary: "Executions of a test, newest first",
  description: "In any run.",
  params: testParams,
  query: listQuery.omit({ query: true }).extend({
    sort: outcomeSort,
    verdict: verdict.optional().describe("Only executions with this verdict"),
    trigger: runTrigger.optional().describe("Only executions with this trigger"),
    ...period,
  }),
  status: 200,
  response: pageSchema(executionSummary),
});

export const getExecution = endpoint({
  method: "get",
  path: "/api/v1/test-executions/{executionId}",
  access: "tests:read",
  tag: executionsTag,
  summary: "One execution with its attempts",
  description: "Requests and responses, with known secrets replaced.",
  params: executionParams,
  status: 200,
  response: execution,
});

export const watchExecution = endpoint({
  method: "get",
  path: "/api/v1/test-executions/{executionId}/events",
  access: "tests:read",
  tag: executionsTag,
  summary: "Changes of one execution as server-sent events",
  description: "Events `execution` (an ExecutionSummary each) until it has ended.",
  params: executionParams,
  status: 200,
  otherResponses: {
    "text/event-stream": { description: "Server-sent events.", example: "event: execution\ndata: {}\n\n" },
  },
});

export const cancelExecution = endpoint({
  method: "post",
  path: "/api/v1/test-executions/{executionId}/cancel",
  access: "tests:run",
  audit: "execution",
  tag: executionsTag,
  summary: "Cancels an execution",
  description: "The other executions of its run continue.",
  params: executionParams,
  status: 200,
  response: executionSummary,
  problems: { conflict: "It has started or ended." },
});

export const deleteExecutionsOfTest = endpoint({
  method: "delete",
  path: "/api/v1/tests/{testId}/executions",
  access: "tests:write",
  audit: "executions of a test",
  tag: executionsTag,
  summary: "Deletes the executions of a test",
  description: "With their attempts and verifications. Runs keep their verdicts.",
  params: testParams,
  status: 204,
  timeoutSeconds: 60,
});

export const deleteExecutionsOfApi = endpoint({
  method: "delete",
  path: "/api/v1/apis/{apiId}/executions",
  access: "tests:write",
  audit: "executions of an API",
  tag: executionsTag,
  summary: "Deletes the executions of all tests of an API",
  description: "With their attempts and verifications. Runs keep their verdicts.",
  params: apiParams,
  status: 204,
  timeoutSeconds: 60,
});
