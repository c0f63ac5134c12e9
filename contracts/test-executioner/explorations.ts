import { z } from "@hono/zod-openapi";
import { operationKey } from "../api-registry/resources.ts";
import { endpoint, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { circlePhase, memberEffect } from "../test-registry/circle-members.ts";
import { testInput } from "../test-registry/tests.ts";
import { receivedResponse, sentRequest } from "./attempts.ts";

const tag: Tag = { name: "Explorations", description: "Runs that look for faults with requests of their own." };

/** What an API did that it should not do. */
export const findingKinds = [
  "serverError",
  "undocumentedStatus",
  "contentType",
  "responseSchema",
  "responseHeaders",
  "acceptedInvalid",
  "acceptedWithoutCredentials",
  "refusedValid",
  "usedAfterDelete",
  "notReadable",
  "valueLost",
  "notIdempotent",
  "changedByRead",
  "entityTag",
  "pages",
  "filter",
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** One request of a finding's chain, as a test that sends it again. */
export const findingStep = z.object({
  test: testInput,
  phase: circlePhase.describe("Set-up provides what the others need; tear-down removes what they created."),
  effect: memberEffect.optional(),
  request: sentRequest.nullable().describe("As it was sent, without secrets; null where it could not be sent."),
  response: receivedResponse.nullable(),
});
export type FindingStep = z.infer<typeof findingStep>;

export const finding = z
  .object({
    key: z.string().describe("Names its cause: the same in each exploration of the API that meets it."),
    kind: z.enum(findingKinds),
    operation: operationKey.describe("Where it was seen first."),
    also: z.array(operationKey).describe("Other operations with the same cause."),
    message: z.string().describe("A sentence: `Accepted title: 5 although a string is documented (POST /books, 201).`"),
    seen: z
      .number()
      .int()
      .describe("How often it was seen. Once its cause is known, the exploration stops looking for it."),
    isRepeated: z.boolean().describe("The same requests led to it again."),
    requests: z.number().int().describe("Requests of the exploration until it was found."),
    milliseconds: z.number().int().describe("Since the exploration began."),
    steps: z
      .array(findingStep)
      .describe("The shortest chain with the simplest values that leads to it. The last one shows it."),
    variables: z
      .array(z.object({ name: z.string(), value: z.string() }))
      .describe("Values that the steps share, such as a new name: `Book {{$uuid}}`."),
  })
  .openapi("Finding");
export type Finding = z.infer<typeof finding>;

export const defaultExploration = { maxRequests: 1_000, maxSeconds: 300, requestsPerSecond: 20 } as const;

export const explorationInput = z.object({
  environment: z.string().max(100).nullable().default(null).describe("Name of one of the API's environments."),
  seed: z.number().int().min(0).max(4_294_967_295).optional().describe("Of an earlier one, to repeat it."),
  maxRequests: z.number().int().min(10).max(20_000).default(defaultExploration.maxRequests),
  maxSeconds: z.number().int().min(10).max(3_600).default(defaultExploration.maxSeconds),
  requestsPerSecond: z.number().int().min(1).max(100).default(defaultExploration.requestsPerSecond),
  changes: z
    .boolean()
    .default(false)
    .describe(
      "Also creates, changes and deletes its own data. Only of an API whose data is marked as disposable; without it only safe methods are used (RFC 9110, 9.2.1).",
    ),
  operations: z.array(operationKey).max(400).optional().describe("All by default."),
});
export type ExplorationInput = z.infer<typeof explorationInput>;

export const exploredOperation = z.object({
  operation: operationKey,
  requests: z.number().int(),
  accepted: z.number().int().describe("Of them, those with a 2xx status."),
  leftOut: z.string().optional().describe("Why it was not explored, in a sentence."),
});
export type ExploredOperation = z.infer<typeof exploredOperation>;

export const explorationState = z.enum(["queued", "running", "finished", "cancelled", "failed"]);

export const explorationSummary = z
  .object({
    id: z.uuid(),
    apiId: z.uuid(),
    state: explorationState,
    ending: z
      .enum(["complete", "requests", "seconds", "cancelled", "failed"])
      .nullable()
      .describe("`complete`: everything was tried; otherwise the limit that ended it."),
    message: z.string().nullable().describe("With `failed`: why, and what to do."),
    input: explorationInput.extend({ seed: z.number().int() }),
    requests: z.number().int(),
    findings: z.number().int(),
    operations: z.number().int().describe("That were explored, or are being explored."),
    createdAt: moment,
    startedAt: moment.nullable(),
    finishedAt: moment.nullable(),
  })
  .openapi("ExplorationSummary");
export type ExplorationSummary = z.infer<typeof explorationSummary>;

export const exploration = explorationSummary
  .extend({
    explored: z.array(exploredOperation),
    found: z.array(finding.extend({ isKnown: z.boolean().describe("An earlier exploration found it, too.") })),
  })
  .openapi("Exploration");
export type Exploration = z.infer<typeof exploration>;

export const startExploration = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/explorations",
  access: "tests:run",
  audit: "exploration",
  tag,
  summary: "Look for faults with generated requests",
  description:
    "Generates requests from the document and sends them to its server: valid requests with boundary and random values, requests that each break one rule, and chains of requests. Each cause is reported once, with the shortest chain that reproduces it.",
  params: z.object({ apiId: z.uuid() }),
  body: explorationInput.openapi({ example: { maxRequests: 200, maxSeconds: 60 } as never }),
  status: 201,
  response: explorationSummary,
  locationPath: "/api/v1/explorations/{id}",
  problems: {
    conflict: "Another exploration of the API has not ended.",
    plan_limit_reached: "The plan has no executions left this month. The requests of an exploration do not count.",
  },
});

export const listExplorations = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/explorations",
  access: "tests:read",
  tag,
  summary: "Explorations of an API, the latest first",
  description: "The latest 50 are stored, as long as the plan stores responses.",
  params: z.object({ apiId: z.uuid() }),
  query: listQuery,
  status: 200,
  response: pageSchema(explorationSummary),
});

export const getExploration = endpoint({
  method: "get",
  path: "/api/v1/explorations/{explorationId}",
  access: "tests:read",
  tag,
  summary: "An exploration with what it found",
  description: "Also while it runs: what was found so far, and the requests to each operation.",
  params: z.object({ explorationId: z.uuid() }),
  status: 200,
  response: exploration,
});

export const watchExploration = endpoint({
  method: "get",
  path: "/api/v1/explorations/{explorationId}/events",
  access: "tests:read",
  tag,
  summary: "Progress of an exploration as server-sent events",
  description:
    "First its current `exploration` (an ExplorationSummary), then another one with each change, until it has ended.",
  params: z.object({ explorationId: z.uuid() }),
  status: 200,
  otherResponses: {
    "text/event-stream": { description: "Server-sent events.", example: "event: exploration\ndata: {}\n\n" },
  },
});

export const cancelExploration = endpoint({
  method: "post",
  path: "/api/v1/explorations/{explorationId}/cancel",
  access: "tests:run",
  audit: "exploration",
  tag,
  summary: "End an exploration",
  description: "What it created is removed first. Existing data stays.",
  params: z.object({ explorationId: z.uuid() }),
  status: 200,
  response: explorationSummary,
  problems: { conflict: "The exploration has ended." },
});
