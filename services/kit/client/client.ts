import type { z } from "@hono/zod-openapi";
import type { Contract, Operation } from "../contract/operation.ts";
import type { ProblemDetails } from "../problem/problem.ts";

/** An operation's optional parts come as `Schema | undefined`: a schema that is there must not make its value optional. */
type InputOf<Schema> = [NonNullable<Schema>] extends [never] ? undefined : z.input<NonNullable<Schema>>;
type OutputOf<Schema> = [NonNullable<Schema>] extends [never] ? undefined : z.output<NonNullable<Schema>>;
/** A part without anything required in it may be left out. */
type Part<Name extends string, Value> = undefined extends Value
  ? { [K in Name]?: Value }
  : Record<never, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

export type CallInput<O extends Operation> = Part<"params", InputOf<O["params"]>> &
  Part<"query", InputOf<O["query"]>> &
  Part<"body", InputOf<O["body"]>> & { headers?: Record<string, string>; rawBody?: BodyInit; signal?: AbortSignal };

export type Answer<Value> =
  | { ok: true; status: number; value: Value; response: Response }
  | {
      ok: false;
      status: number;
      problem: ProblemDetails;
      /** What the service says with a 429 or 503: trying sooner is of no use. */
      retryAfterSeconds?: number;
    };

type OptionalInput<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input];

export type Client<C extends Contract> = {
  [Name in keyof C]: (...input: OptionalInput<CallInput<C[Name]>>) => Promise<Answer<OutputOf<C[Name]["answer"]>>>;
};

/** How a request reaches its service: a Hono app in this process, or HTTP. */
export type Transport = (request: Request) => Response | Promise<Response>;

export interface Caller {
  /** Sent as bearer token; absent for public calls. */
  token?: string;
  /** Carried through every service so that one id finds all log lines of one page. */
  requestId?: string;
  /** Where the person asks from, and the portal's own token by which a service believes it. */
  client?: { address: string; voucher: string };
}

function pathOf(operation: Operation, params: Record<string, string> | undefined): string {
  return operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name] ?? "")));
}

function searchOf(query: Record<string, unknown> | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  const text = search.toString();
  return text ? `?${text}` : "";
}

const unavailable: ProblemDetails = {
  type: "about:blank",
  title: "A part of the portal is not answering",
  status: 503,
  code: "service_unavailable",
  detail: "A service did not answer. Nothing was changed; try again in a moment.",
};

async function problemFrom(response: Response): Promise<ProblemDetails> {
  if (response.headers.get("content-type")?.includes("json")) {
    const details = (await response.json().catch(() => undefined)) as ProblemDetails | undefined;
    if (details?.code) return details;
  }
  return { ...unavailable, status: response.status >= 500 ? response.status : 503 };
}

async function refusalFrom(response: Response): Promise<Answer<never>> {
  const retryAfterSeconds = Number(response.headers.get("retry-after")) || undefined;
  return {
    ok: false,
    status: response.status,
    problem: await problemFrom(response),
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  };
}

/**
 * Makes the typed client of a contract. Answers are values: a refusal comes back as `problem`, and a service that
 * cannot be reached as 503, so a caller never needs try/catch. A success without JSON answer leaves the body unread
 * in `response`.
 */
export function createClient<C extends Contract>(
  contract: C,
  transport: Transport,
  options: { baseUrl?: string; caller?: Caller } = {},
): Client<C> {
  const base = (options.baseUrl ?? "http://service.internal").replace(/\/$/, "");
  async function call(operation: Operation, input: CallInput<Operation> = {}): Promise<Answer<unknown>> {
    const headers = new Headers(input.headers);
    if (options.caller?.token) headers.set("authorization", `Bearer ${options.caller.token}`);
    if (options.caller?.requestId) headers.set("x-request-id", options.caller.requestId);
    if (options.caller?.client) {
      headers.set("x-client-address", options.caller.client.address);
      headers.set("x-client-address-voucher", `Bearer ${options.caller.client.voucher}`);
    }
    if (input.body !== undefined) headers.set("content-type", "application/json");
    const url =
      base +
      pathOf(operation, input.params as Record<string, string> | undefined) +
      searchOf(input.query as Record<string, unknown> | undefined);
    const body = input.body !== undefined ? JSON.stringify(input.body) : input.rawBody;
    try {
      const response = await transport(
        new Request(url, { method: operation.method.toUpperCase(), headers, body, signal: input.signal }),
      );
      if (response.status >= 400) return await refusalFrom(response);
      // A service that dies while it answers leaves half a body: it was away, too.
      const value = operation.answer ? await response.json() : undefined;
      return { ok: true, status: response.status, value, response };
    } catch {
      return { ok: false, status: 503, problem: unavailable };
    }
  }
  return Object.fromEntries(
    Object.entries(contract).map(([name, operation]) => [
      name,
      (input?: CallInput<Operation>) => call(operation, input),
    ]),
  ) as unknown as Client<C>;
}

/** Makes the client of a service for whoever is calling. */
export type Connect<C extends Contract> = (caller?: Caller) => Client<C>;

/** A service in this process (`app.fetch` as transport) or elsewhere (`baseUrl`, over HTTP). */
export function connectTo<C extends Contract>(
  contract: C,
  place: { baseUrl: string } | { transport: Transport },
): Connect<C> {
  return (caller) =>
    "baseUrl" in place
      ? createClient(contract, (request) => fetch(request), { baseUrl: place.baseUrl, caller })
      : createClient(contract, place.transport, { caller });
}

/** The value of a success; throws what the service said otherwise. For callers that have no other road. */
export function requireAnswer<Value>(answer: Answer<Value>, what: string): Value {
  if (answer.ok) return answer.value;
  throw new Error(`${what}: ${answer.problem.status} ${answer.problem.code}: ${answer.problem.detail}`);
}
