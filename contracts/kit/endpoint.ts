import { z } from "@hono/zod-openapi";
import type { Header } from "./headers.ts";
import type { ProblemCode } from "./problem.ts";

/**
 * Who may call an endpoint: a scope of the token, any member who is signed in, everybody, or only another service
 * (`internal`: never reachable from outside, never in the public description). What is `own-account` answers also to
 * members who may do nothing else until they have set up the second factor that their organization requires.
 */
export type Access = Scope | "signed-in" | "own-account" | "public" | "internal";

export const scopes = [
  "apis:read",
  "apis:write",
  "tests:read",
  "tests:write",
  "tests:run",
  "users:manage",
  "credentials:manage",
  "domains:manage",
  "billing:manage",
  "system:manage",
] as const;
export type Scope = (typeof scopes)[number];

/** What is recorded of a change: the kind of the resource, or the reason why nothing is. */
export type Audited = string | { nothingBecause: string };

/** Of what changes nothing although its method may: a question too large for an address. */
export const onlyAsks: Audited = { nothingBecause: "It only asks" };

/** What endpoints are about, as readers of a description find them: one a resource. */
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
  /** Why it asks for rows of other organizations than the caller's, so that only its conditions keep them apart. */
  acrossOrganizations?: string;
  /** Needed by every endpoint that changes something: the handler then records it with `record`. */
  audit?: Audited;
  /** Needed, with a description, by every endpoint that is not internal. */
  tag?: Tag;
  /** The effect in a few words. */
  summary: string;
  /** What a caller has to know, in Markdown. */
  description?: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Headers it reads; the handler takes them from `request`. */
  headers?: Header[];
  /** The body may also come as one of these media types; the handler then reads `request` itself. */
  otherBodies?: Record<string, z.ZodType>;
  /** The handler reads and checks the body itself, as it streams in: it may be too large to be parsed on the main thread. */
  streamsBody?: boolean;
  /** Largest JSON body, where 2 MiB are too few; a larger one is answered 413. Services may send each other more. */
  maximumBodyBytes?: number;
  /** How long a caller waits for the answer at most, where the usual deadline is too short for what has to be done. */
  mayTakeSeconds?: number;
  /** Status of success; 204 goes without `answer`. */
  status: 200 | 201 | 202 | 204;
  /** Other statuses that come with the same headers, and with `answer` unless it is 304. */
  otherStatuses?: (304 | 503)[];
  /** JSON of the success; left out with 204. */
  answer?: Success;
  /** What is answered instead of `answer`, by media type; the handler answers a Response of its own, and the client leaves it unread. */
  otherAnswers?: Record<string, AnswerText | z.ZodType>;
  /** Headers of the success, which the handler sets in `answerHeaders`. */
  answerHeaders?: Header[];
  /** Path of what was made, with members of the answer in braces, as in `/api/v1/apis/{id}`: sent as Location. */
  makes?: string;
  /** What it may be refused with beyond what follows from this declaration (see `problemsOf`), and when. */
  problems?: Partial<Record<ProblemCode, string>>;
}

/** An answer that is no JSON. */
export interface AnswerText {
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
 * Declares one call of a service: its place in HTTP, who may make it, what goes in and what comes out.
 * From this one value come the server's route and validation, the typed client and the OpenAPI description.
 */
export function endpoint<
  Params extends AnySchema | undefined = undefined,
  Query extends AnySchema | undefined = undefined,
  Body extends AnySchema | undefined = undefined,
  Success extends AnySchema | undefined = undefined,
>(definition: EndpointDefinition<Params, Query, Body, Success>): Endpoint<Params, Query, Body, Success> {
  return definition;
}

/** Query of every list: keyset pages, never offsets. */
export const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(25).describe("How many items a page has at most"),
  cursor: z.string().max(1_000).optional().describe("`nextCursor` of the page before; the first page without it"),
  query: z.string().trim().max(200).optional().describe("Keeps what has this text in it, whatever its case"),
});

/** Answer of every list. `nextCursor` is null on the last page. */
export function pageOf<Item extends AnySchema>(item: Item) {
  return z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe("For the next page; null on the last one"),
    total: z.int().optional().describe("How many items there are in all; left out where counting them costs too much"),
  });
}

/** Answer of a list that is short by nature: a page that is the only one. */
export function wholeListOf<Item extends AnySchema>(item: Item) {
  return z.object({
    items: z.array(item),
    nextCursor: z.null().describe("The list is whole"),
  });
}

/** Ids we give are UUIDs of version 7. */
export const identifier = z.uuid().openapi({ example: "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10" });
/** RFC 3339 in UTC. */
export const moment = z.iso.datetime().openapi({ example: "2026-04-17T09:30:00.000Z" });
