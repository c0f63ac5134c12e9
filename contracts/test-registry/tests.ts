import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { entityTag, idempotencyKey, ifMatch } from "../kit/headers.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { orNone } from "../kit/or-none.ts";
import { assertion, checkNames } from "./assertions.ts";
import { maxAttempts } from "./attempt-limit.ts";
import { exactTargets } from "./exact-targets.ts";
import { testRequest } from "./requests.ts";

export const testsTag: Tag = { name: "Tests", description: "One request each, with its expected response." };
const tag = testsTag;

/**
 * `property`: header or cookie name, JSONPath, XPath, or for `body` a regular expression (RE2) of which the first group is
 * captured, or the whole match if it has none; omitted, the whole text.
 */
export const capture = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z_][\w-]{0,98}[\w#-]?$/, "Use letters, digits, _ and -, starting with a letter")
    .describe("With `#` at its end, each data row captures under a name of its own: `bookId#` of row 2 is `bookId2`."),
  source: z.enum(["header", "jsonPath", "xPath", "cookie", "statusCode", "body"]),
  property: orNone(z.string().max(2_000)),
  secret: orNone(z.boolean()).describe(
    "Its value is a secret; omitted, it is one if its name says so, as `token` and `apiKey` do. It is replaced in all stored and displayed data from then on, like a credential's; for an object or a list also each string and number in it of at least four characters. It has at most 16,384 characters, other captures at most 100,000: a longer value is not captured.",
  ),
  pattern: orNone(z.string().max(500, "At most 500 characters")).describe(
    "For a header or a cookie: a regular expression (RE2) of which the first group is captured, or the whole match if it has none. Without a match nothing is found. `([^/?#]+)/?(?:[?#].*)?$` gives `7` of `/books/7`.",
  ),
  optional: orNone(z.boolean()).describe(
    "Where it finds nothing, its name has no value from then on, even if an earlier member captured one, and later members that need it are skipped (`nothing_to_use`) instead of errored.",
  ),
});
export type Capture = z.infer<typeof capture>;

export const retry = z.object({
  attempts: z
    .number()
    .int()
    .min(1, "At least one attempt")
    .max(maxAttempts, `At most ${maxAttempts} attempts`)
    .default(1)
    .describe("Total attempts; 1 means no retry."),
  backoff: z
    .enum(["fixed", "exponential"])
    .default("fixed")
    .describe("Pause before the next attempt: constant, or doubled each time."),
  delayMilliseconds: z.number().int().min(0).max(60_000, "At most 60 seconds").default(1_000),
});

/** A condition to wait for: that the assertions and checks hold. */
export const waitUntil = z
  .object({
    everySeconds: z
      .number()
      .min(0.1, "At least 0.1 seconds")
      .max(60, "At most 60 seconds")
      .describe("Pause before the next try; longer where a 429 or 503 requests it with Retry-After."),
    atMostSeconds: z
      .number()
      .min(1, "At least 1 second")
      .max(300, "At most 300 seconds")
      .describe("Longest wait, from the first try: no try starts later."),
  })
  .openapi("WaitUntil");
export type WaitUntil = z.infer<typeof waitUntil>;

const testFields = {
  name: displayName(z.string().trim().min(1, "Give the test a name").max(300)),
  method: z.string().min(1).max(40),
  path: z.string().min(1).max(4_000),
  enabled: z.boolean().default(true),
  tags: z
    .array(displayName(z.string().trim().min(1).max(60)))
    .max(20)
    .default([]),
  request: testRequest,
  assertions: z.array(assertion).max(200).default([]),
  checks: z.array(z.enum(checkNames)).max(checkNames.length).default([]),
  maximumResponseMilliseconds: orNone(z.number().int().min(1).max(600_000)).describe(
    "For the check max_response_time.",
  ),
  captures: z.array(capture).max(50).default([]),
  data: orNone(z.array(z.record(z.string(), z.string())).max(1_000)).describe(
    "One execution per row; each key is a `{{variable}}`. A value may use captures, variables and generated values, e.g. `{{bookId}}`, but nothing of its own row. `case` names the row. A query parameter, header, cookie or form field whose whole value is `{{$none}}` is not sent.",
  ),
  retry: retry.default({ attempts: 1, backoff: "fixed", delayMilliseconds: 1_000 }),
  waitUntil: orNone(waitUntil).describe(
    "Sends the request again until all assertions and checks hold. Passing late is `passed`, not `flaky`; otherwise it has the verdict of the last attempt. Not together with retries.",
  ),
  timeoutMilliseconds: z.number().int().min(100, "At least 100 ms").max(120_000, "At most 2 minutes").default(30_000),
};

export const testInput = z
  .object({
    ...testFields,
    locationId: z
      .uuid()
      .nullable()
      .optional()
      .describe(
        "Where it is sent from, by an agent, whatever its circle or environment says. Null: as they say. Omitted: as before.",
      ),
  })
  .refine(
    ({ request: { readUntil }, timeoutMilliseconds }) =>
      readUntil?.kind !== "seconds" || readUntil.seconds * 1_000 < timeoutMilliseconds,
    { path: ["request", "readUntil", "seconds"], message: "Read for less time than the time-out allows" },
  )
  .openapi("TestInput", {
    example: { name: "Lists all books", method: "get", path: "/books", request: {}, checks: ["not_a_server_error"] },
  });
export type TestInput = z.infer<typeof testInput>;

export const test = z
  .object({
    id: z.uuid(),
    apiId: z.uuid(),
    ...testFields,
    locationId: z
      .uuid()
      .optional()
      .describe("Where it is sent from, by an agent; absent: as its circle or environment says."),
    version: z.number().int().describe("Incremented with every change; sent as ETag and required by If-Match."),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("Test");
export type Test = z.infer<typeof test>;

const apiParams = z.object({ apiId: z.uuid() });
const testParams = z.object({ testId: z.uuid() });

export const testSorts = ["name", "-name", "path", "updatedAt", "-updatedAt"] as const;

const filteredList = listQuery.extend({
  method: z.string().optional().describe("Only tests with this method"),
  path: z.string().optional().describe("Only tests with this path template"),
  tag: z.string().optional().describe("Only tests with this tag"),
  enabled: z.enum(["true", "false"]).optional().describe("Only enabled or only disabled tests"),
  safe: z
    .enum(["true", "false"])
    .optional()
    .describe("Only tests with a safe method (RFC 9110, 9.2.1), or only the others"),
  ids: identifierList.optional().describe("Only these tests. Separated by commas, at most 200."),
  locationId: z.uuid().optional().describe("Only tests that name this location themselves"),
});

export const listTests = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/tests",
  access: "tests:read",
  tag,
  summary: "Tests of an API",
  description: "`query` searches name and path.",
  params: apiParams,
  query: filteredList.extend({
    sort: z.enum(testSorts).default("name").describe("Sort key; a leading `-` reverses the order"),
  }),
  status: 200,
  exactNumbers: exactTargets,
  response: pageSchema(test),
});

export const listAllTests = endpoint({
  method: "get",
  path: "/api/v1/tests",
  access: "tests:read",
  tag,
  summary: "Tests of all APIs, by name",
  description: "`query` searches name and path.",
  query: filteredList,
  status: 200,
  exactNumbers: exactTargets,
  response: pageSchema(test),
});

export const createTest = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/tests",
  access: "tests:write",
  audit: "test",
  tag,
  summary: "Creates a test",
  description: "Errors are reported at their fields: an enabled test needs an assertion or a check.",
  params: apiParams,
  body: testInput,
  // A stored body of 1 MiB grows at most sixfold when it is written as a JSON string.
  maxBodyBytes: 8 * 1_048_576,
  status: 201,
  exactNumbers: exactTargets,
  response: test,
  responseHeaders: [entityTag],
  locationPath: "/api/v1/tests/{id}",
  headers: [idempotencyKey],
  problems: {
    plan_limit_reached: "The plan allows no more tests.",
    conflict: "The `Idempotency-Key` was used for another test, or for one that was deleted.",
  },
});

export const getTest = endpoint({
  method: "get",
  path: "/api/v1/tests/{testId}",
  access: "tests:read",
  tag,
  summary: "One test",
  description: "The whole definition. Its ETag is for `If-Match`.",
  params: testParams,
  status: 200,
  exactNumbers: exactTargets,
  response: test,
  responseHeaders: [entityTag],
});

export const changeTest = endpoint({
  method: "put",
  path: "/api/v1/tests/{testId}",
  access: "tests:write",
  audit: "test",
  tag,
  summary: "Changes a test",
  description: "Replaces the whole test and increments its version.",
  params: testParams,
  body: testInput,
  maxBodyBytes: 8 * 1_048_576,
  status: 200,
  exactNumbers: exactTargets,
  response: test,
  headers: [ifMatch],
  responseHeaders: [entityTag],
  problems: { stale_version: "Another user saved since the version in `If-Match`." },
});

export const deleteTest = endpoint({
  method: "delete",
  path: "/api/v1/tests/{testId}",
  access: "tests:write",
  audit: "test",
  tag,
  summary: "Deletes a test",
  description: "Its executions are deleted asynchronously.",
  params: testParams,
  status: 204,
  headers: [ifMatch],
  problems: { stale_version: "Another user saved since the version in `If-Match`." },
});

export const deleteTestsOfApi = endpoint({
  method: "delete",
  path: "/api/v1/apis/{apiId}/tests",
  access: "tests:write",
  audit: "test",
  tag,
  summary: "Deletes all tests of an API",
  description: "Their executions are deleted asynchronously. Idempotent.",
  params: apiParams,
  status: 204,
});

/** Per call. */
export const maxTestsPerDeletion = 200;

export const deleteTests = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/tests/deletion",
  access: "tests:write",
  audit: "test",
  tag,
  summary: "Deletes several tests of an API",
  description:
    "In one transaction, with their executions. Ids that are unknown or belong to another API are ignored, so the call is idempotent.",
  params: apiParams,
  body: z.object({ testIds: z.array(z.uuid()).min(1).max(maxTestsPerDeletion) }),
  status: 200,
  response: z.object({ deleted: z.number().int() }),
});
