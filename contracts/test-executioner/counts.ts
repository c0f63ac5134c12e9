import { z } from "@hono/zod-openapi";
import { endpoint, identifier, moment, onlyAsks, type Tag } from "../kit/endpoint.ts";
import { verdict } from "./verdicts.ts";

const tag: Tag = { name: "Counts", description: "What executions add up to." };

export const executionCount = z.object({
  executions: z.number().int().describe("That ended with a verdict and were not skipped."),
  passed: z.number().int(),
  failed: z.number().int(),
  errored: z.number().int().describe("Blocked ones among them: neither was judged."),
  flaky: z.number().int(),
  unsteady: z.number().int().describe("Passed only on a later attempt, or with another verdict than the one before."),
  available: z.number().int().describe("The API answered, and not with a server error that nobody expected."),
  unavailable: z.number().int(),
  p50: z
    .number()
    .nullable()
    .describe("Percentiles of response time in milliseconds, at most 5 % off; null without an answered request."),
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
      "Share of executions that passed only on a later attempt or changed verdict from the one before, 0 to 1.",
    ),
});
export type OperationTrend = z.infer<typeof operationTrend>;

export const countExecutions = endpoint({
  method: "post",
  path: "/internal/v1/execution-counts",
  access: "internal",
  audit: onlyAsks,
  summary: "Executions counted step by step",
  description:
    "Of the organization, or of one API, test or circle. Counts are by hour: each belongs to the step it begins in.",
  body: z.object({
    subjectId: z.uuid().optional().describe("An API, a test or a circle; the organization without it."),
    starts: z.array(moment).min(1).max(200).describe("Of the steps, in order; each ends where the next begins."),
    until: moment,
  }),
  status: 200,
  answer: z.object({ steps: z.array(executionCount), total: executionCount }),
});

export const outcomeCount = z.object({
  passed: z.number().int().describe("At a later attempt, too."),
  notPassed: z
    .number()
    .int()
    .describe("Skipped ones among them: what was not run since something before it failed did not pass."),
  available: z.number().int(),
  unavailable: z.number().int(),
});
export type OutcomeCount = z.infer<typeof outcomeCount>;

export const countOutcomes = endpoint({
  method: "post",
  path: "/internal/v1/outcome-counts",
  access: "internal",
  audit: { nothingBecause: "It only asks" },
  summary: "How often subjects fared well, step by step",
  description: "Steps are those of `countExecutions`.",
  body: z.object({
    subjectIds: z.array(z.uuid()).max(200).describe("APIs, tests or circles."),
    starts: countExecutions.body!.shape.starts,
    until: moment,
  }),
  status: 200,
  answer: z.object({
    items: z.array(z.object({ subjectId: z.uuid(), steps: z.array(outcomeCount) })).describe("In the order asked for."),
  }),
});

export const responseTimeShift = z.object({
  since: moment.describe("The hour from which they are other than usual."),
  milliseconds: z.number().describe("Their median since then."),
  usual: z.number().describe("The median before."),
  usualLeast: z.number().describe("Nine of ten hours before lay between this and `usualMost`."),
  usualMost: z.number(),
});
export type ResponseTimeShift = z.infer<typeof responseTimeShift>;

export const findResponseTimeShift = endpoint({
  method: "get",
  path: "/internal/v1/tests/{testId}/response-time-shift",
  access: "internal",
  summary: "Whether a test's response times moved beyond their usual spread",
  description: "By the medians of the hours since `from` that are over.",
  params: z.object({ testId: z.uuid() }),
  query: z.object({ from: moment, until: moment }),
  status: 200,
  answer: z.object({ shift: responseTimeShift.nullable() }),
});

export const rankOperations = endpoint({
  method: "get",
  path: "/internal/v1/operation-ranks",
  access: "internal",
  summary: "The slowest and the flakiest operations, five each",
  description: "Of the organization or one API, by whole days.",
  query: z.object({ apiId: z.uuid().optional(), from: z.iso.datetime() }),
  status: 200,
  answer: z.object({ slowest: z.array(operationTrend), flakiest: z.array(operationTrend) }),
});

export const operationVerdict = z.object({
  operation: z.number().int().describe("Index of the operation among those asked for."),
  status: z.number().int(),
  verdict,
  executionId: z.uuid(),
  testId: z.uuid(),
  finishedAt: moment,
});

export const listOperationVerdicts = endpoint({
  method: "post",
  path: "/internal/v1/apis/{apiId}/operation-verdicts",
  access: "internal",
  audit: onlyAsks,
  summary: "What operations last answered with each status, and how that was judged",
  params: z.object({ apiId: z.uuid() }),
  body: z.object({ operations: z.array(z.object({ method: z.string(), path: z.string() })).max(200) }),
  status: 200,
  answer: z.object({ items: z.array(operationVerdict) }),
});

const corrected = z.number().int().openapi({ example: 0 });

export const recount = endpoint({
  method: "post",
  path: "/api/v1/recounts",
  access: "system:manage",
  audit: "counts",
  tag,
  summary: "Counts an organization's executions anew",
  description:
    "Repairs counts by hour, by operation and of runs from the executions that are kept, and tells how many rows were " +
    "wrong: 0 everywhere where nothing was. What had been counted of tests and APIs that are deleted is counted no more. " +
    "Results that arrive meanwhile wait a moment and are counted once.",
  body: z.object({ organizationId: identifier.describe("Whose executions are counted") }),
  mayTakeSeconds: 600,
  status: 200,
  answer: z.object({
    hours: corrected.describe("Corrected counts by hour, of the organization, its APIs, tests and circles"),
    days: corrected.describe("Corrected counts by day (UTC), of the same"),
    operations: corrected.describe("Corrected counts of operations by day"),
    operationVerdicts: corrected.describe("Corrected places of the assurance matrix"),
    lastVerdicts: corrected.describe("Corrected last verdicts of tests"),
    runs: corrected.describe("Corrected runs"),
  }),
});
