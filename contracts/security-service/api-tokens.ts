import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, listQuery, moment, pageSchema, scopes, type Tag } from "../kit/endpoint.ts";

const tag: Tag = {
  name: "API tokens",
  description:
    "For programs, such as continuous integration. Sent as a bearer token with any call of the public API; limited to its scopes, and without access to the owner's account.",
};

export const longestTokenDays = 365;

export const newApiToken = z
  .object({
    name: displayName(
      z
        .string({ error: "Name the token" })
        .trim()
        .min(1, "Name the token")
        .max(100, "Use at most 100 characters")
        .regex(/^\P{Cc}*$/u, "A name is written on one line")
        .openapi({ example: "Nightly build" }),
    ),
    scopes: z
      .array(z.enum(scopes))
      .min(1, "Choose at least one scope")
      .describe("Never more than its owner's roles allow")
      .openapi({ example: ["tests:read", "tests:run"] }),
    expiresInDays: z.coerce
      .number({ error: "Choose how long the token is valid" })
      .int("Enter whole days")
      .min(1, "A token is valid for at least a day")
      .max(longestTokenDays, `A token is valid for at most ${longestTokenDays} days`)
      .default(90),
  })
  .openapi("NewApiToken");

export const apiToken = z
  .object({
    id: z.uuid(),
    name: z.string().openapi({ example: "Nightly build" }),
    scopes: z.array(z.enum(scopes)).openapi({ example: ["tests:read", "tests:run"] }),
    ending: z.string().describe("Its last four characters, to identify it").openapi({ example: "x7Qa" }),
    createdAt: moment,
    expiresAt: moment,
    lastUsedAt: moment.nullable().describe("To the minute; null if it was never used"),
  })
  .openapi("ApiToken");
export type ApiToken = z.infer<typeof apiToken>;

export const createdApiToken = apiToken
  .extend({
    token: z
      .string()
      .describe("Returned only here; only a hash of it is stored")
      .openapi({ example: "aap_0000000000000000000000000000000000000000000000" }),
  })
  .openapi("CreatedApiToken");
export type CreatedApiToken = z.infer<typeof createdApiToken>;

const ofPeople = "The caller is a service or an API token: only signed-in users have API tokens.";

export const listApiTokens = endpoint({
  method: "get",
  path: "/api/v1/api-tokens",
  access: "own-account",
  tag,
  summary: "The caller's own API tokens, newest first",
  description: "Valid tokens, and those that expired in the last 30 days.",
  query: listQuery.omit({ query: true }),
  status: 200,
  response: pageSchema(apiToken),
  problems: { not_found: ofPeople },
});

export const createApiToken = endpoint({
  method: "post",
  path: "/api/v1/api-tokens",
  access: "signed-in",
  audit: "api-token",
  tag,
  summary: "Creates an API token",
  description:
    "The response contains the token, once. It ends when it expires, is revoked, its owner is disabled or their roles change. The owner is notified by email.",
  body: newApiToken,
  status: 201,
  response: createdApiToken,
  problems: {
    not_found: ofPeople,
    conflict: "The maximum number of tokens is reached.",
  },
});

export const revokeApiToken = endpoint({
  method: "delete",
  path: "/api/v1/api-tokens/{apiTokenId}",
  access: "own-account",
  audit: "api-token",
  tag,
  summary: "Revokes one of the caller's own API tokens",
  description: "Calls with it are refused immediately.",
  params: z.object({ apiTokenId: z.uuid() }),
  status: 204,
});

export const exchangeApiToken = endpoint({
  method: "post",
  path: "/internal/v1/api-tokens/exchange",
  access: "internal",
  acrossOrganizations: "The token says whose it is",
  audit: { nothingBecause: "Tokens list when they were last used" },
  tag,
  summary: "Exchanges an API token for a short-lived access token",
  description: "Used by the public API: services accept only access tokens.",
  body: z.object({ token: z.string().max(200) }),
  status: 200,
  response: z.object({ accessToken: z.string(), expiresIn: z.number().int() }),
  problems: { unauthenticated: "The token is unknown, has expired or was revoked." },
});
