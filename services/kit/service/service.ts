import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { routePath } from "hono/route";
import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import { createRecorder, type RecordChange } from "../audit/audit.ts";
import type { Clock } from "../clock/clock.ts";
import type { Contract, Operation } from "../contract/operation.ts";
import { databaseProblem } from "../database/database-problem.ts";
import type { Authenticate, Identity } from "../identity/identity.ts";
import { type FieldError, Problem } from "../problem/problem.ts";
import { createHealth } from "./health.ts";
import { defaultBodyBytes, readLimitedText } from "./limited-body.ts";
import { readVouchedAddress } from "./visitor-address.ts";

/** An operation's optional parts come as `Schema | undefined`: a schema that is there must not make its value optional. */
type OutputOf<Schema> = [NonNullable<Schema>] extends [never] ? undefined : z.output<NonNullable<Schema>>;
type WireOf<Schema> = [NonNullable<Schema>] extends [never] ? undefined : z.input<NonNullable<Schema>>;

export interface Call<O extends Operation> {
  params: OutputOf<O["params"]>;
  query: OutputOf<O["query"]>;
  body: OutputOf<O["body"]>;
  /** Who calls; on a public operation there is nobody and reading a field throws. */
  caller: Identity;
  request: Request;
  requestId: string;
  log: Logger;
  /** Records what the call changes, in the transaction that changes it; the contract's `audit` names the resource. */
  record: RecordChange;
}

/** A handler answers the success value (its status is the contract's), or a Response of its own. Everything else is thrown as Problem. */
export type Handler<O extends Operation> = (
  call: Call<O>,
) => Promise<WireOf<O["answer"]> | Response> | WireOf<O["answer"]> | Response;

export type Handlers<C extends Contract> = { [Name in keyof C]: Handler<C[Name]> };

export interface ServiceOptions<C extends Contract> {
  name: string;
  description: string;
  version: string;
  contract: C;
  handlers: Handlers<C>;
  authenticate: Authenticate;
  clock: Clock;
  log: Logger;
  /** Throws when the service cannot do its work (its database is away, say). */
  checkHealth: () => Promise<void>;
}

export type Service = OpenAPIHono<{ Variables: { requestId: string; caller: Identity } }>;

/** PostgreSQL's refusal of U+0000 in text and in jsonb: what was sent is wrong, not we. */
const unstorableText = new Set(["22021", "22P05"]);
/** When to ask again for what is away, unless it is known better. */
const usualAbsenceSeconds = 5;
const safeRequestId = /^[\w-]{8,64}$/;

export function problemResponse(problem: Problem, requestId: string): Response {
  const headers: Record<string, string> = {
    "content-type": "application/problem+json",
    "x-request-id": requestId,
    "cache-control": "no-store",
  };
  const retryAfter = problem.extras.retryAfterSeconds ?? (problem.status === 503 ? usualAbsenceSeconds : undefined);
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
  return new Response(JSON.stringify(problem.toDetails(requestId)), { status: problem.status, headers });
}

function fieldErrors(error: z.ZodError | z.core.$ZodError): FieldError[] {
  return error.issues.map((issue) => ({
    path: issue.path.reduce<string>(
      (path, step) => (typeof step === "number" ? `${path}[${step}]` : path ? `${path}.${String(step)}` : String(step)),
      "",
    ),
    message: issue.message,
  }));
}

function requireAccess(operation: Operation, caller: Identity): void {
  const { access } = operation;
  if (caller.kind === "service" || access === "signed-in") return;
  if (access === "internal") throw new Problem("not_found");
  if (access !== "public" && !caller.scopes.includes(access)) throw new Problem("forbidden");
}

async function identify(c: Context, operation: Operation, authenticate: Authenticate): Promise<Identity | undefined> {
  const bearer = /^Bearer ([\w.~+/=-]+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  if (operation.access === "public") return undefined;
  if (!bearer) throw new Problem("unauthenticated", "Send an access token as bearer token.");
  const caller = await authenticate(bearer);
  requireAccess(operation, caller);
  return caller;
}

/** Services may send each other more: what they send is limited where it came in. */
function limitsBody({ access, body, streamsBody }: Operation): boolean {
  return body !== undefined && !streamsBody && access !== "internal";
}

/**
 * Makes the HTTP face of a service from its contract and handlers: validation, identity and scopes, problem details,
 * request ids, its OpenAPI 3.1 description at `/openapi.json`, and the actuator calls of the specification.
 */
export function createService<C extends Contract>(options: ServiceOptions<C>): Service {
  const { name, version, log } = options;
  const app: Service = new OpenAPIHono({
    defaultHook: (result) => {
      if (result.success) return;
      const malformed = result.target === "param" || result.target === "query";
      throw new Problem(malformed ? "malformed_request" : "invalid_input", undefined, {
        errors: fieldErrors(result.error),
      });
    },
  });

  app.use(async (c, next) => {
    const given = c.req.header("x-request-id") ?? "";
    c.set("requestId", safeRequestId.test(given) ? given : uuidv7());
    await next();
    c.res.headers.set("x-request-id", c.get("requestId"));
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
  });

  app.onError((error, c) => {
    const requestId = c.get("requestId");
    if (error instanceof Problem) return problemResponse(error, requestId);
    if ("status" in error && error.status === 400) {
      return problemResponse(new Problem("malformed_request", "The body is not valid JSON."), requestId);
    }
    if ("status" in error && error.status === 415) {
      return problemResponse(new Problem("unsupported_media_type", "Send application/json."), requestId);
    }
    if ("code" in error && unstorableText.has(String(error.code))) {
      return problemResponse(new Problem("malformed_request", "The text holds a NUL character."), requestId);
    }
    const problem = databaseProblem(error);
    if (problem) {
      log.warn(
        { requestId, service: name, code: problem.code, reason: error.message },
        "the database let a request down",
      );
      return problemResponse(
        new Problem(problem.code, problem.detail, { ...problem.extras, service: name }),
        requestId,
      );
    }
    // The route, not what came: a path may hold a token.
    log.error({ err: error, requestId, service: name, path: routePath(c, -1) }, "request failed");
    return problemResponse(new Problem("internal_error"), requestId);
  });

  app.notFound((c) =>
    problemResponse(new Problem("not_found", "There is no such call."), c.get("requestId") ?? uuidv7()),
  );

  for (const [operationName, operation] of Object.entries(options.contract)) {
    const handler = options.handlers[operationName] as Handler<Operation>;
    // Identity before validation: whoever may not call learns nothing about what the call wants.
    app.on(operation.method.toUpperCase(), operation.path.replace(/\{([^}]+)\}/g, ":$1"), async (c, next) => {
      const caller = await identify(c, operation, options.authenticate);
      if (caller) c.set("caller", caller);
      if (limitsBody(operation) && !("text" in c.req.bodyCache)) {
        // Kept where the validator looks first, so that the body is read once.
        const text = await readLimitedText(c.req.raw, operation.maximumBodyBytes ?? defaultBodyBytes);
        Object.assign(c.req.bodyCache, { text: Promise.resolve(text) });
      }
      await next();
    });
    const { streamsBody, route } = operation;
    const isInternal = operation.access === "internal";
    // A described body would be read and parsed before the handler runs.
    const served = streamsBody ? { ...route, request: { ...route.request, body: undefined } } : route;
    if (streamsBody && !isInternal) app.openAPIRegistry.registerPath(route);
    app.openapi({ ...served, hide: isInternal || streamsBody === true }, async (c) => {
      const valid = c.req.valid.bind(c.req) as (target: string) => unknown;
      const requestId = c.get("requestId");
      const caller = c.get("caller");
      const isAudited = typeof operation.audit === "string";
      const kind = isAudited ? String(operation.audit) : operationName;
      // Not when the change is recorded: looking up a key would wait for a connection while the transaction holds one.
      const address = isAudited ? await readVouchedAddress(c.req.raw, options.authenticate) : undefined;
      const recorder = createRecorder(options.clock, { operation: operationName, kind, caller, address, requestId });
      const answered = await handler({
        params: operation.params ? valid("param") : undefined,
        query: operation.query ? valid("query") : undefined,
        body: operation.body && !streamsBody ? valid("json") : undefined,
        caller,
        request: c.req.raw,
        requestId,
        record: recorder.record,
        log: log.child({ requestId, service: name }),
      } as Call<Operation>);
      if (isAudited && !recorder.isUsed()) {
        log.error({ requestId, service: name, operation: operationName }, "a change was not recorded");
      }
      if (answered instanceof Response) return answered;
      if (operation.status === 204) return c.body(null, 204);
      return c.json(answered as object, operation.status);
    });
  }

  const health = createHealth([{ name: "database", required: true, check: options.checkHealth }]);
  const standing = z.enum(["UP", "DOWN"]);
  const healthAnswer = (description: string) => ({
    description,
    content: {
      "application/json": {
        schema: z.object({
          status: standing,
          components: z.record(z.string(), z.object({ status: standing, required: z.boolean() })),
        }),
      },
    },
  });
  const actuator = { method: "get", request: {} } as const;
  app.openapi(
    createRoute({
      ...actuator,
      path: "/actuator/health",
      summary: "Whether the service can do its work",
      responses: {
        200: healthAnswer("Up"),
        503: healthAnswer("Down"),
      },
    }),
    async (c) => {
      const answer = await health();
      return c.json(answer, answer.status === "UP" ? 200 : 503);
    },
  );
  app.openapi(
    createRoute({
      ...actuator,
      path: "/actuator/info",
      summary: "Name and version",
      responses: {
        200: {
          description: "Name and version",
          content: { "application/json": { schema: z.object({ name: z.string(), version: z.string() }) } },
        },
      },
    }),
    (c) => c.json({ name, version }, 200),
  );
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
  });
  app.doc31("/openapi.json", {
    openapi: "3.1.0",
    info: { title: name, version, description: options.description },
    servers: [{ url: `/api/${name}` }],
  });
  return app;
}
