import { z } from "@hono/zod-openapi";
import { operationSummary } from "../../api-registry/contract/operations.ts";
import { endpoint, listQuery, moment, pageOf, type Tag } from "../../kit/contract/endpoint.ts";
import { operationTrend, trendPoint, trendStep } from "../../test-executioner/contract/counts.ts";
import { verdict } from "../../test-executioner/contract/verdicts.ts";

const tag: Tag = { name: "Trends", description: "What executions add up to." };

export const coveredResponse = z.object({
  status: z.string(),
  verdict: verdict.nullable().describe("Last verdict of a test whose response had this status; null when none did."),
  executionId: z.uuid().nullable(),
  testId: z.uuid().nullable(),
  finishedAt: moment.nullable(),
});

export const operationCoverage = z
  .object({
    operation: operationSummary,
    responses: z.array(coveredResponse),
    undocumented: z.array(coveredResponse).describe("Statuses that came and are not documented."),
  })
  .openapi("OperationCoverage");
export type OperationCoverage = z.infer<typeof operationCoverage>;

export const getCoverage = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/coverage",
  access: "tests:read",
  tag,
  summary: "Which documented responses were seen",
  description: "Operation × documented response × last verdict, in the document's order.",
  params: z.object({ apiId: z.uuid() }),
  query: listQuery.extend({
    tag: z.string().optional().describe("Keeps operations with this tag"),
    method: z.string().optional().describe("Keeps operations of this method"),
  }),
  status: 200,
  answer: pageOf(operationCoverage),
});

export const trends = z
  .object({ points: z.array(trendPoint), slowest: z.array(operationTrend), flakiest: z.array(operationTrend) })
  .openapi("Trends");
export type Trends = z.infer<typeof trends>;

export const getTrends = endpoint({
  method: "get",
  path: "/api/v1/trends",
  access: "tests:read",
  tag,
  summary: "Pass rate and response times over time",
  description: "And the slowest and the flakiest operations. Of the organization, one API or one test.",
  query: z.object({
    apiId: z.uuid().optional(),
    testId: z.uuid().optional().describe("A test has one operation: none are ranked with it."),
    days: z.coerce.number().int().min(1).max(90).default(14).describe("How far back"),
    step: trendStep.default("day").describe("What a point stands for"),
  }),
  status: 200,
  answer: trends,
});
