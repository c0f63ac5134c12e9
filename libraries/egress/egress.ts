import { BodyRoom } from "./body-room.ts";
import { type Resolver, systemResolver } from "./connector.ts";
import { addCookies, listSetCookies } from "./cookies.ts";
import { Deadline } from "./deadline.ts";
import { Exchange } from "./exchange.ts";
import { IncompleteResponse, type Result } from "./exchange-result.ts";
import { EgressError, type EgressFailure } from "./failure.ts";
import { OriginPools } from "./origin-pools.ts";
import { type OutboundRequest, type PreparedRequest, prepareRequest } from "./outbound-request.ts";
import type { Phases } from "./phases.ts";
import { createGate, type EgressPolicy } from "./policy.ts";
import { type Hop, maxRedirects, redirectNotAllowed, SecretHeaders, tooManyRedirects } from "./redirects.ts";
import { checkTarget, type TargetCheck } from "./target-check.ts";
import type { TlsDetails } from "./tls-details.ts";

export type { ResolvedAddress, Resolver } from "./connector.ts";
export type { EgressFailure, EgressFailureCode } from "./failure.ts";
export type { OutboundRequest } from "./outbound-request.ts";
export type { Phases } from "./phases.ts";
export { type AllowedTarget, type EgressPolicy, type OwnTarget, parseEgressAllow } from "./policy.ts";
export type { Hop } from "./redirects.ts";
export type { TargetCheck } from "./target-check.ts";
export type { TlsDetails } from "./tls-details.ts";

export interface InboundResponse {
  /** Final URL, after redirects. */
  url: string;
  status: number;
  statusText: string;
  /** `1.1`, or `2` where the server chose it during the TLS handshake. */
  httpVersion: string;
  /** As received: order, case and repetitions. Bytes above ASCII are Latin-1. */
  headers: [name: string, value: string][];
  /** Decoded (gzip, deflate, br, zstd), up to the cap. */
  body: Uint8Array;
  bodyBytes: number;
  /** Body bytes received, still encoded, without chunk framing. */
  transferredBytes: number;
  truncated: boolean;
  /** Which limit of `readUntil` ended reading; absent when the response ended before. */
  stopped?: "items" | "seconds";
  /** How long a large body waited for room; no part of the phases and the timeout. */
  heldMilliseconds?: number;
  /** With `sharesRoom`: gives back the room of the body, which must not be used any more. */
  release?: () => void;
  /** Phases of the last hop; those of the redirects are in `hops`. */
  phases: Phases;
  tls?: TlsDetails;
}

/**
 * `hops` are the followed redirects, in order, without the final response. `partial` is the response that failed after
 * its head: its body is the part that came.
 */
export type OutboundResult =
  | { outcome: "answered"; response: InboundResponse; hops: Hop[] }
  | { outcome: "failed"; failure: EgressFailure; partial?: InboundResponse; hops: Hop[] };

export interface Egress {
  /** Sends one request and reads its response. It never throws for anything that the target or the user did. */
  send(request: OutboundRequest): Promise<OutboundResult>;
  /**
   * Accepts no more requests, waits for pending ones (until their deadlines at the latest), and closes all
   * connections.
   */
  close(): Promise<void>;
}

/** An egress that also explains its decisions. */
export interface ExplainingEgress extends Egress {
  /** Whether a request to this URL would be allowed, and why. Resolves names; sends nothing. */
  check(url: string): Promise<TargetCheck>;
}

export interface EgressOptions {
  policy: EgressPolicy;
  resolve?: Resolver;
  userAgent?: string;
}

const defaultMaxBodyBytes = 1_048_576;

/**
 * The only way to send requests to URLs given by users. Environment variables are not read, so proxy settings have no
 * effect.
 */
export function createEgress({ policy, resolve = systemResolver, userAgent }: EgressOptions): ExplainingEgress {
  const gate = createGate(policy);
  const pools = new OriginPools({ gate, resolve });
  const room = new BodyRoom();
  let { allow } = policy;
  let pendingRequests = 0;
  let closing = false;
  let reportIdle: () => void = () => {};

  async function deliver(request: OutboundRequest): Promise<OutboundResult> {
    const hops: Hop[] = [];
    const deadline = new Deadline(request);
    let next: PreparedRequest | undefined;
    try {
      const secrets = new SecretHeaders(request);
      const limit = Math.min(Math.max(request.maxRedirects, 0), maxRedirects);
      next = secrets.restrict(prepareRequest(request, userAgent ?? "api-assurance-portal"));
      for (;;) {
        const choice = secrets.chooseConnection(next);
        const result = await exchange({ ...request, ...choice }, withCookies(next, request), deadline, limit > 0);
        if (result.location === undefined) return { outcome: "answered", response: toResponse(next, result), hops };
        hops.push(toHop(next, result, result.location));
        if (hops.length > limit) throw tooManyRedirects(limit);
        const setCookies = request.cookies ? listSetCookies(result.headers) : [];
        if (setCookies.length > 0) await request.cookies?.store(next.url, setCookies);
        next = secrets.follow(next, result.status, result.location);
        const refusal = await request.refuseRedirect?.(next);
        if (refusal !== undefined) throw redirectNotAllowed(refusal);
      }
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      const { failure } = error;
      if (next === undefined || !(error instanceof IncompleteResponse)) return { outcome: "failed", failure, hops };
      return { outcome: "failed", failure, partial: toResponse(next, error.partial), hops };
    } finally {
      deadline.clear();
    }
  }

  /**
   * Sends one hop. When the server closed a kept-alive connection before the first byte of the response, GET and HEAD
   * are retried once on a new connection. Nothing else is ever sent twice.
   */
  async function exchange(
    request: OutboundRequest,
    prepared: PreparedRequest,
    deadline: Deadline,
    followsRedirects: boolean,
  ): Promise<Result> {
    if (policy.allow !== allow) {
      ({ allow } = policy);
      pools.renew();
    }
    const pool = pools.require(prepared.url, request);
    const maxBodyBytes = request.maxBodyBytes ?? defaultMaxBodyBytes;
    const large = request.sharesRoom ? { room, owner: request.pool ?? "", deadline } : undefined;
    const options = { pool, request: prepared, maxBodyBytes, followsRedirects, large, readUntil: request.readUntil };
    const startedAt = performance.now();
    const first = new Exchange(options, startedAt);
    try {
      return await deadline.run(first, false);
    } catch (error) {
      const isRepeatable = prepared.method === "GET" || prepared.method === "HEAD";
      if (!first.isStale || !isRepeatable) throw error;
      const second = new Exchange(options, startedAt);
      return await deadline.run(second, true);
    }
  }

  return {
    async send(request) {
      if (closing) return { outcome: "failed", failure: shuttingDown(), hops: [] };
      pendingRequests += 1;
      try {
        return await deliver(request);
      } finally {
        pendingRequests -= 1;
        if (pendingRequests === 0) reportIdle();
      }
    },
    check: (url) => checkTarget({ gate, resolve }, url),
    async close() {
      closing = true;
      if (pendingRequests > 0) {
        await new Promise<void>((resolve) => {
          const reportBefore = reportIdle;
          reportIdle = () => {
            reportBefore();
            resolve();
          };
        });
      }
      pools.close();
    },
  };
}

/** Added for one hop only: the next one gets those of its own URL. */
function withCookies(prepared: PreparedRequest, { cookies }: OutboundRequest): PreparedRequest {
  const found = cookies?.find(prepared.url);
  return found === undefined ? prepared : { ...prepared, headers: addCookies(prepared.headers, found) };
}

function toResponse(request: PreparedRequest, result: Result): InboundResponse {
  const response: InboundResponse = {
    url: request.url.href,
    status: result.status,
    statusText: result.statusText,
    httpVersion: result.httpVersion,
    headers: result.headers,
    body: result.body,
    bodyBytes: result.body.length,
    transferredBytes: result.transferredBytes,
    truncated: result.truncated,
    phases: result.phases,
  };
  if (result.heldMilliseconds > 0) response.heldMilliseconds = result.heldMilliseconds;
  if (result.release !== undefined) response.release = result.release;
  if (result.tls !== undefined) response.tls = result.tls;
  if (result.stopped !== undefined) response.stopped = result.stopped;
  return response;
}

function toHop(request: PreparedRequest, result: Result, location: string): Hop {
  const { url, method } = request;
  return { url: url.href, method, status: result.status, location, phases: result.phases };
}

function shuttingDown(): EgressFailure {
  return { code: "cancelled", detail: "The portal is shutting down and sends no more requests." };
}
