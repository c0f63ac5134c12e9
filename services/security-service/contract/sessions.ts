import { z } from "@hono/zod-openapi";
import { listQuery, operation, pageOf } from "../../kit/contract/operation.ts";
import { publicKeysContract } from "../../kit/contract/public-keys.ts";

export const signedIn = z
  .object({
    accessToken: z.string(),
    /** Seconds until the access token ends. */
    expiresIn: z.number().int(),
    refreshToken: z.string(),
    roles: z.array(z.string()),
    scopes: z.array(z.string()),
  })
  .openapi("SignedIn");
export type SignedIn = z.infer<typeof signedIn>;

export const session = z
  .object({
    id: z.uuid(),
    createdAt: z.string(),
    lastUsedAt: z.string(),
    expiresAt: z.string(),
    userAgent: z.string(),
    current: z.boolean(),
  })
  .openapi("Session");
export type Session = z.infer<typeof session>;

/**
 * Username (or e-mail address) and password travel in the headers `username` and `password`, percent-encoded UTF-8. The portal adds
 * `x-client-address` and `x-user-agent` of its visitor; they count only beside a service token as bearer token.
 * 401 `invalid_credentials` when they are wrong, 429 with Retry-After after too many tries.
 */
export const login = operation({
  method: "post",
  path: "/auth/login",
  access: "public",
  audit: { nothingBecause: "Sessions list when each began" },
  summary: "Signs in with the headers username and password, both percent-encoded UTF-8",
  status: 200,
  answer: signedIn,
});

/** 401 when the token is unknown, spent or its session has ended: only a new sign-in helps. */
export const refresh = operation({
  method: "post",
  path: "/auth/refresh",
  access: "public",
  audit: { nothingBecause: "The session goes on as it was" },
  summary: "Trades a refresh token for a new pair; a reused one ends every session of its family",
  body: z.object({ refreshToken: z.string().min(1).max(500) }),
  status: 200,
  answer: signedIn,
});

/** As `refresh`, with more patience: see `portalGraceMilliseconds`. */
export const refreshForPortal = operation({
  method: "post",
  path: "/internal/v1/sessions/refresh",
  access: "internal",
  audit: { nothingBecause: "The session goes on as it was" },
  summary: "Trades a refresh token that the portal keeps in a cookie for a new pair",
  body: z.object({ refreshToken: z.string().min(1).max(500) }),
  status: 200,
  answer: signedIn,
});

export const logout = operation({
  method: "post",
  path: "/auth/logout",
  access: "public",
  audit: { nothingBecause: "Sessions list how each ended" },
  summary: "Ends the session of a refresh token",
  body: z.object({ refreshToken: z.string().min(1).max(500) }),
  status: 204,
});

export const { getKeys } = publicKeysContract;

export const listSessions = operation({
  method: "get",
  path: "/api/v1/sessions",
  access: "signed-in",
  summary: "The caller's own living sessions, newest first",
  query: listQuery.omit({ query: true }),
  status: 200,
  answer: pageOf(session),
});

export const endSession = operation({
  method: "delete",
  path: "/api/v1/sessions/{sessionId}",
  access: "signed-in",
  audit: { nothingBecause: "Sessions list how each ended" },
  summary: "Ends one of the caller's own sessions",
  params: z.object({ sessionId: z.uuid() }),
  status: 204,
});
