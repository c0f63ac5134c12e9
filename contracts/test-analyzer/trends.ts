import { z } from "@hono/zod-openapi";
import { operationSummary } from "../api-registry/operations.ts";
import { endpoint, listQuery, moment, pageOf, type Tag } from "../kit/endpoint.ts";
import { timeZone } from "../kit/time-zone.ts";
import { executionCount, operationTrend, responseTimeShift } from "../test-executioner/counts.ts";
import { verdict } from "../test-executioner/verdicts.ts";

import { mark } from "./marks.ts";

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

export const trendRanges = ["24h", "7d", "30d", "90d"] as const;
export const trendRange = z.enum(trendRanges);
export type TrendRange = z.infer<typeof trendRange>;

const share = (of: string) => z.number().nullable().describe(`${of}, 0 to 1; null where nothing ran.`);

export const trendFigures = z.object({
  ...executionCount.omit({ unsteady: true, available: true, unavailable: true }).shape,
  passRate: share("Share of executions that passed, at a later attempt too"),
  availability: share(
    "Share of executions that the API answered, and not with a server error that nobody expected. What kept the portal from asking (a missing credential, say) does not count",
  ),
  flakiness: share("Share of executions that passed only at a later attempt or changed verdict from the one before"),
});
export type TrendFigures = z.infer<typeof trendFigures>;

export const trendPoint = trendFigures.extend({ from: moment.describe("Start of the step, which lasts to the next.") });
export type TrendPoint = z.infer<typeof trendPoint>;

export const trends = z
  .object({
    range: trendRange,
    timeZone,
    until: moment,
    points: z.array(trendPoint),
    total: trendFigures.describe("Of all points together."),
    slowest: z.array(operationTrend),
    flakiest: z.array(operationTrend),
    shift: responseTimeShift
      .nullable()
      .describe("Of a test: its response times moved beyond the usual spread of the last four weeks, and stay there."),
    marks: z.array(mark).describe("What changed meanwhile, oldest first; the newest hundred."),
  })
  .openapi("Trends");
export type Trends = z.infer<typeof trends>;

export const getTrends = endpoint({
  method: "get",
  path: "/api/v1/trends",
  access: "tests:read",
  tag,
  summary: "Pass rate, availability and response times over time",
  description:
    "Of the organization, one API, one test or the whole runs of one circle. And the slowest and the flakiest operations, of 90 days in the last 30. A point stands for an hour of 24 hours, a quarter of a day of 7 days, else a day; the last one goes on. It is counted by hours (UTC): where a zone's days begin within one, that hour belongs to the day in which it begins.",
  query: z.object({
    apiId: z.uuid().optional(),
    testId: z.uuid().optional().describe("A test has one operation: none are ranked with it."),
    testCircleId: z.uuid().optional().describe("None are ranked with it either: its APIs and tests rank them."),
    range: trendRange.default("7d").describe("How far back"),
    timeZone: timeZone.default("UTC").describe("Whose days are meant"),
  }),
  status: 200,
  answer: trends,
  problems: { not_found: "There is no such circle." },
});
