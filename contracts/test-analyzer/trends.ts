import { z } from "@hono/zod-openapi";
import { operationSummary } from "../api-registry/operations.ts";
import { endpoint, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { timeZone } from "../kit/time-zone.ts";
import { executionCount, operationTrend, placeStanding, responseTimeShift } from "../test-executioner/counts.ts";
import { verdict } from "../test-executioner/verdicts.ts";
import { windowTime } from "../test-registry/maintenance-windows.ts";
import { mark } from "./marks.ts";

const tag: Tag = { name: "Trends", description: "Aggregated results of executions." };

export const coveredResponse = z.object({
  status: z.string(),
  verdict: verdict
    .nullable()
    .describe("Last verdict of a test whose response had this status; null if there was none."),
  executionId: z.uuid().nullable(),
  testId: z.uuid().nullable(),
  finishedAt: moment.nullable(),
  superseded: z
    .boolean()
    .default(false)
    .describe("The test has run again since, with other responses: this one says nothing about its status now."),
});

export const operationCoverage = z
  .object({
    operation: operationSummary,
    responses: z.array(coveredResponse),
    undocumented: z.array(coveredResponse).describe("Statuses received that are not documented."),
  })
  .openapi("OperationCoverage");
export type OperationCoverage = z.infer<typeof operationCoverage>;

export const getCoverage = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/coverage",
  access: "tests:read",
  tag,
  summary: "Coverage of documented responses",
  description: "Operation × documented response × last verdict, in document order.",
  params: z.object({ apiId: z.uuid() }),
  query: listQuery.extend({
    tag: z.string().optional().describe("Only operations with this tag"),
    method: z.string().optional().describe("Only operations with this method"),
  }),
  status: 200,
  response: pageSchema(operationCoverage),
});

export const trendRanges = ["24h", "7d", "30d", "90d"] as const;
export const trendRange = z.enum(trendRanges);
export type TrendRange = z.infer<typeof trendRange>;

const share = (of: string) => z.number().nullable().describe(`${of}, 0 to 1; null without executions.`);

export const trendFigures = z.object({
  ...executionCount.omit({ unsteady: true, available: true, unavailable: true }).shape,
  passRate: share("Share of executions that passed, at a later attempt too"),
  availability: share(
    "Share of executions in which the API responded, and not with an unexpected server error. Executions that could not send a request (e.g. for a missing credential) are excluded",
  ),
  flakiness: share(
    "Share of executions that passed only at a later attempt, or changed between passing and failing not for the first time without a change of test, document, environment or credential",
  ),
});
export type TrendFigures = z.infer<typeof trendFigures>;

export const trendPoint = trendFigures.extend({
  from: moment.describe("Start of the step, which lasts until the next."),
});
export type TrendPoint = z.infer<typeof trendPoint>;

export const trends = z
  .object({
    range: trendRange,
    timeZone,
    until: moment,
    points: z.array(trendPoint),
    total: trendFigures.describe("Over all points."),
    places: z
      .array(
        z.object({
          locationId: z.uuid().nullable().describe("Null: the portal itself."),
          name: z.string(),
          points: z.array(trendPoint),
          total: trendFigures,
          last: placeStanding.nullable().describe("Its result in the circle's last runs; null for a test."),
        }),
      )
      .default([])
      .describe(
        "For a test or a circle that is sent from several places: what each of them saw. The other figures count a test once, by the circle's rule, when its run has ended; response times are those of all places.",
      ),
    slowest: z.array(operationTrend),
    flakiest: z.array(operationTrend),
    shift: responseTimeShift
      .nullable()
      .describe(
        "For a test: its response times shifted beyond the usual spread of the last four weeks, and have remained there.",
      ),
    windows: z
      .array(windowTime)
      .nullable()
      .describe("Maintenance windows open in this period, by start; null if they could not be looked up."),
    marks: z.array(mark).describe("Changes in this period, oldest first; the newest hundred."),
  })
  .openapi("Trends");
export type Trends = z.infer<typeof trends>;

export const listApiFigures = endpoint({
  method: "get",
  path: "/api/v1/api-figures",
  access: "tests:read",
  tag,
  summary: "Pass rate, availability and response times of APIs over one period",
  description: "For each of these APIs, the `total` of `GET /api/v1/trends` for the same range and time zone.",
  query: z.object({
    apiIds: identifierList,
    range: trendRange.default("7d").describe("The period, up to now"),
    timeZone: timeZone.default("UTC").describe("Time zone that defines the days"),
  }),
  status: 200,
  response: z.object({ items: z.array(z.object({ apiId: z.uuid(), figures: trendFigures })) }),
});

export const getTrends = endpoint({
  method: "get",
  path: "/api/v1/trends",
  access: "tests:read",
  tag,
  summary: "Pass rate, availability and response times over time",
  description:
    "For the organization, one API, one test or the whole runs of one circle. Includes the slowest and the flakiest operations, for 90 days in the last 30. A point covers an hour of 24 hours, a quarter of a day of 7 days, else a day; the last one is incomplete. Counts are per hour (UTC): if a zone's days start within an hour, that hour belongs to the day in which it starts.",
  query: z.object({
    apiId: z.uuid().optional(),
    testId: z.uuid().optional().describe("A test has one operation, so none are ranked"),
    testCircleId: z.uuid().optional().describe("No operations are ranked either: its APIs and tests rank them"),
    range: trendRange
      .optional()
      .describe(
        "Length of the period; by default the shortest in which at least six points have executions, else the one with the most such points",
      ),
    timeZone: timeZone.default("UTC").describe("Time zone that defines the days"),
  }),
  status: 200,
  response: trends,
  problems: { not_found: "No such circle." },
});
