import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { completeListSchema, endpoint, identifier, moment, type Tag } from "../kit/endpoint.ts";
import { locationParams } from "./locations.ts";

export const agentsTag: Tag = {
  name: "Agents",
  description: "Processes in other networks that send the tests of a location. They only call out.",
};

/** The raw public key (RFC 8037, 2), in base64url. */
const publicKey = z
  .string()
  .regex(/^[\w-]{43}$/, "A public key of 32 bytes in base64url")
  .openapi({ example: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" });

export const agentVersion = z
  .string()
  .max(50)
  .regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}([-+][\w.+-]*)?$/, "A version such as 1.4.0")
  .openapi({ example: "1.4.0" });

export const agent = z
  .object({
    id: identifier,
    locationId: z.uuid(),
    name: z.string().openapi({ example: "build-host-7" }),
    state: z
      .enum(["active", "silent", "revoked"])
      .describe("`active`: seen within the last minute. `revoked`: each of its calls is refused."),
    version: z.string().openapi({ example: "1.4.0" }),
    versionProblem: z
      .string()
      .optional()
      .describe("Why agents of its version are refused, as a sentence; absent where they are accepted."),
    running: z.int().describe("Executions that it holds."),
    concurrency: z.int().describe("How many it runs concurrently; as it reported last."),
    blocked: z.int().describe("Requests that its own list of allowed targets refused since it started."),
    refused: z.int().describe("Results that were not accepted, since it was registered."),
    waitingResults: z.int().describe("Results that it stored while the portal was away; as it reported last."),
    registeredAt: moment,
    lastSeenAt: moment.nullable(),
    revokedAt: moment.nullable(),
  })
  .openapi("Agent");
export type Agent = z.infer<typeof agent>;

export const createAgentCode = endpoint({
  method: "post",
  path: "/api/v1/locations/{locationId}/agent-codes",
  access: "credentials:manage",
  audit: "agentCode",
  tag: agentsTag,
  summary: "Creates a code that registers one agent",
  description:
    "The code is returned once, valid for an hour, and used up by the registration: `assurance agent register --url <portal> --code <code>`.",
  params: locationParams,
  status: 201,
  response: z.object({
    code: z.string().openapi({ example: "aac_7XK2M4Q9RT3W8YB5NC6DH1FJ" }),
    expiresAt: moment,
  }),
});

export const listAgents = endpoint({
  method: "get",
  path: "/api/v1/locations/{locationId}/agents",
  access: "tests:read",
  tag: agentsTag,
  summary: "Agents of a location",
  description: "By name; the newest 20 of those that were revoked last.",
  params: locationParams,
  status: 200,
  response: completeListSchema(agent),
});

export const getAgent = endpoint({
  method: "get",
  path: "/api/v1/agents/{agentId}",
  access: "tests:read",
  tag: agentsTag,
  summary: "One agent",
  description: "With what it reported last.",
  params: z.object({ agentId: z.uuid() }),
  status: 200,
  response: agent,
});

export const revokeAgent = endpoint({
  method: "post",
  path: "/api/v1/agents/{agentId}/revoke",
  access: "credentials:manage",
  audit: "agent",
  tag: agentsTag,
  summary: "Revokes an agent",
  description:
    "Its key is refused from the next call on, also where it was stolen, and other agents of the location take up what it holds. It can't be undone: a new code registers another agent.",
  params: z.object({ agentId: z.uuid() }),
  status: 200,
  response: agent,
});

export const registerAgent = endpoint({
  method: "post",
  path: "/api/v1/agents",
  access: "public",
  audit: "agent",
  tag: agentsTag,
  summary: "Registers an agent by a code",
  description:
    "The agent creates its keys itself, and the private ones never leave it. Its later calls are authorized by a JWT that it signs for each of them.",
  body: z.object({
    code: z.string().max(100),
    name: displayName(z.string().trim().min(1, "Give the agent a name").max(100)),
    version: agentVersion,
    signingKey: publicKey.describe("Ed25519: signs its calls."),
    sealingKey: publicKey.describe("X25519: secrets are encrypted for it."),
  }),
  status: 201,
  response: z.object({ agentId: z.uuid(), locationId: z.uuid(), locationName: z.string() }),
  problems: {
    unauthenticated: "The code is unknown, used up or expired.",
    conflict: "The agent's version is not one that this portal works with.",
  },
});
