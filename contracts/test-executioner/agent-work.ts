import { z } from "@hono/zod-openapi";
import { operationWithComponents } from "../api-registry/operations.ts";
import { endpoint, moment } from "../kit/endpoint.ts";
import { hostRules } from "../security-service/authorization-configs.ts";
import { vaultLocation } from "../security-service/secret-references.ts";
import { capturedType, verification } from "../test-analyzer/verifications.ts";
import { maxAttempts } from "../test-registry/attempt-limit.ts";
import { memberEffect } from "../test-registry/circle-members.ts";
import { test } from "../test-registry/tests.ts";
import { maxResultBytes, maxResults, maxWaitSeconds, maxWorkItems } from "./agent-limits.ts";
import { agentsTag, agentVersion } from "./agents.ts";
import { attempt, cause } from "./attempts.ts";
import { executionVerdict } from "./verdicts.ts";

/** An execution as an agent holds it. */
export const hold = z.object({
  executionId: z.uuid(),
  fence: z.int().min(0).describe("Of the claim: results of an earlier one are refused."),
});
export type AgentHold = z.infer<typeof hold>;

/** What runs a test elsewhere: everything that the portal's own worker would look up. */
export const agentTask = hold
  .extend({
    organizationId: z.uuid(),
    test,
    row: z.record(z.string(), z.string()).optional(),
    variables: z.record(z.string(), z.string()).describe("Only those that the test uses."),
    baseUrls: z.array(z.string().nullable()),
    hasOwnServers: z.boolean().optional(),
    isConfirmed: z.boolean(),
    mayRequireAuthentication: z.boolean().optional(),
    traceId: z.string().optional(),
    onlyOwn: z
      .object({
        effect: memberEffect.optional(),
        ofRun: z.array(z.string()).describe("Names of variables that the run or its circle gives."),
      })
      .optional(),
    operation: z.string().optional().describe("Its key in `operations`."),
    hostRules: z.array(z.object({ host: z.string(), rules: hostRules })),
    files: z.array(z.object({ sha256: z.string(), content: z.string().describe("Base64.") })),
    settings: z.object({
      verifiedDomainsOnly: z.boolean(),
      testTimeoutSeconds: z.number(),
      answerKibibytes: z.number(),
      judgedMebibytes: z.number(),
    }),
    sealed: z
      .string()
      .describe("A compact JWE (ECDH-ES, A256GCM) with captures, cookies and credentials, for the agent's key."),
  })
  .openapi("AgentTask");
export type AgentTask = z.infer<typeof agentTask>;

/** Of a secret variable: in the agent's environment, or in its Vault. */
const secretReference = z.object({
  name: z.string(),
  environmentName: z.string().optional(),
  vault: vaultLocation.optional(),
});

const openCapture = z.object({
  name: z.string().max(300),
  isSecret: z.boolean(),
  value: z.string().max(100_000),
  type: capturedType.optional(),
  madeAt: z.string().max(2_000).optional(),
  isUnique: z.boolean().optional(),
  isAbsent: z.boolean().optional(),
});

/** What `sealed` contains. */
export const sealedParts = z.object({
  executionId: z.uuid(),
  expiresAt: moment,
  captures: z.array(openCapture),
  cookies: z.string().optional(),
  /** Read by the agent; their values never leave it. */
  secretReferences: z.array(secretReference),
  credentials: z.array(
    z.object({
      host: z.string(),
      /** JSON of the authorization that they were opened for. */
      authorization: z.string(),
      items: z.array(z.looseObject({ id: z.string(), name: z.string(), secret: z.string() })),
      refused: z.array(z.looseObject({ id: z.string() })),
    }),
  ),
});
export type SealedParts = z.infer<typeof sealedParts>;

/** Whether the agent reads Vault itself: it gets references then, and no values. */
export const readsVault = z
  .boolean()
  .default(false)
  .describe("Whether the agent reads Vault itself. Otherwise the portal does, and seals the values.");

const busy = "Too many calls of agents are in progress.";

export const takeAgentWork = endpoint({
  method: "post",
  path: "/api/v1/agent-work",
  timeoutSeconds: 60,
  access: "agent",
  audit: { nothingBecause: "What it hands out was recorded when its run was started" },
  tag: agentsTag,
  summary: "Executions for an agent to run",
  description:
    "Of the agent's own location, claimed for it for a minute, which `agent-leases` renews. Waits up to `waitSeconds` for the first one.",
  body: z.object({
    version: agentVersion,
    max: z.int().min(0).max(maxWorkItems),
    waitSeconds: z.number().min(0).max(maxWaitSeconds).default(0),
    concurrency: z.int().min(1).max(1_000),
    held: z
      .array(hold)
      .max(10_000)
      .default([])
      .describe("What it runs, and results that it has not sent. What it was handed besides is handed to it again."),
    readsVault,
    blocked: z.int().min(0).max(2_000_000_000).default(0),
    waitingResults: z.int().min(0).max(2_000_000_000).default(0),
  }),
  status: 200,
  response: z.object({
    leaseSeconds: z.int(),
    items: z.array(agentTask),
    operations: z.record(z.string(), operationWithComponents),
  }),
  problems: {
    conflict: "The agent's version is not one that this portal works with.",
    too_many_requests: busy,
  },
});

/** A hostile agent's text reaches pages and columns: bounded, and without NUL. */
const line = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes("\0"), "There is a NUL character in this text.");
const shortCause = cause.extend({ code: line(100), detail: line(8_000), phase: line(100).optional() });

export const agentResult = hold
  .extend({
    verdict: executionVerdict,
    cause: shortCause.optional(),
    attempts: z.array(attempt.extend({ cause: shortCause.optional() })).max(maxAttempts),
    attemptCount: z.int().min(0).max(10_000),
    waitedMilliseconds: z.number().min(0).optional(),
    verifications: z.array(verification).max(1_000),
    captures: z.array(openCapture).max(60),
    cookies: z.string().max(200_000).optional(),
    host: line(300).optional(),
    credentialId: z.uuid().optional(),
    statusCode: z.int().min(100).max(999).nullable(),
    responseMilliseconds: z.number().min(0).nullable(),
    sendingMilliseconds: z.number().min(0).nullable(),
    finishedAt: moment,
  })
  .openapi("AgentResult");
export type AgentResult = z.infer<typeof agentResult>;

export const reportAgentResults = endpoint({
  method: "post",
  path: "/api/v1/agent-results",
  timeoutSeconds: 60,
  access: "agent",
  audit: { nothingBecause: "Results are the history of their tests" },
  tag: agentsTag,
  summary: "Records results of an agent",
  description:
    "Each is recorded once, however often it is sent. Late ones are recorded, too, unless another agent has taken the execution up.",
  body: z.object({ items: z.array(agentResult).min(1).max(maxResults) }),
  maxBodyBytes: maxResultBytes,
  status: 200,
  response: z.object({
    items: z
      .array(z.object({ executionId: z.uuid(), outcome: z.enum(["recorded", "known", "refused"]) }))
      .describe("`known`: it has ended before. `refused`: the agent does not hold it. Neither is to be sent again."),
  }),
  problems: { too_many_requests: busy },
});

export const renewAgentLeases = endpoint({
  method: "post",
  path: "/api/v1/agent-leases",
  access: "agent",
  audit: { nothingBecause: "It changes only how long executions stay claimed" },
  tag: agentsTag,
  summary: "Renews or hands back what an agent holds",
  description: "What is handed back starts again from its beginning, with the next agent.",
  body: z.object({
    held: z.array(hold).max(2_000).default([]),
    handedBack: z.array(hold).max(2_000).default([]),
  }),
  status: 200,
  response: z.object({
    held: z.array(z.uuid()).describe("Those that the agent still holds."),
    cancelled: z.array(z.uuid()).describe("Those whose run was cancelled: a test that waits is ended."),
  }),
  problems: { too_many_requests: busy },
});
