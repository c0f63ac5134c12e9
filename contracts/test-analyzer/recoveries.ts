import { z } from "@hono/zod-openapi";
import { endpoint, moment, type Tag } from "../kit/endpoint.ts";
import { identifierList } from "../kit/identifier-list.ts";

export const incidentTag: Tag = {
  name: "Incidents",
  description: "Failures grouped by cause, with the tests they affect.",
};

/** A pass that does not resolve the incident: elsewhere than where the test fails, or one of too few. */
export const recovery = z
  .object({
    at: moment,
    runId: z.uuid().describe("The run in which it passed."),
    apiId: z.uuid().describe("API of the test that passed in it."),
    byHand: z.boolean().describe("A user started the run."),
    resolves: z
      .enum(["next_run", "steady"])
      .describe("`next_run`: with the next run where it failed. `steady`: with five passing results in a row."),
    nextRunAt: moment.nullable().describe("When its circle's schedule runs it next; null without a schedule."),
  })
  .openapi("IncidentRecovery");
export type Recovery = z.infer<typeof recovery>;

export const recoveringTest = z
  .object({
    testId: z.uuid(),
    testName: z.string(),
    apiId: z.uuid(),
    incidentId: z.uuid(),
    since: moment.describe("The first failing result."),
    recovery,
  })
  .openapi("RecoveringTest");
export type RecoveringTest = z.infer<typeof recoveringTest>;

export const listRecoveringTests = endpoint({
  method: "get",
  path: "/api/v1/recovering-tests",
  access: "tests:read",
  tag: incidentTag,
  summary: "Tests that have passed while their incident is open",
  description:
    "They still count as failing: a run elsewhere than where they fail, such as a manual one outside their circle, does not resolve an incident. At most 200, each once.",
  query: z.object({ apiIds: identifierList.optional().describe("Only tests of these APIs") }),
  status: 200,
  response: z.object({ items: z.array(recoveringTest) }),
});
