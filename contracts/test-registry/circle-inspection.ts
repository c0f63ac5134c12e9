import { z } from "@hono/zod-openapi";
import { endpoint, onlyReads } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { circlePhase, memberEffect } from "./circle-members.ts";
import { circlesTag, circleWays } from "./circles.ts";

const inspectedTest = {
  memberIndex: z.number().int().describe("Index in `members`, from 0."),
  testId: z.uuid(),
  apiId: z.uuid(),
  name: z.string(),
  method: z.string(),
  path: z.string(),
};

export const inspectedMember = z
  .object({
    position: z.number().int().describe("From 1, in run order."),
    phase: circlePhase,
    ...inspectedTest,
    executions: z.number().int().describe("Number of data rows; 1 without rows."),
    gives: z.array(z.string()).describe("Names it captures."),
    uses: z
      .array(
        z.object({
          name: z.string(),
          givenBy: z.enum(["member", "row", "circle", "environment", "nobody"]),
          position: z.number().int().nullable().describe("Position of the member that provides it."),
        }),
      )
      .describe("Names it references as `{{name}}`, in the request and in its expectations."),
    effect: memberEffect.optional().describe("Of a named test."),
    notSent: z
      .string()
      .nullable()
      .describe(
        "With `onlyOwn`: why it would end blocked, as it would change what the run did not make; otherwise null.",
      ),
  })
  .openapi("InspectedTestCircleMember");
export type InspectedMember = z.infer<typeof inspectedMember>;

export const circleInspection = z
  .object({
    members: z.array(inspectedMember).describe("Tests that would run now, with selections resolved."),
    notRun: z
      .array(z.object({ ...inspectedTest, reason: z.enum(["disabled", "unsafe"]) }))
      .describe("Disabled tests that are named, and tests omitted by selections of safe ones."),
    absent: z.array(z.number().int()).describe("Indexes of members whose test or API does not exist."),
    missing: z
      .array(
        z.object({
          name: z.string(),
          usedBy: z.array(z.number().int()).describe("Positions."),
          capturedBy: z
            .number()
            .int()
            .nullable()
            .describe(
              "Position of a member that captures it out of reach of those that reference it: later, or in parallel.",
            ),
        }),
      )
      .describe("Names that are referenced but provided by nothing."),
  })
  .openapi("TestCircleInspection");
export type CircleInspection = z.infer<typeof circleInspection>;

const circleToInspect = z.object({
  members: circleWays.members,
  order: circleWays.order,
  onlyOwn: orNone(z.boolean()),
  environments: orNone(circleWays.environments.unwrap()),
  variables: orNone(z.array(z.object({ name: z.string().max(100), value: orNone(z.string().max(100_000)) })).max(200)),
  testCircleId: orNone(z.uuid()).describe("The saved circle, whose secret variables keep their values."),
});
export type CircleToInspect = z.infer<typeof circleToInspect>;

export const inspectCircle = endpoint({
  method: "post",
  path: "/api/v1/test-circles/inspect",
  access: "tests:read",
  audit: onlyReads,
  tag: circlesTag,
  summary: "Tests a circle would run, and which test provides values to which",
  description:
    "The circle need not be saved. Of variables only the names matter, and with `onlyOwn` whether `{{$uuid}}` or `{{$guid}}` is in the value; parallel members receive only what set-up captured.",
  body: circleToInspect,
  maxBodyBytes: 8 * 1_048_576,
  status: 200,
  response: circleInspection,
});
