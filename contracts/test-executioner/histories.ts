import { z } from "@hono/zod-openapi";
import { endpoint, moment, onlyReads } from "../kit/endpoint.ts";
import { runParams } from "./runs.ts";
import { verdict } from "./verdicts.ts";

/** How several places see a test. */
export const seenFrom = z.object({
  /** Null: the portal itself. */
  locationId: z.uuid().nullable(),
  /** Null for a deleted location. */
  name: z.string().nullable(),
  /** `notRun`: it gave no verdict, such as where no agent calls. */
  state: z.enum(["failing", "passing", "notRun"]),
  /** Of one that sees it failing: since when. */
  since: moment.nullable(),
});
export type SeenFrom = z.infer<typeof seenFrom>;

/** Why a test did not pass in a run: the worst of its rows. */
export const failure = z.object({
  executionId: z.uuid(),
  verdict,
  /** Secrets replaced. */
  reason: z.string().nullable(),
  causeCode: z.string().nullable(),
  /** Of the request that caused it, if any; absent from an older version. */
  causePhase: z.string().nullable().default(null),
  statusCode: z.number().int().nullable(),
  /** With its port unless that is the scheme's default; null if no request could be built. */
  host: z.string().nullable(),
  /** The credential that got a 401, was deleted, or belongs to another host. */
  credentialId: z.uuid().nullable(),
  /** The first failure of its run, if it precedes this one and may have caused it. */
  after: z.object({ testId: z.uuid(), testName: z.string() }).nullable(),
  /** Of a run from several places. */
  places: z.array(seenFrom).optional(),
  /** Its place's own trouble: all tests fail there, with several hosts, and another place sees none fail. */
  trouble: z.object({ locationId: z.uuid().nullable(), name: z.string().nullable() }).optional(),
});
export type Failure = z.infer<typeof failure>;

export const testHistory = z.object({
  testId: z.uuid(),
  testName: z.string(),
  method: z.string(),
  path: z.string(),
  tags: z.array(z.string()),
  apiId: z.uuid(),
  apiName: z.string(),
  /** Environment or base URL used outside circles; empty for the API's own. */
  environment: z.string(),
  /** The same in circles too; absent from an older version. */
  environmentUsed: z.string().default(""),
  /** Whether the requested run contained this test. */
  isMember: z.boolean(),
  /** Oldest first. */
  results: z.array(z.object({ runId: z.uuid(), finishedAt: moment, failure: failure.nullable() })),
});
export type TestHistory = z.infer<typeof testHistory>;

export const readHistories = endpoint({
  method: "post",
  path: "/internal/v1/runs/{runId}/histories",
  access: "internal",
  audit: onlyReads,
  summary: "Recent results of a run's failing tests, in the same circle or outside circles",
  description:
    "Tests that failed in the run (at most 1,000) and those named, each with its last 20 results: one per finished run, including the run itself. Excludes results without a verdict, internal errors and failures of manual runs.",
  params: runParams,
  body: z.object({ testIds: z.array(z.uuid()).max(5_000) }),
  status: 200,
  response: z.object({
    testCircleId: z.uuid().nullable(),
    testCircleName: z.string().nullable(),
    /** The circle ran completely. */
    isWholeCircle: z.boolean(),
    items: z.array(testHistory),
  }),
});
