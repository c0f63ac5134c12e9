import { z } from "@hono/zod-openapi";
import { endpoint, identifier, moment, onlyReads, type Tag } from "../kit/endpoint.ts";
import { executionVerdict, verdict } from "./verdicts.ts";

const tag: Tag = { name: "Counts", description: "Aggregated results of executions." };

export const executionCount = z.object({
  executions: z
    .number()
    .int()
    .describe(
      "Finished with a verdict other than skipped. Those of a run from several places count once for all of them, by the rule of its circle, when the run ends: `regional` ones as passed.",
    ),
  passed: z.number().int(),
  failed: z.number().int(),
  errored: z.number().int().describe("Including blocked ones: neither was evaluated."),
  flaky: z.number().int(),
  unsteady: z
    .number()
    .int()
    .describe("Passed only on a later attempt, or changed back without a change of configuration."),
  available: z.number().int().describe("The API responded, and not with an unexpected server error."),
  unavailable: z.number().int(),
  p50: z
    .number()
    .nullable()
    .describe("Percentiles of response time in milliseconds, at most 5 % off; null without a response."),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
});
export type ExecutionCount = z.infer<typeof executionCount>;

export const operationTrend = z.object({
  apiId: z.uuid(),
  method: z.string(),
  path: z.string(),
  executions: z.number().int(),
  p95: z.number().nullable(),
  flakiness: z
    .number()
    .describe(
      "Share of executions that passed only on a later attempt or whose verdict differs from the previous one, 0 to 1.",
    ),
});
export type OperationTrend = z.infer<typeof operationTrend>;

export const countExecutions = endpoint({
  method: "post",
  path: "/internal/v1/execution-counts",
  access: "internal",
  audit: onlyReads,
  summary: "Execution counts per step",
  description:
    "For the organization, or one API, test or circle. Counts are per hour, each in the step in which it starts.",
  body: z.object({
    subjectId: z.uuid().optional().describe("An API, a test or a circle; omitted for the organization."),
    starts: z.array(moment).min(1).max(200).describe("Of the steps, in order; each ends where the next starts."),
    until: moment,
  }),
  status: 200,
  response: z.object({ steps: z.array(executionCount), total: executionCount }),
});

export const outcomeCount = z.object({
  passed: z.number().int().describe("Including at a later attempt."),
  notPassed: z
    .number()
    .int()
    .describe("Including skipped ones: a member skipped after an earlier failure did not pass."),
  available: z.number().int(),
  unavailable: z.number().int(),
});
export type OutcomeCount = z.infer<typeof outcomeCount>;

export const countOutcomes = endpoint({
  method: "post",
  path: "/internal/v1/outcome-counts",
  access: "internal",
  audit: { nothingBecause: "It only asks" },
  summary: "Good results of subjects per step",
  description: "Steps are those of `countExecutions`.",
  body: z.object({
    subjectIds: z.array(z.uuid()).max(200).describe("APIs, tests or circles."),
    starts: countExecutions.body!.shape.starts,
    until: moment,
  }),
  status: 200,
  response: z.object({
    items: z.array(z.object({ subjectId: z.uuid(), steps: z.array(outcomeCount) })).describe("In request order."),
  }),
});

export const countSubjects = endpoint({
  method: "post",
  path: "/internal/v1/subject-counts",
  access: "internal",
  audit: onlyReads,
  summary: "Execution counts of several subjects over one period",
  description: "The total of `countExecutions` for each.",
  body: z.object({
    subjectIds: z.array(z.uuid()).max(200).describe("APIs, tests or circles."),
    from: moment,
    until: moment,
  }),
  status: 200,
  response: z.object({
    items: z.array(z.object({ subjectId: z.uuid(), total: executionCount })).describe("In request order."),
  }),
});

export const placeStanding = z.object({
  verdict: executionVerdict.describe("The worst of the last run with a result from there."),
  at: moment.describe("When that run ended."),
  since: moment
    .nullable()
    .describe(
      "Since when runs fail from there, or don't; null if all of the circle's last runs are alike, 20 at most.",
    ),
});
export type PlaceStanding = z.infer<typeof placeStanding>;

export const placeCount = z.object({
  locationId: z.uuid().nullable().describe("Null: the portal itself."),
  name: z.string(),
  steps: z.array(executionCount),
  total: executionCount,
  last: placeStanding.nullable().describe("Of a circle."),
});

export const countPlaces = endpoint({
  method: "post",
  path: "/internal/v1/place-counts",
  access: "internal",
  audit: onlyReads,
  summary: "Execution counts per place and step",
  description:
    "Of runs of circles with several places. Each execution counts for its place. Steps are those of `countExecutions`.",
  body: z.object({
    subjectId: z.uuid().describe("A test or a circle."),
    starts: countExecutions.body!.shape.starts,
    until: moment,
  }),
  status: 200,
  response: z.object({ places: z.array(placeCount).describe("With executions; the portal first, then by name.") }),
});

export const responseTimeShift = z.object({
  since: moment.describe("The hour of the shift."),
  milliseconds: z.number().describe("Their median since then."),
  usual: z.number().describe("The median before."),
  usualLeast: z.number().describe("Nine of ten earlier hours were between this and `usualMost`."),
  usualMost: z.number(),
});
export type ResponseTimeShift = z.infer<typeof responseTimeShift>;

export const findResponseTimeShift = endpoint({
  method: "get",
  path: "/internal/v1/tests/{testId}/response-time-shift",
  access: "internal",
  summary: "Whether a test's response times shifted beyond their usual spread",
  description: "Based on the medians of complete hours since `from`.",
  params: z.object({ testId: z.uuid() }),
  query: z.object({ from: moment, until: moment }),
  status: 200,
  response: z.object({ shift: responseTimeShift.nullable() }),
});

export const rankOperations = endpoint({
  method: "get",
  path: "/internal/v1/operation-ranks",
  access: "internal",
  summary: "The five slowest and the five flakiest operations",
  description: "For the organization or one API, by whole days.",
  query: z.object({ apiId: z.uuid().optional(), from: z.iso.datetime() }),
  status: 200,
  response: z.object({ slowest: z.array(operationTrend), flakiest: z.array(operationTrend) }),
});

export const operationVerdict = z.object({
  operation: z.number().int().describe("Index of the operation in the request."),
  status: z.number().int(),
  verdict,
  executionId: z.uuid(),
  testId: z.uuid(),
  finishedAt: moment,
  superseded: z.boolean().default(false).describe("Its test has run again since, with other responses."),
});

export const listOperationVerdicts = endpoint({
  method: "post",
  path: "/internal/v1/apis/{apiId}/operation-verdicts",
  access: "internal",
  audit: onlyReads,
  summary: "The last response of each status for given operations, with its verdict",
  params: z.object({ apiId: z.uuid() }),
  body: z.object({ operations: z.array(z.object({ method: z.string(), path: z.string() })).max(200) }),
  status: 200,
  response: z.object({ items: z.array(operationVerdict) }),
});

const corrected = z.number().int().openapi({ example: 0 });

export const recount = endpoint({
  method: "post",
  path: "/api/v1/recounts",
  access: "system:manage",
  audit: "counts",
  tag,
  summary: "Recounts an organization's executions",
  description:
    "Repairs counts by hour, by operation and of runs from the stored executions, and returns how many rows were wrong: all 0 if none was. Earlier counts of deleted tests and APIs are dropped. Results that arrive in the meantime wait briefly and are counted once.",
  body: z.object({ organizationId: identifier.describe("Organization to recount") }),
  timeoutSeconds: 600,
  status: 200,
  response: z.object({
    hours: corrected.describe("Corrected counts per hour, of the organization, its APIs, tests and circles"),
    days: corrected.describe("Corrected counts per day (UTC), of the same"),
    operations: corrected.describe("Corrected counts of operations per day"),
    operationVerdicts: corrected.describe("Corrected cells of the assurance matrix"),
    lastVerdicts: corrected.describe("Corrected last verdicts of tests"),
    runs: corrected.describe("Corrected runs"),
  }),
});
