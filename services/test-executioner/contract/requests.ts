import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kit/contract/endpoint.ts";
import { testRequest } from "../../test-registry/contract/requests.ts";
import { attempt } from "./attempts.ts";

export const sendRequest = endpoint({
  method: "post",
  path: "/api/v1/requests",
  mayTakeSeconds: 150,
  access: "tests:run",
  audit: { nothingBecause: "Nothing is kept of it" },
  tag: { name: "Requests", description: "What the viewer and the editor send." },
  summary: "Sends one request",
  description: "Nothing is stored; secrets of credentials are replaced in the answer.",
  body: z.object({
    apiId: z.uuid(),
    method: z.string().min(1).max(40),
    path: z.string().min(1).max(4_000),
    request: testRequest,
    environment: z.string().max(100).optional().describe("Whose base URL and variables are used."),
    variables: z.record(z.string(), z.string()).optional(),
    timeoutMilliseconds: z.number().int().min(100).max(120_000).default(30_000),
  }),
  // A stored body of 1 MiB grows sixfold at worst when it is written as a JSON string.
  maximumBodyBytes: 8 * 1_048_576,
  status: 200,
  answer: attempt.omit({ verdict: true }),
  problems: { not_found: "There is no such API." },
});
