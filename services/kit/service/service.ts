import { createRoute, OpenAPIHono, type RouteConfig, type z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import { actuatorContract } from "#contracts/kit/actuator.ts";
import type { Contract, Endpoint } from "#contracts/kit/endpoint.ts";
import { type FieldError, Problem } from "#contracts/kit/problem.ts";
import { addJsonTexts, writeJsonTexts } from "#libraries/json/json-texts.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import { createRecorder, type RecordChange } from "../audit/audit.ts";
import type { Clock } from "../clock/clock.ts";
import { acrossOrganizations, withOrganization } from "../database/organization-scope.ts";
import type { Authenticate, IdentifyAgent, Identity, SignedCall } from "../identity/identity.ts";
import { problemResponse } from "../problem/problem-response.ts";
import { getOrganizationScope, identify } from "./access.ts";
import { requireDocumentedResponse, validatesResponses } from "./contract-check.ts";
import { describeService } from "./description.ts";
import { type CallEnvironment, toFailureResponse } from "./failed-call.ts";
import { fieldPath } from "./field-path.ts";
import { createHealth } from "./health.ts";
import { defaultBodyBytes, readLimitedText } from "./limited-body.ts";
import { requireWholeCharacters } from "./malformed-text.ts";
import { relativeReference } from "./relative-reference.ts";
import { isEmptyResult, type ResourceFinders, requireFiltered, requireFinders } from "./resource-filters.ts";
import { readVouchedAddress } from "./visitor-address.ts";

/** An endpoint's optional parts are typed `Schema | undefined`: an existing schema must not make its value optional. */
type OutputOf<Schema> = [NonNullable<Schema>] extends [never] ? undefined : z.output<NonNullable<Schema>>;
type WireOf<Schema> = [NonNullable<Schema>] extends [never] ? undefined : z.input<NonNullable<Schema>>;

export interface Call<E extends Endpoint> {
  params: OutputOf<E["params"]>;
  query: OutputOf<E["query"]>;
  body: OutputOf<E["body"]>;
  /** The authenticated caller; on a public endpoint reading a field throws. */
  caller: Identity;
  request: Request;
  /** Sent with the response; the contract's `answerHeaders` lists them. */
  answerHeaders: Headers;
  requestId: string;
  log: Logger;
  /** Records a change in the transaction that makes it; the contract's `audit` names the resource. */
  record: RecordChange;
}

/**
 * A handler returns the success value (with the contract's status) or a Response. Everything else is thrown as
 * Problem.
 */
export type Handler<E extends Endpoint> = (
  call: Call<E>,
) => Promise<WireOf<E["response"]> | Response> | WireOf<E["response"]> | Response;

export type Handlers<C extends Contract> = { [Name in keyof C]: Handler<C[Name]> };

export interface ServiceOptions<C extends Contract> {
  name: string;
  description: string;
  version: string;
  contract: C;
  handlers: Handlers<C>;
  /** Look up what its endpoints filter by; required for every resource filter that is not internal. */
  finders?: ResourceFinders;
  authenticate: Authenticate;
  /** Required where the contract has calls of agents. */
  identifyAgent?: IdentifyAgent;
  clock: Clock;
  log: Logger;
  /** Throws when the service cannot work, such as without its database. */
  checkHealth: () => Promise<void>;
  /** Throws while nothing can be stored. Reading still works, so the service is up. */
  checkCapacity?: () => Promise<void>;
}

export type Service = OpenAPIHono<CallEnvironment>;

const safeRequestId = /^[\w-]{8,64}$/;

function fieldErrors(error: z.ZodError | z.core.$ZodError): FieldError[] {
  return error.issues.map(({ path, message }) => ({ path: fieldPath(path), message }));
}

/** Services may send each other larger bodies, whose content was limited when it was received. */
function limitsBody({ access, body, streamsBody }: Endpoint): boolean {
  return body !== undefined && !streamsBody && access !== "internal";
}

/** Reads and checks the body of a call before it is parsed. */
async function takeBody(c: Context<CallEnvironment>, endpoint: Endpoint, signed: SignedCall | undefined) {
  if (!limitsBody(endpoint) || "text" in c.req.bodyCache) return;
  // Stored where the validator looks first, so that the body is read once.
  const text = await readLimitedText(c.req.raw, endpoint.maxBodyBytes ?? defaultBodyBytes);
  signed?.requireBody(text);
  requireWholeCharacters(text);
  const { exactNumbers } = endpoint;
  const carried = exactNumbers ? addJsonTexts(text, exactNumbers) : text;
  Object.assign(c.req.bodyCache, { text: Promise.resolve(carried) });
}

/**
 * Creates a service's HTTP app from its contract and handlers: validation, identity and scopes, problem details,
 * request ids, its OpenAPI 3.1 description at `/openapi.json`, and the actuator calls of the specification.
 */
export function createService<C extends Contract>(options: ServiceOptions<C>): Service {
  const { name, version, log, finders = {} } = options;
  requireFinders(options.contract, finders);
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

  /** Answers unknown methods of known paths; OPTIONS lists the allowed ones. */
  const respondToMethods = methodNotAllowed({
    app,
    onMethodNotAllowed(c, methods) {
      const allow = [...methods, "OPTIONS"].join(", ");
      if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
      return problemResponse(new Problem("method_not_allowed", `Use ${allow}.`, { allow }), c.get("requestId"));
    },
  });
  app.use(respondToMethods);

  app.onError((thrown, c) => toFailureResponse(options, thrown, c));

  app.notFound((c) => problemResponse(new Problem("not_found", "No such call."), c.get("requestId") ?? uuidv7()));

  const { checkHealth, checkCapacity } = options;
  const health = createHealth([
    { name: "database", required: true, check: checkHealth },
    ...(checkCapacity ? [{ name: "storage", required: false, check: checkCapacity }] : []),
  ]);
  const actuatorHandlers: Handlers<typeof actuatorContract> = {
    async getHealth() {
      const report = await health();
      return Response.json(report, { status: report.status === "UP" ? 200 : 503 });
    },
    getInfo: () => ({ name, version }),
  };
  const handlers: Record<string, unknown> = { ...options.handlers, ...actuatorHandlers };
  for (const [endpointName, endpoint] of Object.entries<Endpoint>({ ...options.contract, ...actuatorContract })) {
    const handler = handlers[endpointName] as Handler<Endpoint>;
    const { method, path, params, query, body, streamsBody } = endpoint;
    // Identity before validation: unauthorized callers learn nothing about the expected input.
    app.on(method.toUpperCase(), path.replace(/\{([^}]+)\}/g, ":$1"), async (c, next) => {
      c.set("endpoint", [endpointName, endpoint]);
      const signed = endpoint.access === "agent" ? await options.identifyAgent!(c.req.raw) : undefined;
      try {
        const caller = signed?.caller ?? (await identify(c, endpoint, options.authenticate));
        if (caller) c.set("caller", caller);
        await takeBody(c, endpoint, signed);
        const organizationId = caller && getOrganizationScope(endpoint, caller);
        if (organizationId) await withOrganization(organizationId, next);
        else await acrossOrganizations(next);
      } finally {
        signed?.end();
      }
    });
    // A body declared here would be read and parsed before the handler runs.
    const required = !body?.safeParse(undefined).success;
    const content = { "application/json": { schema: body } };
    const request = { params, query, ...(body && !streamsBody ? { body: { required, content } } : {}) };
    const responses: RouteConfig["responses"] = { default: { description: endpoint.summary } };
    const route: RouteConfig = createRoute({ method, path, request: request as object, responses, hide: true });
    app.openapi(route, async (c) => {
      const valid = c.req.valid.bind(c.req) as (target: string) => unknown;
      const requestId = c.get("requestId");
      const caller = c.get("caller");
      const isAudited = typeof endpoint.audit === "string";
      const kind = isAudited ? String(endpoint.audit) : endpointName;
      // Not at the time of recording: fetching a key would wait for a connection while the transaction uses one.
      const address = isAudited ? await readVouchedAddress(c.req.raw, options.authenticate) : undefined;
      const recorder = createRecorder(options.clock, { operation: endpointName, kind, caller, address, requestId });
      const headers = new Headers();
      const handlerResult = await handler({
        params: params ? valid("param") : undefined,
        query: query ? valid("query") : undefined,
        body: body && !streamsBody ? valid("json") : undefined,
        caller,
        request: c.req.raw,
        answerHeaders: headers,
        requestId,
        record: recorder.record,
        log: log.child({ requestId, service: name }),
      } as Call<Endpoint>);
      if (isAudited && !recorder.isUsed()) {
        log.error({ requestId, service: name, endpoint: endpointName }, "a change was not recorded");
      }
      if (caller && endpoint.access !== "internal" && query && isEmptyResult(handlerResult)) {
        const { organizationId } = caller;
        await requireFiltered(
          finders,
          { organizationId, requestId, operation: endpointName },
          valid("query") as object,
        );
      }
      if (validatesResponses) await requireDocumentedResponse(endpointName, endpoint, handlerResult);
      const response = toResponse(endpoint, handlerResult, c.req.path);
      for (const [header, value] of headers) response.headers.set(header, value);
      if (c.req.raw.method !== "HEAD") return response;
      // An event stream would continue without a reader.
      await response.body?.cancel();
      return new Response(null, response);
    });
  }

  let description: string | undefined;
  app.get("/openapi.json", (c) => {
    description ??= JSON.stringify(
      describeService({ ...options, contract: { ...options.contract, ...actuatorContract } }),
    );
    return c.body(description, 200, { "content-type": "application/json" });
  });
  return app;
}

/** Converts a handler's result to HTTP: a Response, or the value that the contract documents. */
function toResponse(endpoint: Endpoint, handlerResult: unknown, path: string): Response {
  if (handlerResult instanceof Response) return new Response(handlerResult.body, handlerResult);
  const { status, locationPath } = endpoint;
  if (status === 204) return new Response(null, { status });
  const headers: Record<string, string> = {};
  if (locationPath) {
    const made = locationPath.replace(/\{([^}]+)\}/g, (_, member: string) =>
      String((handlerResult as JsonRecord)[member]),
    );
    headers.location = relativeReference(path, made);
  }
  if (!endpoint.exactNumbers) return Response.json(handlerResult, { status, headers });
  headers["content-type"] = "application/json";
  return new Response(writeJsonTexts(handlerResult, endpoint.exactNumbers), { status, headers });
}
