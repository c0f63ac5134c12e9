import { z } from "@hono/zod-openapi";
import { endpoint, onlyAsks } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { circlePhase } from "./circle-members.ts";
import { circlesTag, circleWays } from "./circles.ts";

const inspectedTest = {
  memberIndex: z.number().int().describe("Of `members` as they were sent, from 0."),
  testId: z.uuid(),
  apiId: z.uuid(),
  name: z.string(),
  method: z.string(),
  path: z.string(),
};

export const inspectedMember = z
  .object({
    position: z.number().int().describe("From 1, in the order of the run."),
    phase: circlePhase,
    ...inspectedTest,
    executions: z.number().int().describe("As many as the test has rows of data; else 1."),
    gives: z.array(z.string()).describe("Names it captures."),
    uses: z
      .array(
        z.object({
          name: z.string(),
          givenBy: z.enum(["member", "row", "circle", "environment", "nobody"]),
          position: z.number().int().nullable().describe("Of the member that gives it."),
        }),
      )
      .describe("Names it asks for as `{{name}}`, in what it sends and in what it expects."),
  })
  .openapi("InspectedTestCircleMember");
export type InspectedMember = z.infer<typeof inspectedMember>;

export const circleInspection = z
  .object({
    members: z.array(inspectedMember).describe("What would run now; selections are resolved."),
    notRun: z
      .array(z.object({ ...inspectedTest, reason: z.enum(["disabled", "unsafe"]) }))
      .describe("Disabled tests that are named, and what selections of safe ones leave out."),
    absent: z.array(z.number().int()).describe("Indexes of members whose test or API is not there."),
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
              "Position of a member that captures it where nobody who asks can see it: later, or at the same time.",
            ),
        }),
      )
      .describe("Names that are asked for and given by nobody."),
  })
  .openapi("TestCircleInspection");
export type CircleInspection = z.infer<typeof circleInspection>;

export const inspectCircle = endpoint({
  method: "post",
  path: "/api/v1/test-circles/inspect",
  access: "tests:read",
  audit: onlyAsks,
  tag: circlesTag,
  summary: "What a circle would run, and which test gives values to which",
  description:
    "Of a circle that need not be saved. Values of variables do not matter, only their names; of members that run in parallel each sees only what set-up captured.",
  body: z.object({
    members: circleWays.members,
    order: circleWays.order,
    environments: orNone(circleWays.environments.unwrap()),
    variables: orNone(z.array(z.object({ name: z.string().max(100) })).max(200)),
  }),
  maximumBodyBytes: 8 * 1_048_576,
  status: 200,
  answer: circleInspection,
});
