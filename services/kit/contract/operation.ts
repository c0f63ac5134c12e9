import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import { problemStatuses } from "../problem/problem.ts";

/**
 * Who may call an operation: a scope of the token, any signed-in user, everybody,
 * or only another service (`internal`: never reachable from outside, never in the public description).
 */
export type Access = Scope | "signed-in" | "public" | "internal";

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

type AnySchema = z.ZodType;

export interface OperationDefinition<
  Params extends AnySchema | undefined,
  Query extends AnySchema | undefined,
  Body extends AnySchema | undefined,
  Success extends AnySchema | undefined,
> {
  method: "get" | "post" | "put" | "delete";
  /** Hono's OpenAPI form: `/api/v1/apis/{apiId}`. */
  path: string;
  access: Access;
  /** Needed by every operation that changes something: the handler then records it with `record`. */
  audit?: Audited;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** The body may also come as one of these media types; the handler then reads `request` itself. */
  otherBodyTypes?: string[];
  /** The handler reads and checks the body itself, as it streams in: it may be too large to be parsed on the main thread. */
  streamsBody?: boolean;
  /** Largest JSON body, where 2 MiB are too few; a larger one is answered 413. Services may send each other more. */
  maximumBodyBytes?: number;
  /** How long a caller waits for the answer at most, where the usual deadline is too short for what has to be done. */
  mayTakeSeconds?: number;
  /** Status of success; 204 goes without `answer`. */
  status: 200 | 201 | 202 | 204;
  /** JSON of the success; leave out for 204 or when the handler answers a Response of its own (then name `answerType`). */
  answer?: Success;
  answerType?: string;
}

export interface Operation<
  Params extends AnySchema | undefined = AnySchema | undefined,
  Query extends AnySchema | undefined = AnySchema | undefined,
  Body extends AnySchema | undefined = AnySchema | undefined,
  Success extends AnySchema | undefined = AnySchema | undefined,
> extends OperationDefinition<Params, Query, Body, Success> {
  route: RouteConfig;
}

export type Contract = Record<string, Operation>;

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    code: z.enum(Object.keys(problemStatuses) as [string, ...string[]]),
    detail: z.string(),
    requestId: z.string().optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    service: z.string().optional(),
    limit: z.number().optional(),
    used: z.number().optional(),
  })
  .openapi("Problem");

/**
 * Declares one call of a service: its place in HTTP, who may make it, what goes in and what comes out.
 * From this one value come the server's route and validation, the typed client and the OpenAPI description.
 */
export function operation<
  Params extends AnySchema | undefined = undefined,
  Query extends AnySchema | undefined = undefined,
  Body extends AnySchema | undefined = undefined,
  Success extends AnySchema | undefined = undefined,
>(definition: OperationDefinition<Params, Query, Body, Success>): Operation<Params, Query, Body, Success> {
  const { method, path, access, summary, params, query, body, answer } = definition;
  const otherBodies = Object.fromEntries((definition.otherBodyTypes ?? []).map((type) => [type, { schema: z.any() }]));
  const route = createRoute({
    method,
    path,
    summary,
    ...(access === "public" ? {} : { security: [{ bearer: access === "signed-in" ? [] : [access] }] }),
    request: {
      ...(params ? { params: params as unknown as z.ZodObject } : {}),
      ...(query ? { query: query as unknown as z.ZodObject } : {}),
      ...(body
        ? {
            body: {
              required: !definition.otherBodyTypes && !body.safeParse(undefined).success,
              content: { "application/json": { schema: body }, ...otherBodies },
            },
          }
        : {}),
    },
    responses: {
      [definition.status]: {
        description: summary,
        ...(answer ? { content: { "application/json": { schema: answer } } } : {}),
        ...(definition.answerType ? { content: { [definition.answerType]: { schema: z.any() } } } : {}),
      },
      default: {
        description: "What went wrong, as problem details (RFC 9457)",
        content: { "application/problem+json": { schema: problemSchema } },
      },
    },
  });
  return { ...definition, route };
}

/** Query of every list: keyset pages, never offsets. */
export const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(25),
  cursor: z.string().max(1_000).optional(),
  query: z.string().trim().max(200).optional(),
});

/** Answer of every list. `nextCursor` is null on the last page. */
export function pageOf<Item extends AnySchema>(item: Item) {
  return z.object({
    items: z.array(item),
    nextCursor: z.string().nullable(),
    total: z.number().int().optional(),
  });
}

export const identifier = z.uuid();
/** RFC 3339 in UTC. */
export const moment = z.string();
