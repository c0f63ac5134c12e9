import { z } from "@hono/zod-openapi";
import { entityTag, idempotencyKey, ifMatch } from "../../kit/contract/headers.ts";
import { identifierList } from "../../kit/contract/identifier-list.ts";
import { listQuery, moment, operation, pageOf, type Tag } from "../../kit/contract/operation.ts";
import { orNone } from "../../kit/contract/or-none.ts";

const tag: Tag = { name: "Tests", description: "One request each, with what must come back." };

export const assertionSources = [
  "statusCode",
  "header",
  "body",
  "jsonPath",
  "schema",
  "responseTime",
  "bodySize",
  "cookie",
  "certificate",
  "url",
] as const;
export type AssertionSource = (typeof assertionSources)[number];

export const comparisons = [
  "equals",
  "notEquals",
  "lessThan",
  "lessThanOrEqual",
  "greaterThan",
  "greaterThanOrEqual",
  "between",
  "contains",
  "notContains",
  "oneOf",
  "noneOf",
  "startsWith",
  "endsWith",
  "matches",
  "notMatches",
  "exists",
  "notExists",
  "isNull",
  "isNotNull",
  "isEmpty",
  "isNotEmpty",
  "hasType",
  "lengthEquals",
  "lengthLessThan",
  "lengthGreaterThan",
  "matchesSchema",
] as const;
export type Comparison = (typeof comparisons)[number];

/** Comparisons that stand alone; every other needs a target. */
export const comparisonsWithoutTarget: readonly Comparison[] = [
  "exists",
  "notExists",
  "isNull",
  "isNotNull",
  "isEmpty",
  "isNotEmpty",
];

export const checkNames = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  "negative_data_rejection",
  "positive_data_acceptance",
  "missing_required_header",
  "unsupported_method",
  "ignored_auth",
  "max_response_time",
] as const;
export type CheckName = (typeof checkNames)[number];

const pair = z.object({
  name: z.string().trim().min(1, "Name it, or remove the row").max(500),
  value: z.string().max(100_000),
  enabled: z.boolean().default(true),
});
export type Pair = z.infer<typeof pair>;

export const requestBody = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("none") }),
  /** `text` is the JSON as written, so that number forms and layout survive. */
  z.object({ kind: z.literal("json"), text: z.string().max(1_048_576), mediaType: orNone(z.string().max(200)) }),
  z.object({ kind: z.literal("text"), text: z.string().max(1_048_576), mediaType: z.string().max(200) }),
  z.object({ kind: z.literal("form"), fields: z.array(pair).max(200) }),
  z.object({
    kind: z.literal("multipart"),
    parts: z
      .array(pair.extend({ fileName: orNone(z.string().max(300)), mediaType: orNone(z.string().max(200)) }))
      .max(200),
  }),
]);
export type RequestBody = z.infer<typeof requestBody>;

/**
 * How a request proves who sends it. `inherit` takes the credentials stored for the host it goes to;
 * `credentials` names them, each for a security scheme of the document ("" for a scheme the document does not have).
 */
export const authorization = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("none") }),
  z.object({ kind: z.literal("inherit") }),
  z.object({
    kind: z.literal("credentials"),
    bindings: z
      .array(z.object({ schemeName: z.string().max(200), credentialId: z.uuid("Choose a credential") }))
      .min(1)
      .max(10),
  }),
]);
export type Authorization = z.infer<typeof authorization>;

export const testRequest = z
  .object({
    baseUrl: orNone(z.string().trim().max(4_000)).describe(
      "Base address instead of the API's own, as in `https://staging.example.com/v1`. May hold `{{variables}}`.",
    ),
    pathParameters: z.array(pair).max(100).default([]),
    query: z.array(pair).max(200).default([]),
    headers: z.array(pair).max(200).default([]),
    cookies: z.array(pair).max(100).default([]),
    body: requestBody.default({ kind: "none" }),
    authorization: authorization.default({ kind: "inherit" }),
    followRedirects: z.boolean().default(false),
  })
  .openapi("TestRequest");
export type TestRequest = z.infer<typeof testRequest>;

/**
 * `property`: header or cookie name, or JSONPath. `target` is JSON and compared by type (`"12"` is not 12):
 * `[from, to]` for between, an array for oneOf and noneOf, a type name for hasType, a JSON Schema for matchesSchema
 * (left out: the documented response). Headers, cookies, body and url are text: a number as target compares with the
 * number the text reads as.
 *
 * Where there is nothing (a missing path, header or cookie) every positive comparison fails, also `isNotNull`,
 * `isEmpty` and `isNotEmpty`; `notExists`, `notEquals`, `notContains`, `noneOf` and `notMatches` pass.
 *
 * A JSONPath of names and indexes gives the value there. Any other gives the list of all it selects (possibly empty,
 * then it does not exist); where that list has one value, comparisons that need a single value get that one.
 */
export const assertion = z
  .object({
    source: z.enum(assertionSources),
    property: orNone(z.string().max(2_000)),
    comparison: z.enum(comparisons),
    target: z.unknown().optional(),
  })
  .openapi("Assertion");
export type Assertion = z.infer<typeof assertion>;

/**
 * `property`: header or cookie name, JSONPath, or for `body` a regular expression (RE2) whose first group is kept, or all
 * it matches where it has none; left out, the whole text.
 */
export const capture = z.object({
  name: z.string().regex(/^[A-Za-z_][\w-]{0,99}$/, "Use letters, digits, _ and -, starting with a letter"),
  source: z.enum(["header", "jsonPath", "cookie", "statusCode", "body"]),
  property: orNone(z.string().max(2_000)),
  secret: orNone(z.boolean()).describe(
    "Its value is replaced in everything that is kept and shown from then on, like a credential's.",
  ),
});
export type Capture = z.infer<typeof capture>;

export const retry = z.object({
  attempts: z
    .number()
    .int()
    .min(1, "At least one attempt")
    .max(10, "At most 10 attempts")
    .default(1)
    .describe("Attempts in all; 1 means no retry."),
  backoff: z
    .enum(["fixed", "exponential"])
    .default("fixed")
    .describe("Pause before the next attempt: always the same, or doubled each time."),
  delayMilliseconds: z.number().int().min(0).max(60_000, "At most 60 seconds").default(1_000),
});

const testFields = {
  name: z.string().trim().min(1, "Give the test a name").max(300),
  method: z.string().min(1).max(40),
  path: z.string().min(1).max(4_000),
  enabled: z.boolean().default(true),
  tags: z.array(z.string().trim().min(1).max(60)).max(20).default([]),
  request: testRequest,
  assertions: z.array(assertion).max(200).default([]),
  checks: z.array(z.enum(checkNames)).max(checkNames.length).default([]),
  maximumResponseMilliseconds: orNone(z.number().int().min(1).max(600_000)).describe(
    "For the check max_response_time.",
  ),
  captures: z.array(capture).max(50).default([]),
  data: orNone(z.array(z.record(z.string(), z.string())).max(1_000)).describe(
    "One execution a row; each key is a `{{variable}}`.",
  ),
  retry: retry.default({ attempts: 1, backoff: "fixed", delayMilliseconds: 1_000 }),
  timeoutMilliseconds: z.number().int().min(100, "At least 100 ms").max(120_000, "At most 2 minutes").default(30_000),
};

export const testInput = z.object(testFields).openapi("TestInput");
export type TestInput = z.infer<typeof testInput>;

export const test = z
  .object({
    id: z.uuid(),
    apiId: z.uuid(),
    ...testFields,
    version: z.number().int().describe("Counts up with every change; sent back as ETag and asked for by If-Match."),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("Test");
export type Test = z.infer<typeof test>;

const apiParams = z.object({ apiId: z.uuid() });
const testParams = z.object({ testId: z.uuid() });

export const testSorts = ["name", "-name", "path", "updatedAt", "-updatedAt"] as const;

export const listTests = operation({
  method: "get",
  path: "/api/v1/apis/{apiId}/tests",
  access: "tests:read",
  tag,
  summary: "Tests of an API",
  description: "`query` looks into name and path.",
  params: apiParams,
  query: listQuery.extend({
    method: z.string().optional().describe("Keeps tests of this method"),
    path: z.string().optional().describe("Keeps tests of this path template"),
    tag: z.string().optional().describe("Keeps tests with this tag"),
    enabled: z.enum(["true", "false"]).optional().describe("Keeps tests that are, or are not, enabled"),
    sort: z.enum(testSorts).default("name").describe("What the list is ordered by; `-` turns it round"),
  }),
  status: 200,
  answer: pageOf(test),
});

export const createTest = operation({
  method: "post",
  path: "/api/v1/apis/{apiId}/tests",
  access: "tests:write",
  audit: "test",
  tag,
  summary: "Creates a test",
  description: "What can't be judged is told at its field: an enabled test needs an assertion or a check.",
  params: apiParams,
  body: testInput,
  // A stored body of 1 MiB grows sixfold at worst when it is written as a JSON string.
  maximumBodyBytes: 8 * 1_048_576,
  status: 201,
  answer: test,
  answerHeaders: [entityTag],
  makes: "/api/v1/tests/{id}",
  headers: [idempotencyKey],
  problems: { conflict: "The `Idempotency-Key` was used for another test, or for one that was deleted." },
});

export const getTest = operation({
  method: "get",
  path: "/api/v1/tests/{testId}",
  access: "tests:read",
  tag,
  summary: "One test",
  description: "All that is sent and expected. Its ETag is for `If-Match`.",
  params: testParams,
  status: 200,
  answer: test,
  answerHeaders: [entityTag],
});

export const changeTest = operation({
  method: "put",
  path: "/api/v1/tests/{testId}",
  access: "tests:write",
  audit: "test",
  tag,
  summary: "Changes a test",
  description: "Replaces the whole test and counts its version up.",
  params: testParams,
  body: testInput,
  maximumBodyBytes: 8 * 1_048_576,
  status: 200,
  answer: test,
  headers: [ifMatch],
  answerHeaders: [entityTag],
  problems: { stale_version: "Somebody else saved since the version in `If-Match`." },
});

export const deleteTest = operation({
  method: "delete",
  path: "/api/v1/tests/{testId}",
  access: "tests:write",
  audit: "test",
  tag,
  summary: "Deletes a test",
  description: "What is kept of its executions follows by itself.",
  params: testParams,
  status: 204,
  headers: [ifMatch],
  problems: { stale_version: "Somebody else saved since the version in `If-Match`." },
});

export const deleteTestsOfApi = operation({
  method: "delete",
  path: "/api/v1/apis/{apiId}/tests",
  access: "tests:write",
  audit: "test",
  tag,
  summary: "Deletes all tests of an API",
  description: "What is kept of their executions follows by itself. Done again, there is nothing left to do.",
  params: apiParams,
  status: 204,
});

export const countTests = operation({
  method: "get",
  path: "/api/v1/test-counts",
  access: "tests:read",
  tag,
  summary: "How many tests each API has",
  description: "With `apiId`, also how many each of its operations has.",
  query: z.object({
    apiIds: identifierList.optional(),
    apiId: z.uuid().optional(),
  }),
  status: 200,
  answer: z.object({
    byApi: z.array(z.object({ apiId: z.uuid(), total: z.number().int(), enabled: z.number().int() })),
    byOperation: z.array(z.object({ method: z.string(), path: z.string(), total: z.number().int() })),
  }),
});
