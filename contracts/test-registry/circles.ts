import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, identifier, listQuery, moment, onlyReads, pageSchema, type Tag } from "../kit/endpoint.ts";
import { entityTag, idempotencyKey, ifMatch } from "../kit/headers.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { orNone } from "../kit/or-none.ts";
import { secretReference } from "../security-service/secret-references.ts";
import { circleMember, circlePhase, memberEffect } from "./circle-members.ts";
import { circlePlaces } from "./circle-places.ts";
import { test } from "./tests.ts";

export const circlesTag: Tag = {
  name: "Test circles",
  description: "Named groups of tests, of one API or several, with their own order, environments and variables.",
};

export const circleOrder = z.enum(["sequential", "parallel"]);

/** `value`: null for a secret in responses; null in a request keeps the stored value. */
export const circleVariable = z
  .object({
    name: z.string().regex(/^[A-Za-z_][\w.-]{0,99}$/, "Use letters, digits, _, . and -, starting with a letter"),
    value: z
      .string()
      .max(100_000)
      .nullable()
      .default(null)
      .describe(
        "`{{$uuid}}`, `{{$guid}}`, `{{$timestamp}}`, `{{$isoTimestamp}}` and `{{$randomInt}}` in it are filled in once when a run starts: all its members see the same value, another run another.",
      ),
    secret: z.boolean().default(false).describe("Encrypted, never returned, and replaced in recorded data."),
    reference: orNone(secretReference).describe(
      "Where the value of a secret is read whenever a test uses it, instead of being stored here. Setting or changing one needs the scope `credentials:manage`.",
    ),
  })
  .openapi("TestCircleVariable");
export type CircleVariable = z.infer<typeof circleVariable>;

const descriptive = {
  name: displayName(z.string().trim().min(1, "Give the circle a name").max(300)),
  description: z.string().trim().max(4_000).default(""),
};
/** How it runs. */
export const circleWays = {
  members: z.array(circleMember).max(5_000, "At most 5,000 members"),
  order: circleOrder
    .default("sequential")
    .describe("Order of the members between set-up and tear-down, which are always sequential."),
  concurrency: z
    .number()
    .int()
    .min(1, "At least 1")
    .max(100, "At most 100")
    .default(10)
    .describe("Maximum number of concurrent members in a parallel order."),
  stopOnFailure: z.boolean().default(false),
  cookies: z
    .boolean()
    .default(false)
    .describe(
      "Whether cookies that a response sets are sent by later members, as RFC 6265 says. In a parallel order only those of set-up reach other members.",
    ),
  onlyOwn: z
    .boolean()
    .default(false)
    .describe(
      "Whether its members may change only what the same run created. A test whose method may change something (RFC 9110, 9.2.1) is then sent only if the value of its last path parameter, or without one an identifier in its query or body, was captured from a 2xx of a member that makes something; otherwise it ends blocked, and nothing is sent.",
    ),
  locationId: z
    .uuid()
    .nullable()
    .default(null)
    .describe("Where its runs are sent from, by an agent. Null: as the environments of its APIs say."),
  places: circlePlaces
    .nullable()
    .default(null)
    .describe("Several places that each run is sent from, and when a test fails. Null: one place."),
  environments: z
    .record(z.uuid(), z.string().min(1).max(100))
    .default({})
    .describe("Name of the environment, keyed by API; those of APIs without a member are dropped."),
  variables: z.array(circleVariable).max(200).default([]),
};

export const circleInput = z
  .object({
    ...descriptive,
    ...circleWays,
    members: circleWays.members.min(1, "Choose at least one test"),
    cookies: orNone(z.boolean()).describe(
      "Whether cookies that a response sets are sent by later members. Omitted: as before, and for a new circle whether its order is sequential.",
    ),
    onlyOwn: orNone(z.boolean()).describe(
      "Whether its members may change only what the same run created. Omitted: as before, and for a new circle as in `copyOf`, or false.",
    ),
    locationId: z
      .uuid()
      .nullable()
      .optional()
      .describe(
        "Where its runs are sent from, by an agent. Null: as the environments of its APIs say. Omitted: as before.",
      ),
    places: circlePlaces
      .nullable()
      .optional()
      .describe(
        "Several places that each run is sent from, and when a test fails; instead of `locationId`. Null: one place. Omitted: as before, unless `locationId` names one.",
      ),
  })
  .openapi("TestCircleInput");
export type CircleInput = z.infer<typeof circleInput>;

const identified = { id: identifier, ...descriptive };
const dated = {
  apiIds: z.array(z.uuid()).describe("APIs of its members."),
  version: z.number().int().describe("Incremented with every change; sent as ETag and required by If-Match."),
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
    cookies: circleWays.cookies,
    onlyOwn: circleWays.onlyOwn,
    locationId: circleWays.locationId,
    places: circleWays.places,
    memberCount: z.number().int(),
    ...dated,
  })
  .openapi("TestCircleSummary");
export type CircleSummary = z.infer<typeof circleSummary>;

export const circleSorts = ["name", "-name"] as const;

export const circleParams = z.object({ testCircleId: z.uuid() });
const stale = "Another user saved since the version in `If-Match`.";
const maximumBodyBytes = 8 * 1_048_576;

export const listCircles = endpoint({
  method: "get",
  path: "/api/v1/test-circles",
  access: "tests:read",
  tag: circlesTag,
  summary: "Test circles by name",
  description: "`query` searches name and description.",
  query: listQuery.extend({
    sort: z.enum(circleSorts).default("name").describe("Sort key; a leading `-` reverses the order"),
    apiId: z.uuid().optional().describe("Only circles with a member of this API"),
    testId: z.uuid().optional().describe("Only circles that name this test"),
    locationId: z.uuid().optional().describe("Only circles that are sent from this location"),
    ids: identifierList.optional().describe("Only these circles. Separated by commas, at most 200."),
  }),
  status: 200,
  response: pageSchema(circleSummary),
});

export const createCircle = endpoint({
  method: "post",
  path: "/api/v1/test-circles",
  access: "tests:write",
  audit: "test circle",
  tag: circlesTag,
  summary: "Creates a test circle",
  description: "With `copyOf`, secret variables without a value are copied from that circle by name.",
  body: circleInput.extend({ copyOf: orNone(z.uuid()) }),
  maxBodyBytes: maximumBodyBytes,
  status: 201,
  response: circle,
  responseHeaders: [entityTag],
  locationPath: "/api/v1/test-circles/{id}",
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
  response: circle,
  responseHeaders: [entityTag],
});

export const changeCircle = endpoint({
  method: "put",
  path: "/api/v1/test-circles/{testCircleId}",
  access: "tests:write",
  audit: "test circle",
  tag: circlesTag,
  summary: "Changes a test circle",
  description:
    "Replaces the whole circle and increments its version. Secret variables without a value keep the stored one.",
  params: circleParams,
  body: circleInput,
  maxBodyBytes: maximumBodyBytes,
  status: 200,
  response: circle,
  headers: [ifMatch],
  responseHeaders: [entityTag],
  problems: { stale_version: stale },
});

export const deleteCircle = endpoint({
  method: "delete",
  path: "/api/v1/test-circles/{testCircleId}",
  access: "tests:write",
  audit: "test circle",
  tag: circlesTag,
  summary: "Deletes a test circle",
  description: "Its tests and its runs are not deleted.",
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
  summary: "Tests a circle would run now, in order",
  description: "Selections are resolved. Disabled tests do not run and are omitted.",
  params: circleParams,
  query: listQuery.omit({ query: true }),
  status: 200,
  response: pageSchema(testOfCircle).extend({
    version: z.number().int().describe("The circle's version: pages of different versions belong to different lists."),
  }),
});

export const openedCircle = circleSummary.extend({
  environments: circleWays.environments,
  variables: z.array(
    z.object({
      name: z.string(),
      value: z.string().describe("Empty with a reference."),
      secret: z.boolean(),
      reference: secretReference.optional(),
    }),
  ),
  maintenance: z.string().nullable().describe("The active maintenance window, while its schedules start nothing."),
  leftOut: z.number().int().describe('Tests omitted by `include: "safe"`, and disabled ones it names.'),
  runs: z
    .array(z.object({ phase: circlePhase, testId: z.uuid(), effect: memberEffect.optional() }))
    .describe("Tests it would run now, in order."),
  tests: z
    .array(test)
    .nullable()
    .describe("Definitions of these tests; null for a large circle, whose tests are read by id."),
});
export type OpenedCircle = z.infer<typeof openedCircle>;

/** For the executioner, the only reader of the values of secret variables. */
export const openCircles = endpoint({
  method: "post",
  path: "/internal/v1/opened-test-circles",
  access: "internal",
  audit: onlyReads,
  summary: "Circles to run, secret variables with their values",
  body: z.object({ items: z.array(z.object({ organizationId: z.uuid(), testCircleId: z.uuid() })).max(100) }),
  status: 200,
  response: z.object({
    items: z.array(openedCircle.nullable()).describe("In request order; null for an unknown id."),
  }),
});
