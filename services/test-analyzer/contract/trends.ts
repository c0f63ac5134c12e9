import { z } from "@hono/zod-openapi";
import { operationSummary } from "../../api-registry/contract/operations.ts";
import { listQuery, operation, pageOf } from "../../kit/contract/operation.ts";
import { operationTrend, trendPoint, trendStep } from "../../test-executioner/contract/counts.ts";
import { verdict } from "../../test-executioner/contract/executions.ts";

export const coveredResponse = z.object({
  status: z.string(),
  /** Last verdict of a test whose response had this status; null when none did. */
  verdict: verdict.nullable(),
  executionId: z.uuid().nullable(),
  testId: z.uuid().nullable(),
  finishedAt: z.string().nullable(),
});

export const operationCoverage = z
  .object({
    operation: operationSummary,
    responses: z.array(coveredResponse),
    /** Statuses that came and are not documented. */
    undocumented: z.array(coveredResponse),
  })
  .openapi("OperationCoverage");
export type OperationCoverage = z.infer<typeof operationCoverage>;

export const getCoverage = operation({
  method: "get",
  path: "/api/v1/apis/{apiId}/coverage",
  access: "tests:read",
  summary: "Operation × documented response × last verdict, in the document's order",
  params: z.object({ apiId: z.uuid() }),
  query: listQuery.extend({ tag: z.string().optional(), method: z.string().optional() }),
  status: 200,
  answer: pageOf(operationCoverage),
});

export const trends = z
  .object({ points: z.array(trendPoint), slowest: z.array(operationTrend), flakiest: z.array(operationTrend) })
  .openapi("Trends");
export type Trends = z.infer<typeof trends>;

export const getTrends = operation({
  method: "get",
  path: "/api/v1/trends",
  access: "tests:read",
  summary: "Pass rate and response times over time; slowest and flakiest operations",
  query: z.object({
    apiId: z.uuid().optional(),
    /** A test has one operation: none are ranked with it. */
    testId: z.uuid().optional(),
    days: z.coerce.number().int().min(1).max(90).default(14),
    step: trendStep.default("day"),
  }),
  status: 200,
  answer: trends,
});
