import type { z } from "@hono/zod-openapi";
import type { Logger } from "pino";
import { type Contract, changesNothing, type Endpoint } from "#contracts/kit/endpoint.ts";
import { Problem, type ProblemCode, type ProblemDetails, problemTitles } from "#contracts/kit/problem.ts";

/** An endpoint's optional parts are typed `Schema | undefined`: an existing schema must not make its value optional. */
type InputOf<Schema> = [NonNullable<Schema>] extends [never] ? undefined : z.input<NonNullable<Schema>>;
type OutputOf<Schema> = [NonNullable<Schema>] extends [never] ? undefined : z.output<NonNullable<Schema>>;
/** Optional when the part has no required members. */
type Part<Name extends string, Value> = undefined extends Value
  ? { [K in Name]?: Value }
  : Record<never, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

export type CallInput<E extends Endpoint> = Part<"params", InputOf<E["params"]>> &
  Part<"query", InputOf<E["query"]>> &
  Part<"body", InputOf<E["body"]>> & { headers?: Record<string, string>; rawBody?: BodyInit; signal?: AbortSignal };

export type CallResult<Value> =
  | { ok: true; status: number; value: Value; response: Response }
  | {
      ok: false;
      status: number;
      problem: ProblemDetails;
      /** Retry-After of a 429 or 503 response. */
      retryAfterSeconds?: number;
    };

type OptionalInput<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input];

export type Client<C extends Contract> = {
  [Name in keyof C]: (
    ...input: OptionalInput<CallInput<C[Name]>>
  ) => Promise<CallResult<OutputOf<C[Name]["response"]>>>;
};

/** Transport to the service: a Hono app in this process, or HTTP. */
export type Transport = (request: Request) => Response | Promise<Response>;

export interface Caller {
  /** Sent as bearer token; absent for public calls. */
  token?: string;
  /** Passed on through all services, so that one id finds all log lines of one page. */
  requestId?: string;
  /** The user's address, and the portal's token that vouches for it. */
  client?: { address: string; voucher: string };
}

function toPath(endpoint: Endpoint, params: Record<string, string> | undefined): string {
  return endpoint.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name] ?? "")));
}

function toSearch(query: Record<string, unknown> | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  const text = search.toString();
  return text ? `?${text}` : "";
}

/** Options shared by all calls of one service. */
export interface CallRules {
  /** Name in logs and problems, such as `api-registry`. */
  service: string;
  /** Deadline for a response; endpoints that long-poll add their own waiting time. */
  deadlineMilliseconds: number;
  log: Pick<Logger, "warn">;
}

function getDeadline(endpoint: Endpoint, input: CallInput<Endpoint>, rules: CallRules): number {
  const { wait } = (input.query ?? {}) as { wait?: unknown };
  const own = Math.max(rules.deadlineMilliseconds, (endpoint.timeoutSeconds ?? 0) * 1_000);
  return own + (typeof wait === "number" ? wait * 1_000 : 0);
}

/** Why a call got no response. Never the error's own message, which may contain an address with a password. */
function describeOutage(error: unknown): string {
  if (error instanceof DeadlinePassed) return "no response in time";
  const { code, cause, name } = error as { code?: string; cause?: { code?: string }; name?: string };
  return cause?.code ?? code ?? name ?? "unknown";
}

class DeadlinePassed extends Error {}

/** Codes whose detail is written for the caller. */
const outages: ReadonlySet<ProblemCode> = new Set(["service_unavailable", "insufficient_storage"]);
const internalErrorDetail = "Something went wrong on our side.";
const reportRequestId = "If it happens again, give your administrator this request id:";

function unavailable(endpoint: Endpoint, reason: string, service: string | undefined): ProblemDetails {
  const isUntouched = changesNothing(endpoint) || reason === "ECONNREFUSED" || reason === "ENOTFOUND";
  return {
    type: "about:blank",
    title: problemTitles.service_unavailable,
    status: 503,
    code: "service_unavailable",
    detail: isUntouched
      ? "Nothing was changed. Try again shortly."
      : "It is unknown whether the change was made. Check before you try again.",
    ...(service ? { service } : {}),
  };
}

/** Undefined for anything but a problem of the portal, such as a proxy's error page. */
async function readProblem(response: Response): Promise<ProblemDetails | undefined> {
  if (!response.headers.get("content-type")?.includes("json")) return undefined;
  const details = (await response.json().catch(() => undefined)) as ProblemDetails | undefined;
  return details?.code ? details : undefined;
}

function readRetryAfter(response: Response): { retryAfterSeconds?: number } {
  const retryAfterSeconds = Number(response.headers.get("retry-after")) || undefined;
  return retryAfterSeconds ? { retryAfterSeconds } : {};
}

/** Abandons `work` after its deadline; a stream's deadline covers its start only. */
async function withinDeadline<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  deadlineMilliseconds: number | undefined,
  callerSignal: AbortSignal | undefined,
): Promise<Value> {
  if (deadlineMilliseconds === undefined) return await work(callerSignal ?? new AbortController().signal);
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new DeadlinePassed();
      reject(error);
      controller.abort(error);
    }, deadlineMilliseconds);
  });
  try {
    // Raced, since a service in this process does not observe the signal.
    return await Promise.race([
      work(callerSignal ? AbortSignal.any([callerSignal, controller.signal]) : controller.signal),
      passed,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Creates the typed client of a contract. Results are values: a refusal is returned as `problem`, and a service that
 * cannot be reached or does not respond in time as 503, so a caller never needs try/catch; such a call is logged once.
 * A success without a JSON response leaves the body unread in `response`.
 */
export function createClient<C extends Contract>(
  contract: C,
  transport: Transport,
  options: { baseUrl?: string; caller?: Caller; rules?: CallRules } = {},
): Client<C> {
  const base = (options.baseUrl ?? "http://service.internal").replace(/\/$/, "");
  const { rules, caller } = options;
  async function call(name: string, endpoint: Endpoint, input: CallInput<Endpoint> = {}): Promise<CallResult<unknown>> {
    const headers = new Headers(input.headers);
    if (caller?.token) headers.set("authorization", `Bearer ${caller.token}`);
    if (caller?.requestId) headers.set("x-request-id", caller.requestId);
    if (caller?.client) {
      headers.set("x-client-address", caller.client.address);
      headers.set("x-client-address-voucher", `Bearer ${caller.client.voucher}`);
    }
    if (input.body !== undefined) headers.set("content-type", "application/json");
    const url =
      base +
      toPath(endpoint, input.params as Record<string, string> | undefined) +
      toSearch(input.query as Record<string, unknown> | undefined);
    const body = input.body !== undefined ? JSON.stringify(input.body) : input.rawBody;
    const startedAt = performance.now();
    const { requestId } = caller ?? {};
    /** Internal errors of a service are logged only: callers display the problem that they receive. */
    const outside = (problem: ProblemDetails): ProblemDetails => {
      const { status, code, detail } = problem;
      if (status < 500 || outages.has(code)) return problem;
      rules?.log.warn(
        { requestId, service: rules.service, endpoint: name, status, code, detail },
        "service call failed",
      );
      const id = requestId ?? problem.requestId;
      return { ...problem, detail: id ? `${internalErrorDetail} ${reportRequestId} ${id}.` : internalErrorDetail };
    };
    const failed = (reason: string, status = 503): CallResult<never> => {
      // A disconnected browser cancels its calls, which is not a failure.
      if (!input.signal?.aborted) {
        const durationMilliseconds = Math.round(performance.now() - startedAt);
        rules?.log.warn(
          { requestId, service: rules.service, endpoint: name, durationMilliseconds, reason },
          "service call failed",
        );
      }
      return { ok: false, status, problem: { ...unavailable(endpoint, reason, rules?.service), status } };
    };
    try {
      return await withinDeadline(
        async (signal) => {
          const response = await transport(
            new Request(url, { method: endpoint.method.toUpperCase(), headers, body, signal }),
          );
          if (response.status >= 400 && !endpoint.otherStatuses?.some((other) => other === response.status)) {
            const problem = await readProblem(response);
            if (problem)
              return { ok: false, status: response.status, problem: outside(problem), ...readRetryAfter(response) };
            const status = response.status >= 500 ? response.status : 503;
            return {
              ...failed(`status ${response.status}`, status),
              status: response.status,
              ...readRetryAfter(response),
            };
          }
          // A service that dies while it responds leaves an incomplete body: it counts as unavailable, too.
          const value = endpoint.response ? await response.json() : undefined;
          return { ok: true, status: response.status, value, response };
        },
        rules && getDeadline(endpoint, input, rules),
        input.signal,
      );
    } catch (error) {
      return failed(describeOutage(error));
    }
  }
  return Object.fromEntries(
    Object.entries(contract).map(([name, endpoint]) => [
      name,
      (input?: CallInput<Endpoint>) => call(name, endpoint, input),
    ]),
  ) as unknown as Client<C>;
}

/** Creates the client of a service for the given caller. */
export type Connect<C extends Contract> = (caller?: Caller) => Client<C>;

/** A service in this process (`app.fetch` as transport) or elsewhere (`baseUrl`, over HTTP). */
export function connectTo<C extends Contract>(
  contract: C,
  target: { baseUrl: string } | { transport: Transport },
  rules?: CallRules,
): Connect<C> {
  return (caller) =>
    "baseUrl" in target
      ? createClient(contract, (request) => fetch(request), { baseUrl: target.baseUrl, caller, rules })
      : createClient(contract, target.transport, { caller, rules });
}

/** Returns the value of a success and throws the problem otherwise, for callers that can't continue without it. */
export function requireValue<Value>(result: CallResult<Value>, purpose: string): Value {
  if (result.ok) return result.value;
  const { code, detail, service } = result.problem;
  // Names the unavailable service, also across several services. The failed call is in the log.
  if (code === "service_unavailable" || code === "insufficient_storage")
    throw new Problem(code, detail, { service, retryAfterSeconds: result.retryAfterSeconds });
  throw new Error(`${purpose}: ${result.problem.status} ${result.problem.code}: ${result.problem.detail}`);
}
