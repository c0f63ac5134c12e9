import { z } from "@hono/zod-openapi";
import type { Header } from "./headers.ts";
import type { ProblemCode } from "./problem.ts";

/**
 * Required to call an endpoint: a scope of the token, a signed-in member, nothing (`public`), or being another service
 * (`internal`: never reachable from outside, never in the public description). `own-account` also admits members who
 * have yet to set up the second factor that their organization requires. `agent`: an agent of a location, by a JWT that it
 * signs for the call.
 */
export type Access = Scope | "signed-in" | "own-account" | "public" | "internal" | "agent";

export const scopes = [
  "apis:read",
  "apis:write",
  "tests:read",
  "tests:propose",
  "tests:write",
  "tests:run",
  "users:manage",
  "credentials:manage",
  "domains:manage",
  "billing:manage",
  "system:manage",
] as const;
export type Scope = (typeof scopes)[number];

/** The kind of resource recorded with a change, or the reason why nothing is recorded. */
export type Audited = string | { nothingBecause: string };

/** For reads whose parameters are too large for a URL and are sent with POST. */
export const onlyReads = { nothingBecause: "It only asks" } satisfies Audited;

/** Whether a call changes nothing, also if its response is lost. */
export function changesNothing({ method, audit }: Pick<Endpoint, "method" | "audit">): boolean {
  return method === "get" || (typeof audit === "object" && audit.nothingBecause === onlyReads.nothingBecause);
}

/**
 * These members of objects that also have the member `beside` keep numbers as they were written: where a double would
 * be written differently, the member is accompanied by its JSON text, `target` by `targetJson`.
 */
export interface ExactNumbers {
  beside: string;
  members: readonly string[];
}

/** Groups endpoints in the OpenAPI description: one tag per resource. */
export interface Tag {
  name: string;
  description: string;
}

type AnySchema = z.ZodType;

export interface EndpointDefinition<
  Params extends AnySchema | undefined,
  Query extends AnySchema | undefined,
  Body extends AnySchema | undefined,
  Success extends AnySchema | undefined,
> {
  method: "get" | "post" | "put" | "delete";
  /** Hono's OpenAPI form: `/api/v1/apis/{apiId}`. */
  path: string;
  access: Access;
  /** Why it reads rows of other organizations than the caller's, so that only its conditions separate them. */
  acrossOrganizations?: string;
  /** Required for every endpoint that changes something: the handler then calls `record`. */
  audit?: Audited;
  /** Required, with a description, for every endpoint that is not internal. */
  tag?: Tag;
  /** The effect in a few words. */
  summary: string;
  /** Markdown. */
  description?: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Members of body and response whose numbers keep every digit. */
  exactNumbers?: ExactNumbers;
  /** Headers it reads; the handler takes them from `request`. */
  headers?: Header[];
  /** Other media types of the body; the handler then reads `request` itself. */
  otherBodies?: Record<string, z.ZodType>;
  /** The handler parses the body as a stream, because it may be too large to be parsed on the main thread. */
  streamsBody?: boolean;
  /**
   * Upper bound of a JSON body where 2 MiB are too few; a larger one is refused with 413. Services may send each other
   * more.
   */
  maxBodyBytes?: number;
  /** Replaces the usual deadline where the work takes longer. */
  timeoutSeconds?: number;
  /** Status of success; 204 has no body. */
  status: 200 | 201 | 202 | 204;
  /** Other statuses with the same headers and, except for 304, the same body. */
  otherStatuses?: (304 | 503)[];
  /** JSON of the success; omitted with 204. */
  response?: Success;
  /** Alternative bodies of the success by media type; the handler returns a Response, which the client does not read. */
  otherResponses?: Record<string, TextResponse | z.ZodType>;
  /** Headers of the success, which the handler sets. */
  responseHeaders?: Header[];
  /**
   * Path of the created resource, with members of the response in braces, e.g. `/api/v1/apis/{id}`: sent as Location.
   */
  locationPath?: string;
  /** Problems beyond those that follow from the declaration, and when they occur. */
  problems?: Partial<Record<ProblemCode, string>>;
}

/** A response that is not JSON. */
export interface TextResponse {
  description: string;
  example: string;
}

export type Endpoint<
  Params extends AnySchema | undefined = AnySchema | undefined,
  Query extends AnySchema | undefined = AnySchema | undefined,
  Body extends AnySchema | undefined = AnySchema | undefined,
  Success extends AnySchema | undefined = AnySchema | undefined,
> = EndpointDefinition<Params, Query, Body, Success>;

export type Contract = Record<string, Endpoint>;

/**
 * Declares one call of a service. The server's route and validation, the typed client and the OpenAPI description are
 * all derived from this value.
 */
export function endpoint<
  Params extends AnySchema | undefined = undefined,
  Query extends AnySchema | undefined = undefined,
  Body extends AnySchema | undefined = undefined,
  Success extends AnySchema | undefined = undefined,
>(definition: EndpointDefinition<Params, Query, Body, Success>): Endpoint<Params, Query, Body, Success> {
  return definition;
}

/** Query of every list: keyset pagination, never offsets. */
export const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(25).describe("Maximum number of items per page"),
  cursor: z.string().max(1_000).optional().describe("`nextCursor` of the previous page; omitted for the first page"),
  query: z.string().trim().max(200).optional().describe("Only items that contain this text, ignoring case"),
});

/** Response of every list. `nextCursor` is null on the last page. */
export function pageSchema<Item extends AnySchema>(item: Item) {
  return z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe("For the next page; null on the last one"),
    total: z.int().optional().describe("Total number of items; omitted where counting is too expensive"),
  });
}

/** Response of an unpaginated list: its only page. */
export function completeListSchema<Item extends AnySchema>(item: Item) {
  return z.object({
    items: z.array(item),
    nextCursor: z.null().describe("Always null: the list is complete"),
  });
}

/** UUID version 7. */
export const identifier = z.uuid().openapi({ example: "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10" });
/** RFC 3339 in UTC. */
export const moment = z.iso.datetime().openapi({ example: "2026-04-17T09:30:00.000Z" });
