import { z } from "@hono/zod-openapi";
import { operationWithComponents } from "../api-registry/operations.ts";
import { completeListSchema, endpoint, moment, onlyReads, type Tag } from "../kit/endpoint.ts";
import { cause, phases, receivedResponse, sentRequest } from "../test-executioner/attempts.ts";
import { verdict } from "../test-executioner/verdicts.ts";
import { assertion, checkNames } from "../test-registry/assertions.ts";
import { exactTargets } from "../test-registry/exact-targets.ts";
import { capture } from "../test-registry/tests.ts";

const tag: Tag = { name: "Verifications", description: "Evaluated assertions and checks." };

export const verification = z
  .object({
    kind: z.enum(["assertion", "check"]),
    source: z.string().describe("For an assertion, its source; for a check, its name."),
    property: z.string().optional(),
    comparison: z.string().optional(),
    target: z.unknown().optional().describe("The expected value, as JSON."),
    targetJson: z.string().optional().describe("As in an assertion."),
    actual: z
      .unknown()
      .optional()
      .describe("The actual value, as JSON; shortened when large. Absent if there was none."),
    actualJson: z.string().optional().describe("Like `targetJson`, for `actual`."),
    outcome: z
      .enum(["passed", "failed", "errored", "skipped"])
      .describe(
        "`skipped`: does not apply to this response, with the reason. `errored`: could not be evaluated (e.g. pattern too costly).",
      ),
    passed: z.boolean(),
    message: z.string().describe("One sentence: expected and actual result."),
    pointer: z.string().optional().describe("JSON pointer into the response body."),
    schemaErrors: z
      .array(
        z.object({
          pointer: z.string(),
          schemaPointer: z.string(),
          message: z.string(),
          expected: z.unknown().optional(),
          actual: z.unknown().optional(),
        }),
      )
      .optional()
      .describe("Each location that violates a schema (at most 20)."),
    schema: z.unknown().optional().describe("The schema used, with `$ref`s into the operation's components."),
  })
  .openapi("Verification");
export type Verification = z.infer<typeof verification>;

/** Secrets known to be in a request or its response; they are replaced in all output. */
const secrets = z.array(z.object({ secret: z.string(), username: z.string().optional() })).default([]);

const judgedParts = {
  request: sentRequest,
  response: receivedResponse,
  phases,
  receivedAt: moment.optional().describe("When the response was complete: `now` of comparisons of dates."),
  assertions: z.array(assertion).max(200).default([]),
  checks: z.array(z.enum(checkNames)).default([]),
  maximumResponseMilliseconds: z.number().optional(),
  captures: z.array(capture).max(50).default([]),
  authorized: z
    .boolean()
    .default(false)
    .describe("Whether the request carried credentials; used by the check ignored_auth."),
};

/** `string`: the characters of a string; `json`: any other value as JSON text. */
export const capturedType = z.enum(["string", "json"]);
export type CapturedType = z.infer<typeof capturedType>;

export const judgement = z
  .object({
    verdict: verdict.extract(["passed", "failed", "errored"]),
    cause: cause.optional().describe("With `errored`."),
    verifications: z.array(verification),
    captured: z.record(z.string(), z.string()).describe("A string as its characters, any other value as JSON text."),
    capturedTypes: z
      .record(z.string(), capturedType)
      .optional()
      .describe("The types of the values in `captured`; text of a header, a cookie or a body has none."),
  })
  .openapi("Judgement");
export type Judgement = z.infer<typeof judgement>;

export const judgeInput = z.object({ ...judgedParts, operation: operationWithComponents.optional() });
export type JudgeInput = z.infer<typeof judgeInput>;

/** A response with at least a status. */
const givenResponse = receivedResponse
  .extend({
    url: z.string().default(""),
    statusText: z.string().default(""),
    httpVersion: z.string().default("1.1"),
    headers: receivedResponse.shape.headers.default([]),
    body: receivedResponse.shape.body.default(null),
    bodyBytes: z.number().int().optional().describe("Defaults to the bytes of `body`."),
    truncated: z.boolean().default(false),
    redirects: receivedResponse.shape.redirects.default([]),
  })
  .openapi("GivenResponse");

const givenToJudge = judgeInput
  .extend({
    request: sentRequest.optional().describe("Omitted, checks of the request are skipped."),
    response: givenResponse,
    phases: phases.optional().describe("Omitted, the response time is not checked."),
    receivedAt: moment.optional().describe("`now` of comparisons of dates; omitted, the time of this call."),
  })
  .openapi("GivenToJudge");

export const judgeResponse = endpoint({
  method: "post",
  path: "/api/v1/verifications",
  access: "tests:run",
  audit: onlyReads,
  tag: tag,
  summary: "Evaluates a given response",
  description: "With the assertions, checks and captures in the request. Stores nothing.",
  body: givenToJudge,
  // A stored body of 1 MiB grows at most sixfold when it is written as a JSON string.
  maxBodyBytes: 16 * 1_048_576,
  status: 200,
  exactNumbers: exactTargets,
  response: judgement,
});

export const judgeExecutions = endpoint({
  method: "post",
  path: "/internal/v1/judgements",
  timeoutSeconds: 60,
  access: "internal",
  audit: onlyReads,
  summary: "Evaluates several responses (deprecated)",
  description:
    "Deprecated and removed in the next release: current workers evaluate responses in their own process. Evaluates the responses of several executions of one API for workers of the previous release. Stores nothing.",
  body: z.object({
    apiId: z.uuid(),
    operations: z
      .record(z.string(), operationWithComponents)
      .describe("Operations by `METHOD path`, shared by the items."),
    items: z.array(z.object({ operationKey: z.string().optional(), secrets, ...judgedParts })).max(200),
  }),
  status: 200,
  response: z.object({ items: z.array(judgement) }),
});

export const listVerifications = endpoint({
  method: "get",
  path: "/api/v1/test-executions/{executionId}/verifications",
  access: "tests:read",
  tag,
  summary: "Verifications of an execution",
  description: "Every assertion and check, with the expected and the actual value.",
  params: z.object({ executionId: z.uuid() }),
  status: 200,
  exactNumbers: exactTargets,
  response: completeListSchema(verification),
});
