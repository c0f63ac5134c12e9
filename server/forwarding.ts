import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import { Problem } from "#contracts/kit/problem.ts";
import { problemResponse } from "../services/kit/problem/problem-response.ts";
import type { ServiceName } from "./configuration.ts";

export interface ForwardingOptions {
  service: ServiceName;
  baseUrl: string;
  /** How long the service may take to start its response. */
  deadlineMilliseconds: number;
  log: Logger;
}

/** Hop-by-hop headers, and headers about the caller that only this gateway may set. */
const notForwarded = new Set([
  "connection",
  "content-length",
  "cookie",
  "expect",
  "forwarded",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const isForwarded = (name: string) => !notForwarded.has(name) && !name.startsWith("x-forwarded-");

/** `fetch` has decoded the body, and the listener sets its framing again. */
const notReturned = ["connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding"];

const safeRequestId = /^[\w-]{8,64}$/;

/**
 * Forwards a request to a service in another process and returns its response, streaming both bodies. The deadline
 * ends when the response starts, so that event streams may last for hours.
 * @param request its path is the service's own; headers reserved to the gateway are already set
 */
export async function forward(request: Request, options: ForwardingOptions): Promise<Response> {
  const { service, baseUrl, deadlineMilliseconds, log } = options;
  const { pathname, search } = new URL(request.url);
  const given = request.headers.get("x-request-id") ?? "";
  const requestId = safeRequestId.test(given) ? given : uuidv7();
  const headers = new Headers([...request.headers].filter(([name]) => isForwarded(name)));
  headers.set("x-request-id", requestId);
  headers.set("accept-encoding", "identity");
  const startedAt = performance.now();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadlineMilliseconds);
  try {
    const response = await fetch(baseUrl + pathname + search, {
      method: request.method,
      headers,
      body: request.body,
      duplex: "half",
      redirect: "manual",
      signal: AbortSignal.any([request.signal, deadline.signal]),
    } as RequestInit);
    const returned = new Headers(response.headers);
    for (const name of notReturned) returned.delete(name);
    // nginx buffers streams by default.
    if (returned.get("content-type")?.startsWith("text/event-stream")) returned.set("x-accel-buffering", "no");
    return new Response(response.body, { status: response.status, headers: returned });
  } catch (error) {
    if (!request.signal.aborted) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      const reason = deadline.signal.aborted ? "no response in time" : (cause?.code ?? name);
      const durationMilliseconds = Math.round(performance.now() - startedAt);
      log.warn({ requestId, service, method: request.method, durationMilliseconds, reason }, "service call failed");
    }
    return problemResponse(new Problem("service_unavailable", "The service did not respond.", { service }), requestId);
  } finally {
    clearTimeout(timer);
  }
}
