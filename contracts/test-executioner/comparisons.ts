import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, pageOf } from "../kit/endpoint.ts";
import { circlePhase } from "../test-registry/circle-members.ts";
import { runParams, runsTag } from "./runs.ts";
import { verdict } from "./verdicts.ts";

const bodyDifference = z.object({
  pointer: z.string().describe("JSON pointer (RFC 6901); empty for the whole."),
  before: z.string().nullable().describe("As JSON, cut after 200 characters; null where it was not there."),
  after: z.string().nullable().describe("As JSON, cut after 200 characters; null where it is not there."),
});

export const bodyComparison = z
  .object({
    differences: z.array(bodyDifference).describe("At most 50."),
    differenceCount: z.number().int().describe("How many there are, those beyond 50 included."),
    masked: z
      .array(z.string())
      .describe(
        "Pointers that differ and are left out, since they differed in at least half of the steps between at most 20 runs before in which this member passed; `*` stands for any index. At most 50.",
      ),
    hidden: z.array(bodyDifference).describe("What `masked` leaves out. At most 50."),
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
    before: z.object(outcome).nullable().describe("In the run before; null where it was no member of it."),
    changes: z
      .array(z.enum(["verdict", "statusCode", "time", "body"]))
      .describe("`time`: at least twice or half as long, and by 100 ms or more. `body`: beyond what is masked."),
    body: bodyComparison
      .nullable()
      .describe("Null where bodies are the same, or where one is not there, no text, or longer than 256 KiB."),
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
export type GoneMember = z.infer<typeof goneMember>;

export const compareRun = endpoint({
  method: "get",
  path: "/api/v1/runs/{runId}/comparison",
  access: "tests:read",
  tag: runsTag,
  summary: "What differs from the run before",
  description:
    "The run before is the last whole one of the same circle, API or test that ended; of a repeated run the one that it repeats. Members that have ended, in their order; the first page also counts changes over all of them. Of at most 200 members a page looks for those that changed, so that it may hold fewer than asked for, or none, and still have a next one.",
  params: runParams,
  query: listQuery.omit({ query: true }).extend({
    before: z.uuid().optional().describe("The run to compare with, which has ended; else the run before"),
    only: z.enum(["changed"]).optional().describe("Keeps members that differ or are new"),
  }),
  status: 200,
  answer: pageOf(comparedMember).extend({
    before: z
      .object({ runId: z.uuid(), verdict: verdict.nullable(), queuedAt: moment, finishedAt: moment.nullable() })
      .nullable()
      .describe("Null where there is none to compare with; then there are no items."),
    counts: z
      .object({
        verdict: z.number().int(),
        statusCode: z.number().int(),
        added: z.number().int().describe("Members that the run before did not have."),
        gone: z.number().int().describe("Members that only the run before had."),
      })
      .optional()
      .describe("Left out on later pages."),
    gone: z
      .array(goneMember)
      .optional()
      .describe("At most 50 members that only the run before had. Left out on later pages."),
  }),
  problems: { conflict: "The run to compare with still goes on.", not_found: "One of the runs is not there." },
});
