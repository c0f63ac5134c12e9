import { z } from "@hono/zod-openapi";
import { endpoint, type Tag } from "../kit/endpoint.ts";
import { testRequest } from "../test-registry/requests.ts";
import { attempt, cause, sentRequest } from "./attempts.ts";

const addressed = z.object({
  apiId: z.uuid(),
  method: z.string().min(1).max(40),
  path: z.string().min(1).max(4_000),
  request: testRequest,
  environment: z.string().max(100).optional().describe("API whose base URL and variables are used."),
  variables: z.record(z.string(), z.string()).optional(),
});

export type AddressedRequest = z.infer<typeof addressed>;

// A stored body of 1 MiB grows at most sixfold when it is written as a JSON string.
const maximumBodyBytes = 8 * 1_048_576;
const tag: Tag = { name: "Requests", description: "Single requests from the viewer and the editor." };

export const sendRequest = endpoint({
  method: "post",
  path: "/api/v1/requests",
  timeoutSeconds: 150,
  access: "tests:run",
  audit: { nothingBecause: "Nothing is stored" },
  tag,
  summary: "Sends one request",
  description: "Nothing is stored; secrets of credentials are replaced in the response.",
  body: addressed.extend({
    timeoutMilliseconds: z.number().int().min(100).max(120_000).default(30_000),
  }),
  maxBodyBytes: maximumBodyBytes,
  status: 200,
  response: attempt.omit({ verdict: true }),
  problems: { not_found: "No such API." },
});

export const resolveRequest = endpoint({
  method: "post",
  path: "/api/v1/requests/address",
  access: "tests:read",
  audit: { nothingBecause: "Nothing is stored or sent" },
  tag,
  summary: "Resolves the URL of a request",
  description: "The URL as it would be sent, before credentials are added; or why it can't be sent.",
  body: addressed,
  maxBodyBytes: maximumBodyBytes,
  status: 200,
  response: z.object({
    url: z.string().nullable(),
    server: sentRequest.shape.server,
    cause: cause.optional(),
  }),
  problems: { not_found: "No such API." },
});
