import { z } from "@hono/zod-openapi";
import { operationKey, resourceKey } from "../api-registry/resources.ts";
import { endpoint, onlyReads, type Tag } from "../kit/endpoint.ts";
import { circlePhase, memberEffect } from "../test-registry/circle-members.ts";
import { circleOrder, circleVariable } from "../test-registry/circles.ts";
import { testInput } from "../test-registry/tests.ts";

const tag: Tag = { name: "Suggestions", description: "Tests generated from a document." };

/** What a step does for its circle. */
export const stepKinds = [
  "create",
  "read",
  "list",
  "change",
  "readChanged",
  "call",
  "remove",
  "findGone",
  "findUnknown",
  "take",
  "putBack",
  "refuse",
] as const;
export type StepKind = (typeof stepKinds)[number];

export const plannedTest = z
  .object({
    key: z.string().describe("Names it in the plan; a test may take part in several circles."),
    test: testInput,
    needs: z.array(z.string()).describe("Variables whose values only a person knows, or an environment gives."),
  })
  .openapi("PlannedTest");
export type PlannedTest = z.infer<typeof plannedTest>;

export const plannedStep = z.object({
  test: z.string().describe("Key of its test."),
  does: z
    .enum(stepKinds)
    .describe(
      "`take` reads an identifier of something that exists, `findGone` expects that it is no longer found, `findUnknown` that one which never existed is not found, `putBack` sends what was there before, `refuse` what the document does not allow.",
    ),
  phase: circlePhase,
  effect: memberEffect.optional(),
  why: z.string().describe('Why it is there, in a sentence; "" where its kind says it.'),
});
export type PlannedStep = z.infer<typeof plannedStep>;

export const plannedCircle = z
  .object({
    key: z.string().describe("Names it in the plan, and in later plans of the same document."),
    kind: z
      .enum(["life", "reads", "setting", "calls", "refusals"])
      .describe(
        "`life`: what becomes of a resource that the run makes. `reads`: of one that no operation makes. `setting`: changes what is there once, and puts it back. `calls`: operations that need nothing. `refusals`: requests that break one rule of the document each, for the circle with the rest of its key.",
      ),
    name: z.string(),
    resource: resourceKey.nullable(),
    isSafe: z.boolean().describe("Changes only its own data."),
    order: circleOrder,
    cookies: z.boolean(),
    steps: z.array(plannedStep),
    variables: z.array(circleVariable),
    makes: z.array(z.string()).describe("What it makes, in words: `a book`."),
    leaves: z.array(z.string()).describe("What it makes and no operation removes: `an order`."),
    leftOut: z
      .array(z.object({ operation: operationKey, reason: z.string() }))
      .describe("Operations of the resource, and checks of them, that it does not have, each with a sentence."),
  })
  .openapi("PlannedCircle");
export type PlannedCircle = z.infer<typeof plannedCircle>;

export const neededValue = z.object({
  name: z.string().describe("Name of the variable."),
  parameter: z.string().describe("Name of a parameter, or of a body's member: `category.id`."),
  in: z.enum(["path", "query", "header", "cookie", "body"]),
  usedBy: z.number().int().describe("Number of planned tests."),
});

export const suitePlan = z
  .object({
    circles: z.array(plannedCircle),
    tests: z.array(plannedTest),
    values: z.array(neededValue).describe("What only a person knows, the most used first."),
    leftOut: z
      .array(z.object({ operation: operationKey, reason: z.string() }))
      .describe("Operations in no circle, each with a sentence that says why."),
    needsBaseUrl: z
      .boolean()
      .describe("Whether a test has no address of its own: its operation has no server with a whole URL."),
  })
  .openapi("SuitePlan");
export type SuitePlan = z.infer<typeof suitePlan>;

/** Per call. */
export const maxPlannedOperations = 400;

export const planSuite = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/suite-plan",
  timeoutSeconds: 60,
  access: "tests:read",
  audit: onlyReads,
  tag,
  summary: "Circles of tests generated from the document",
  description:
    "For each resource of these operations the life of one: create, read, list, change, read again, delete, gone. What it needs is created first and removed last. Resources that no operation creates are read. Creates nothing.",
  params: z.object({ apiId: z.uuid() }),
  body: z.object({ operations: z.array(operationKey).min(1).max(maxPlannedOperations) }),
  status: 200,
  response: suitePlan,
});
