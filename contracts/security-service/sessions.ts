import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import type { Header } from "../kit/headers.ts";
import { publicKeysContract } from "../kit/public-keys.ts";

export const signingIn: Tag = { name: "Signing in", description: "Access tokens and the renewal of sessions." };
const sessions: Tag = { name: "Sessions", description: "Sessions of the caller." };

const usernameHeader: Header = {
  name: "username",
  description: "Username or email address, percent-encoded as UTF-8.",
  required: true,
  schema: z.string().openapi({ example: "ada%40example.com" }),
};
const passwordHeader: Header = {
  name: "password",
  description: "Password, percent-encoded as UTF-8.",
  required: true,
  schema: z.string().openapi({ format: "password", example: "correct%20horse%20battery" }),
};

export const signedIn = z
  .object({
    accessToken: z
      .string()
      .describe("Sent as a bearer token with every call")
      .openapi({ example: "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl" }),
    expiresIn: z.number().int().openapi({ example: 300 }).describe("Lifetime of the access token in seconds."),
    refreshToken: z
      .string()
      .describe(
        "Valid once, for the next pair. Empty for the session of an operator who signs in while the disk is full: it can't be renewed.",
      )
      .openapi({ example: "qGm5Yw0kQ1tZ2v6u9x8" }),
    roles: z.array(z.string()).openapi({ example: ["EDITOR"] }),
    scopes: z
      .array(z.string())
      .describe("Scopes granted by the roles")
      .openapi({ example: ["apis:read", "tests:run"] }),
    needsSecondFactor: z
      .boolean()
      .describe("The organization requires a second factor; until the account has one, no role applies")
      .openapi({ example: false }),
  })
  .openapi("SignedIn");
export type SignedIn = z.infer<typeof signedIn>;

export const session = z
  .object({
    id: z.uuid(),
    createdAt: moment,
    lastUsedAt: moment,
    expiresAt: moment,
    userAgent: z.string().describe("How the user signed in").openapi({ example: "Mozilla/5.0" }),
    current: z.boolean().describe("The session of this request"),
  })
  .openapi("Session");
export type Session = z.infer<typeof session>;

export const login = endpoint({
  method: "post",
  path: "/auth/login",
  access: "public",
  audit: { nothingBecause: "Sessions list when each began" },
  tag: signingIn,
  summary: "Signs in",
  description:
    "Username (or email address) and password are sent in headers, percent-encoded as UTF-8. The access token is valid for minutes: exchange the refresh token for a new pair before `expiresIn` seconds have passed.",
  status: 200,
  response: signedIn,
  headers: [usernameHeader, passwordHeader],
  problems: {
    malformed_request: "A header is missing, or is not percent-encoded UTF-8.",
    invalid_credentials: "Username or password is wrong.",
    second_factor_required:
      "The password is right, and the account has a second factor: continue at `/auth/login/second-factor` with `challenge`.",
    forbidden: "The password is right, but the organization requires single sign-on.",
    too_many_requests: "Too many attempts with this name or from this network.",
  },
});

export const refresh = endpoint({
  method: "post",
  path: "/auth/refresh",
  access: "public",
  audit: { nothingBecause: "The session is only renewed" },
  tag: signingIn,
  summary: "Exchanges a refresh token for a new pair",
  description: "Each refresh token is valid once; reuse ends every session of its family.",
  body: z.object({ refreshToken: z.string().min(1).max(500) }),
  status: 200,
  response: signedIn,
  problems: { unauthenticated: "The token is unknown or already used, or its session has ended: sign in again." },
});

export const refreshForPortal = endpoint({
  method: "post",
  path: "/internal/v1/sessions/refresh",
  access: "internal",
  acrossOrganizations: "The token says whose it is",
  audit: { nothingBecause: "The session is only renewed" },
  tag: signingIn,
  summary: "Exchanges a refresh token that the portal stores in a cookie for a new pair",
  description: "Like `refresh`, with a longer grace period: see `portalGraceMilliseconds`.",
  body: z.object({ refreshToken: z.string().min(1).max(500) }),
  status: 200,
  response: signedIn,
});

export const continueAccess = endpoint({
  method: "post",
  path: "/internal/v1/sessions/access-token",
  access: "internal",
  acrossOrganizations: "The token says whose it is",
  audit: { nothingBecause: "The session is only renewed" },
  tag: signingIn,
  summary: "A fresh access token for a portal response that outlives its access token",
  description: "Consumes nothing: the browser can't receive another refresh token before that response has ended.",
  body: z.object({ refreshToken: z.string().min(1).max(500) }),
  status: 200,
  response: signedIn.pick({ accessToken: true, expiresIn: true }),
});

export const logout = endpoint({
  method: "post",
  path: "/auth/logout",
  access: "public",
  audit: { nothingBecause: "Sessions list how each ended" },
  tag: signingIn,
  summary: "Ends the session of a refresh token",
  description: "An unknown or used token is not an error.",
  body: z.object({ refreshToken: z.string().min(1).max(500) }),
  status: 204,
});

export const { getKeys } = publicKeysContract;

export const listSessions = endpoint({
  method: "get",
  path: "/api/v1/sessions",
  access: "own-account",
  tag: sessions,
  summary: "The caller's own active sessions, newest first",
  description: "One per sign-in that has not ended.",
  query: listQuery.omit({ query: true }),
  status: 200,
  response: pageSchema(session),
  problems: { not_found: "The caller is a service or an API token, which have no sessions." },
});

export const endSession = endpoint({
  method: "delete",
  path: "/api/v1/sessions/{sessionId}",
  access: "own-account",
  audit: { nothingBecause: "Sessions list how each ended" },
  tag: sessions,
  summary: "Ends one of the caller's own sessions",
  description: "Its refresh token no longer works, and its access token is refused within seconds.",
  params: z.object({ sessionId: z.uuid() }),
  status: 204,
});
