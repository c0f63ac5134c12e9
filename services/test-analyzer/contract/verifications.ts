import { z } from "@hono/zod-openapi";
import { operationWithComponents } from "../../api-registry/contract/operations.ts";
import { operation } from "../../kit/contract/operation.ts";
import { cause, phases, receivedResponse, sentRequest, verdict } from "../../test-executioner/contract/executions.ts";
import { assertion, capture, checkNames } from "../../test-registry/contract/tests.ts";

export const verification = z
  .object({
    kind: z.enum(["assertion", "check"]),
    /** For an assertion its source; for a check its name. */
    source: z.string(),
    property: z.string().optional(),
    comparison: z.string().optional(),
    /** What was expected, as JSON. */
    target: z.unknown().optional(),
    /** What was found, as JSON; shortened when large. Absent: there was nothing to find. */
    actual: z.unknown().optional(),
    /** `skipped`: does not apply to this response, and says why. `errored`: could not be evaluated (pattern too costly, say). */
    outcome: z.enum(["passed", "failed", "errored", "skipped"]),
    passed: z.boolean(),
    /** One sentence: what was expected, what came. */
    message: z.string(),
    /** JSON pointer into the response body. */
    pointer: z.string().optional(),
    /** Each place where a schema was not met (20 at most). */
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
      .optional(),
    /** The schema that was judged by, with `$ref`s into the operation's components. */
    schema: z.unknown().optional(),
  })
  .openapi("Verification");
export type Verification = z.infer<typeof verification>;

const judgedParts = {
  request: sentRequest,
  response: receivedResponse,
  phases,
  assertions: z.array(assertion).max(200).default([]),
  checks: z.array(z.enum(checkNames)).default([]),
  maximumResponseMilliseconds: z.number().optional(),
  captures: z.array(capture).max(50).default([]),
  /** Whether the request carried credentials; the check ignored_auth asks. */
  authorized: z.boolean().default(false),
};

export const judgement = z
  .object({
    verdict: verdict.extract(["passed", "failed", "errored"]),
    /** With errored. */
    cause: cause.optional(),
    verifications: z.array(verification),
    captured: z.record(z.string(), z.string()),
  })
  .openapi("Judgement");
export type Judgement = z.infer<typeof judgement>;

export const judgeInput = z.object({ ...judgedParts, operation: operationWithComponents.optional() });
export type JudgeInput = z.infer<typeof judgeInput>;

export const judgeResponse = operation({
  method: "post",
  path: "/api/v1/verifications",
  access: "tests:run",
  audit: { nothingBecause: "It only asks" },
  summary: "Judges a given response; stores nothing",
  body: judgeInput,
  // A stored body of 1 MiB grows sixfold at worst when it is written as a JSON string.
  maximumBodyBytes: 16 * 1_048_576,
  status: 200,
  answer: judgement,
});

/**
 * What the executioner calls: judges the responses of several executions of one API in one go.
 * Nothing is stored: the executioner keeps what it gets with the attempts.
 */
export const judgeExecutions = operation({
  method: "post",
  path: "/internal/v1/judgements",
  mayTakeSeconds: 60,
  access: "internal",
  audit: { nothingBecause: "It only asks" },
  summary: "Judges several responses",
  body: z.object({
    apiId: z.uuid(),
    /** Operations by `METHOD path`, shared by the items. */
    operations: z.record(z.string(), operationWithComponents),
    items: z.array(z.object({ operationKey: z.string().optional(), ...judgedParts })).max(200),
  }),
  status: 200,
  answer: z.object({ items: z.array(judgement) }),
});

export const listVerifications = operation({
  method: "get",
  path: "/api/v1/test-executions/{executionId}/verifications",
  access: "tests:read",
  summary: "Every assertion and check of an execution, evaluated",
  params: z.object({ executionId: z.uuid() }),
  status: 200,
  answer: z.object({ items: z.array(verification) }),
});
