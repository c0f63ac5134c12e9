import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, pageSchema } from "../kit/endpoint.ts";
import { circlePhase } from "../test-registry/circle-members.ts";
import { runParams, runsTag } from "./runs.ts";
import { verdict } from "./verdicts.ts";

const bodyDifference = z.object({
  pointer: z.string().describe("JSON pointer (RFC 6901); empty for the whole document."),
  before: z.string().nullable().describe("As JSON, cut after 200 characters; null if it did not exist."),
  after: z.string().nullable().describe("As JSON, cut after 200 characters; null if it does not exist."),
});

export const bodyComparison = z
  .object({
    differences: z.array(bodyDifference).describe("At most 50."),
    differenceCount: z.number().int().describe("Total number, including those beyond 50."),
    masked: z
      .array(z.string())
      .describe(
        "Pointers whose differences are ignored, because they differed in at least half of the steps between at most 20 previous runs in which this member passed; `*` stands for any index. At most 50.",
      ),
    hidden: z.array(bodyDifference).describe("Differences ignored because of `masked`. At most 50."),
  })
  .openapi("BodyComparison");
export type BodyComparison = z.infer<typeof bodyComparison>;

const outcome = {
  executionId: z.uuid(),
  position: z.number().int(),
  verdict: verdict.nullable(),
  statusCode: z.number().int().nullable(),
  responseMilliseconds: z.number().nullable(),
};

export const comparedMember = z
  .object({
    ...outcome,
    phase: circlePhase,
    testId: z.uuid(),
    apiId: z.uuid(),
    testName: z.string(),
    row: z.number().int().optional().describe("Row of the test's data, from 1; absent for a test without rows."),
    before: z.object(outcome).nullable().describe("In the previous run; null if it was not a member of it."),
    changes: z
      .array(z.enum(["verdict", "statusCode", "time", "body"]))
      .describe(
        "`time`: at least twice or half as long, and by 100 ms or more. `body`: beyond the masked differences.",
      ),
    body: bodyComparison
      .nullable()
      .describe("Null if bodies are identical, or if one is missing, binary, or longer than 256 KiB."),
  })
  .openapi("ComparedMember");
export type ComparedMember = z.infer<typeof comparedMember>;

const goneMember = z.object({
  ...outcome,
  phase: circlePhase,
  testId: z.uuid(),
  apiId: z.uuid(),
  testName: z.string(),
  row: z.number().int().optional(),
});
export type MissingMember = z.infer<typeof goneMember>;

export const compareRun = endpoint({
  method: "get",
  path: "/api/v1/runs/{runId}/comparison",
  access: "tests:read",
  tag: runsTag,
  summary: "Differences from the previous run",
  description:
    "The previous run is the last finished whole run of the same circle, API or test; for a repeated run, the one that it repeats. Lists finished members in order; the first page also counts changes over all of them. A page examines at most 200 members, so it may have fewer items than requested, or none, and still have a next page.",
  params: runParams,
  query: listQuery.omit({ query: true }).extend({
    before: z.uuid().optional().describe("A finished run to compare with; defaults to the previous run"),
    only: z.enum(["changed"]).optional().describe("Only members that differ or are new"),
  }),
  status: 200,
  response: pageSchema(comparedMember).extend({
    before: z
      .object({ runId: z.uuid(), verdict: verdict.nullable(), queuedAt: moment, finishedAt: moment.nullable() })
      .nullable()
      .describe("Null without a run to compare with; then there are no items."),
    counts: z
      .object({
        verdict: z.number().int(),
        statusCode: z.number().int(),
        added: z.number().int().describe("Members missing from the previous run."),
        gone: z.number().int().describe("Members only in the previous run."),
      })
      .optional()
      .describe("Omitted on later pages."),
    gone: z
      .array(goneMember)
      .optional()
      .describe("At most 50 members only in the previous run. Omitted on later pages."),
  }),
  problems: { conflict: "The run to compare with is still running.", not_found: "One of the runs does not exist." },
});
