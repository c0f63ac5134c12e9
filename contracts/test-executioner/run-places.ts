import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { runParams, runsTag } from "./runs.ts";
import { executionVerdict } from "./verdicts.ts";

export const runPlace = z
  .object({
    locationId: z.uuid().nullable().describe("Null: the portal itself."),
    name: z.string().nullable().describe("Null for a deleted location."),
    executions: z.int().describe("With a result."),
    failed: z.int().describe("Of these, failed, errored and blocked ones, whatever the circle's rule says."),
    verdict: executionVerdict.nullable().describe("The worst of them; null before the first."),
    p50: z.number().nullable().describe("Percentiles of response time in milliseconds; null without a response."),
    p95: z.number().nullable(),
  })
  .openapi("RunPlace");
export type RunPlace = z.infer<typeof runPlace>;

export const listRunPlaces = endpoint({
  method: "get",
  path: "/api/v1/runs/{runId}/places",
  access: "tests:read",
  tag: runsTag,
  summary: "What each place saw in a run",
  description: "In the order of the circle's places; empty for a run that is not from several places.",
  params: runParams,
  status: 200,
  response: z.object({ items: z.array(runPlace) }),
});
