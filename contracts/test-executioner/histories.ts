import { z } from "@hono/zod-openapi";
import { endpoint, moment, onlyAsks } from "../kit/endpoint.ts";
import { runParams } from "./runs.ts";
import { verdict } from "./verdicts.ts";

/** Why a test did not pass in a run: of its rows, of the worst. */
export const failure = z.object({
  executionId: z.uuid(),
  verdict,
  /** Secrets replaced. */
  reason: z.string().nullable(),
  causeCode: z.string().nullable(),
  /** Of the request, where that is where it ended; a version before did not tell. */
  causePhase: z.string().nullable().default(null),
  statusCode: z.number().int().nullable(),
  /** With its port where that is not the scheme's; null where no request could be built. */
  host: z.string().nullable(),
  /** The credential that was answered with 401, is gone, or belongs to another host. */
  credentialId: z.uuid().nullable(),
  /** The first failure of its run, where it stands before this one and this one may follow from it. */
  after: z.object({ testId: z.uuid(), testName: z.string() }).nullable(),
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
  /** Environment or base URL it was run with, where it was not run in a circle; empty for the API's own. */
  environment: z.string(),
  /** Whether the run that was asked about had this test. */
  isMember: z.boolean(),
  /** Oldest first. */
  results: z.array(z.object({ runId: z.uuid(), finishedAt: moment, failure: failure.nullable() })),
});
export type TestHistory = z.infer<typeof testHistory>;

export const readHistories = endpoint({
  method: "post",
  path: "/internal/v1/runs/{runId}/histories",
  access: "internal",
  audit: onlyAsks,
  summary: "How the tests of a run that failed fared lately, in the same circle or outside of circles",
  description:
    "Tests that failed in the run (at most 1,000) and those named, each with its last 20 results: one a run that has ended, the run itself included. What never came to a verdict is none, nor is a failure of ours or one that somebody started by hand.",
  params: runParams,
  body: z.object({ testIds: z.array(z.uuid()).max(5_000) }),
  status: 200,
  answer: z.object({
    testCircleId: z.uuid().nullable(),
    testCircleName: z.string().nullable(),
    /** The circle ran from its first member to its last. */
    isWholeCircle: z.boolean(),
    items: z.array(testHistory),
  }),
});
