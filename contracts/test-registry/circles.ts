import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, onlyAsks, pageOf, type Tag } from "../kit/endpoint.ts";
import { entityTag, idempotencyKey, ifMatch } from "../kit/headers.ts";
import { orNone } from "../kit/or-none.ts";
import { circleMember, circlePhase } from "./circle-members.ts";
import { test } from "./tests.ts";

export const circlesTag: Tag = {
  name: "Test circles",
  description: "Named groups of tests, of one API or several, with an order, environments and variables of their own.",
};

export const circleOrder = z.enum(["sequential", "parallel"]);

/** `value`: null says nothing of it. What is secret is answered so; sent so, it keeps the value that is stored. */
export const circleVariable = z
  .object({
    name: z.string().regex(/^[A-Za-z_][\w.-]{0,99}$/, "Use letters, digits, _, . and -, starting with a letter"),
    value: z.string().max(100_000).nullable().default(null),
    secret: z.boolean().default(false).describe("Kept sealed, never answered, and replaced in what is recorded."),
  })
  .openapi("TestCircleVariable");
export type CircleVariable = z.infer<typeof circleVariable>;

const descriptive = {
  name: z.string().trim().min(1, "Give the circle a name").max(300),
  description: z.string().trim().max(4_000).default(""),
};
/** How it runs. */
export const circleWays = {
  members: z.array(circleMember).max(5_000, "At most 5,000 members"),
  order: circleOrder
    .default("sequential")
    .describe("Of the members between set-up and tear-down, which always run one after the other."),
  concurrency: z
    .number()
    .int()
    .min(1, "At least one at once")
    .max(100, "At most 100 at once")
    .default(10)
    .describe("How many of them run at once, where the order is parallel."),
  stopOnFailure: z.boolean().default(false),
  environments: z
    .record(z.uuid(), z.string().min(1).max(100))
    .default({})
    .describe("Name of the environment by API; those of APIs without a member are not kept."),
  variables: z.array(circleVariable).max(200).default([]),
};

export const circleInput = z
  .object({ ...descriptive, ...circleWays, members: circleWays.members.min(1, "Choose at least one test") })
  .openapi("TestCircleInput");
export type CircleInput = z.infer<typeof circleInput>;

const identified = { id: identifier, ...descriptive };
const dated = {
  apiIds: z.array(z.uuid()).describe("APIs it has members of."),
  version: z.number().int().describe("Counts up with every change; sent back as ETag and asked for by If-Match."),
  createdAt: moment,
  updatedAt: moment,
};

export const circle = z.object({ ...identified, ...circleWays, ...dated }).openapi("TestCircle");
export type Circle = z.infer<typeof circle>;

export const circleSummary = z
  .object({
    ...identified,
    order: circleWays.order,
    concurrency: circleWays.concurrency,
    stopOnFailure: circleWays.stopOnFailure,
    memberCount: z.number().int(),
    ...dated,
  })
  .openapi("TestCircleSummary");
export type CircleSummary = z.infer<typeof circleSummary>;

export const circleParams = z.object({ testCircleId: z.uuid() });
const stale = "Somebody else saved since the version in `If-Match`.";
const maximumBodyBytes = 8 * 1_048_576;

export const listCircles = endpoint({
  method: "get",
  path: "/api/v1/test-circles",
  access: "tests:read",
  tag: circlesTag,
  summary: "Test circles by name",
  description: "`query` looks into name and description.",
  query: listQuery.extend({
    apiId: z.uuid().optional().describe("Keeps circles that have a member of this API"),
    testId: z.uuid().optional().describe("Keeps circles that name this test"),
  }),
  status: 200,
  answer: pageOf(circleSummary),
});

export const createCircle = endpoint({
  method: "post",
  path: "/api/v1/test-circles",
  access: "tests:write",
  audit: "test circle",
  tag: circlesTag,
  summary: "Creates a test circle",
  description: "With `copyOf`, secret variables without a value take that circle's of the same name.",
  body: circleInput.extend({ copyOf: orNone(z.uuid()) }),
  maximumBodyBytes,
  status: 201,
  answer: circle,
  answerHeaders: [entityTag],
  makes: "/api/v1/test-circles/{id}",
  headers: [idempotencyKey],
  problems: { conflict: "The `Idempotency-Key` was used for another circle, or for one that was deleted." },
});

export const getCircle = endpoint({
  method: "get",
  path: "/api/v1/test-circles/{testCircleId}",
  access: "tests:read",
  tag: circlesTag,
  summary: "One test circle",
  description: "Its ETag is for `If-Match`.",
  params: circleParams,
  status: 200,
  answer: circle,
  answerHeaders: [entityTag],
});

export const changeCircle = endpoint({
  method: "put",
  path: "/api/v1/test-circles/{testCircleId}",
  access: "tests:write",
  audit: "test circle",
  tag: circlesTag,
  summary: "Changes a test circle",
  description: "Replaces the whole circle and counts its version up. Secret variables without a value keep theirs.",
  params: circleParams,
  body: circleInput,
  maximumBodyBytes,
  status: 200,
  answer: circle,
  headers: [ifMatch],
  answerHeaders: [entityTag],
  problems: { stale_version: stale },
});

export const deleteCircle = endpoint({
  method: "delete",
  path: "/api/v1/test-circles/{testCircleId}",
  access: "tests:write",
  audit: "test circle",
  tag: circlesTag,
  summary: "Deletes a test circle",
  description: "Its tests stay, and so do its runs.",
  params: circleParams,
  status: 204,
  headers: [ifMatch],
  problems: { stale_version: stale },
});

const testOfCircle = z.object({ phase: circlePhase, test });

export const listTestsOfCircle = endpoint({
  method: "get",
  path: "/api/v1/test-circles/{testCircleId}/tests",
  access: "tests:read",
  tag: circlesTag,
  summary: "Tests a circle would run now, in its order",
  description: "Selections are resolved. Disabled tests do not run and are left out.",
  params: circleParams,
  query: listQuery.omit({ query: true }),
  status: 200,
  answer: pageOf(testOfCircle).extend({
    version: z.number().int().describe("The circle's: a page of another version belongs to another list."),
  }),
});

export const openedCircle = circleSummary.extend({
  environments: circleWays.environments,
  variables: z.array(z.object({ name: z.string(), value: z.string(), secret: z.boolean() })),
  maintenance: z.string().nullable().describe("Why its schedules start nothing at this moment: the window that is on."),
  leftOut: z.number().int().describe('Tests that `include: "safe"` leaves out, and disabled ones it names.'),
  runs: z.array(z.object({ phase: circlePhase, testId: z.uuid() })).describe("What it would run now, in its order."),
  tests: z.array(test).nullable().describe("These tests; null of a large circle, whose tests are read by their ids."),
});
export type OpenedCircle = z.infer<typeof openedCircle>;

/** The executioner asks for what nobody else may read: what secret variables hold. */
export const openCircles = endpoint({
  method: "post",
  path: "/internal/v1/opened-test-circles",
  access: "internal",
  audit: onlyAsks,
  summary: "Circles as they are to be run, secret variables with their values",
  body: z.object({ items: z.array(z.object({ organizationId: z.uuid(), testCircleId: z.uuid() })).max(100) }),
  status: 200,
  answer: z.object({
    items: z.array(openedCircle.nullable()).describe("As asked for, one by one; null of what is not there."),
  }),
});
