import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, pageOf } from "../kit/endpoint.ts";
import { runMember, runParams, runsTag } from "./runs.ts";

export const runFailure = runMember
  .extend({
    failures: z.number().int().describe("Runs in a row in which the test did not pass, this one included."),
    isWhole: z.boolean().describe("False: it may have failed for longer than was looked through."),
  })
  .openapi("RunFailure");
export type RunFailure = z.infer<typeof runFailure>;

export const listRunFailures = endpoint({
  method: "get",
  path: "/api/v1/runs/{runId}/failures",
  access: "tests:read",
  tag: runsTag,
  summary: "What failed in a run, and for how many runs it has",
  description:
    "Members that failed, errored or were blocked, in their order. Looks through the last 20 executions before each of the same test, and of the same row, in the same circle or outside of circles, with the same environment.",
  params: runParams,
  query: listQuery.omit({ query: true }),
  status: 200,
  answer: pageOf(runFailure),
});
