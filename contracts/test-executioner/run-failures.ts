import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, pageSchema } from "../kit/endpoint.ts";
import { runMember, runParams, runsTag } from "./runs.ts";

export const runFailure = runMember
  .extend({
    failures: z.number().int().describe("Consecutive runs in which the test did not pass, including this one."),
    isWhole: z.boolean().describe("False: it may have been failing for longer than the runs examined."),
  })
  .openapi("RunFailure");
export type RunFailure = z.infer<typeof runFailure>;

export const listRunFailures = endpoint({
  method: "get",
  path: "/api/v1/runs/{runId}/failures",
  access: "tests:read",
  tag: runsTag,
  summary: "A run's failures, and for how many runs each has lasted",
  description:
    "Members that failed, errored or were blocked, in order. Examines the last 20 earlier executions of each with the same test and row, in the same circle or outside circles, with the same environment.",
  params: runParams,
  query: listQuery.omit({ query: true }),
  status: 200,
  response: pageSchema(runFailure),
});
