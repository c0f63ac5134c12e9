import { z } from "@hono/zod-openapi";

/** A request or response header in addition to those every endpoint has. */
export interface Header {
  name: string;
  description: string;
  schema: z.ZodType;
  required?: boolean;
}

export const idempotencyKey: Header = {
  name: "Idempotency-Key",
  description: "Identifies this call: repeated within a day, it has no further effect and returns the first result.",
  schema: z.string().min(1).max(200).openapi({ example: "release-2026-04-17" }),
};

export const prefer: Header = {
  name: "Prefer",
  description: "`wait=30` (RFC 7240): like the query parameter `wait`, which takes precedence.",
  schema: z.string().max(1_000).openapi({ example: "wait=30" }),
};

export const preferenceApplied: Header = {
  name: "Preference-Applied",
  description: "The preference that was honored, with the seconds that were waited at most.",
  schema: z.string().openapi({ example: "wait=30" }),
};

export const ifMatch: Header = {
  name: "If-Match",
  description: "The ETag that was read: the change is refused with 412 if the resource has been changed since.",
  schema: z.string().max(1_000).openapi({ example: '"3"' }),
};

export const ifNoneMatch: Header = {
  name: "If-None-Match",
  description: "The known ETag: 304 without a body while it is still current.",
  schema: z.string().max(1_000).openapi({ example: '"5f2b61d0"' }),
};

export const entityTag: Header = {
  name: "ETag",
  description: "Version of the returned resource, for `If-Match` or `If-None-Match`.",
  schema: z.string().openapi({ example: '"3"' }),
};

export const location: Header = {
  name: "Location",
  description: "URL of the created resource, relative to the request's.",
  schema: z.string().openapi({ format: "uri-reference", example: "apis/0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10" }),
};

export const retryAfter: Header = {
  name: "Retry-After",
  description: "Seconds after which a retry may succeed.",
  schema: z.int().min(0).openapi({ example: 30 }),
};

export const requestId: Header = {
  name: "X-Request-Id",
  description:
    "Identifies the request in the logs: the one that was sent (8 to 64 letters, digits, `_` and `-`), or a new one.",
  schema: z.string().openapi({ example: "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10" }),
};

export const allow: Header = {
  name: "Allow",
  description: "Methods supported at this URL.",
  schema: z.string().openapi({ example: "GET, HEAD, PUT" }),
};

export const wwwAuthenticate: Header = {
  name: "WWW-Authenticate",
  description: "How to sign in: with a bearer token.",
  schema: z.string().openapi({ example: "Bearer" }),
};
