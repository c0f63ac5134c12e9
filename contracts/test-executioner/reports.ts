import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { verification } from "../test-analyzer/verifications.ts";
import { attempt } from "./attempts.ts";
import { executionParams, executionsTag } from "./executions.ts";
import { junit } from "./junit.ts";
import { runMember, runParams, runSummary, runsTag } from "./runs.ts";

/** Everything known about a run, or about one of its executions. */
export const runReport = z
  .object({
    run: runSummary,
    executions: z.array(runMember.extend({ attempts: z.array(attempt), verifications: z.array(verification) })),
  })
  .openapi("RunReport");

export const reportRun = endpoint({
  method: "get",
  path: "/api/v1/runs/{runId}/report",
  access: "tests:read",
  tag: runsTag,
  summary: "A run's report",
  description: "Format according to `Accept`: JSON, JUnit XML or HAR. Known secrets are replaced.",
  params: runParams,
  status: 200,
  otherResponses: {
    "application/json": runReport,
    "application/junit+xml": junit,
    "application/xml": junit,
    "text/xml": junit,
    "application/har+json": { description: "HAR 1.2: every request and response.", example: '{"log":{"entries":[]}}' },
  },
  problems: { not_acceptable: "`Accept` contains none of these content types." },
});

export const reportExecution = endpoint({
  ...reportRun,
  path: "/api/v1/test-executions/{executionId}/report",
  tag: executionsTag,
  summary: "One execution as a report",
  description: "Like that of its run, with this member only.",
  params: executionParams,
});
