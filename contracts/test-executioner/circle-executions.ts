import { z } from "@hono/zod-openapi";
import { endpoint, identifier, type Tag } from "../kit/endpoint.ts";
import { idempotencyKey, prefer, preferenceApplied } from "../kit/headers.ts";
import { overrides, wait } from "./executions.ts";
import { reportRun } from "./reports.ts";
import { cancelRun, getRun, listRuns, runParams, watchRun } from "./runs.ts";
import { executionState, verdict } from "./verdicts.ts";

const tag: Tag = {
  name: "Circle executions",
  description: "Runs of circles under their own paths: an execution of a circle is the run with its id.",
};

const circleParams = z.object({ testCircleId: z.uuid() });
const executionParams = z.object({ testCircleExecutionId: runParams.shape.runId });
const listQuery = listRuns.query!.omit({ testCircleId: true, source: true });

export const runCircle = endpoint({
  method: "post",
  path: "/api/v1/test-circles/{testCircleId}/executions",
  timeoutSeconds: 60,
  access: "tests:run",
  audit: "run",
  tag,
  summary: "Runs a circle",
  description: "Like `POST /api/v1/runs`. `environment` applies to every API of the circle.",
  params: circleParams,
  query: wait,
  body: overrides.unwrap().omit({ baseUrl: true }).default({}),
  status: 202,
  response: z.object({ id: identifier, state: executionState, verdict: verdict.nullable() }),
  headers: [idempotencyKey, prefer],
  responseHeaders: [preferenceApplied],
  locationPath: "/api/v1/test-circle-executions/{id}",
  problems: {
    plan_limit_reached: "The plan's remaining executions of the month do not suffice; nothing was started.",
    conflict: "The `Idempotency-Key` was used for another call.",
  },
});

export const listExecutionsOfCircle = endpoint({
  ...listRuns,
  path: "/api/v1/test-circles/{testCircleId}/executions",
  tag,
  summary: "Executions of a circle, newest first",
  description: "Whole runs and partial repetitions.",
  params: circleParams,
  query: listQuery,
});

export const listCircleExecutions = endpoint({
  ...listRuns,
  path: "/api/v1/test-circle-executions",
  tag,
  summary: "Executions of all circles, newest first",
  query: listQuery,
});

export const getCircleExecution = endpoint({
  ...getRun,
  path: "/api/v1/test-circle-executions/{testCircleExecutionId}",
  tag,
  summary: "One execution of a circle with its members",
  params: executionParams,
});

export const watchCircleExecution = endpoint({
  ...watchRun,
  path: "/api/v1/test-circle-executions/{testCircleExecutionId}/events",
  tag,
  summary: "Changes of a circle's execution as server-sent events",
  params: executionParams,
});

export const cancelCircleExecution = endpoint({
  ...cancelRun,
  path: "/api/v1/test-circle-executions/{testCircleExecutionId}/cancel",
  tag,
  summary: "Cancels a circle's execution",
  params: executionParams,
});

export const reportCircleExecution = endpoint({
  ...reportRun,
  path: "/api/v1/test-circle-executions/{testCircleExecutionId}/report",
  tag,
  summary: "Report of a circle's execution",
  params: executionParams,
});
