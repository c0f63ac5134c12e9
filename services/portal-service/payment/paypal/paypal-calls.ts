import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import type { Egress, OutboundResult } from "#libraries/egress/egress.ts";
import type { Clock } from "../../../kit/clock/clock.ts";
import { ProviderFailure } from "../provider.ts";
import { accessToken, refusal } from "./responses.ts";

export interface PayPalAccount {
  /** e.g. `https://api-m.paypal.com`. */
  apiUrl: string;
  clientId: string;
  clientSecret: string;
}

export interface PayPalCallOptions extends PayPalAccount {
  /** An egress door to PayPal's host only. */
  egress: Egress;
  clock: Clock;
  /** How long to wait before a retry; for tests. */
  pause?(milliseconds: number): Promise<unknown>;
  /** How long to wait for a response, by default ten seconds; for tests. */
  responseMilliseconds?: number;
}

export interface PayPalCall {
  method: "GET" | "POST";
  /** With query. */
  path: string;
  body?: unknown;
  /** An existing body, sent byte for byte. */
  rawBody?: Uint8Array;
  /** PayPal stores it for 72 hours and repeats its response. */
  requestId?: string;
  /** A POST without side effects. */
  asks?: boolean;
}

export interface PayPalResponse {
  status: number;
  body: Uint8Array;
}

const timeoutMilliseconds = 10_000;
const maxTries = 3;
/** No retries after this time, since a user may be waiting. */
const patienceMilliseconds = 8_000;
const firstPauseMilliseconds = 250;
/** How long before its expiry a token is renewed. */
const tokenMarginSeconds = 60;

function readJson<Shape extends z.ZodType>(body: Uint8Array, shape: Shape): z.output<Shape> | undefined {
  try {
    return shape.safeParse(JSON.parse(Buffer.from(body).toString())).data;
  } catch {
    return undefined;
  }
}

function getRetryAfter(headers: [string, string][]): number | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === "retry-after")?.[1];
  return Number(value) || undefined;
}

/** The log message: method and path without its query, never a header or a body. */
const getName = ({ method, path }: PayPalCall) => `${method} ${path.split("?")[0]}`;

/**
 * Sends calls to PayPal's REST API with a token cached while it is valid. Repeatable calls (reads, and calls with a
 * request id) are tried three times, unless PayPal asks for a later retry.
 */
export function createPayPalCalls(options: PayPalCallOptions) {
  const { apiUrl, clientId, clientSecret, egress, clock, pause = (milliseconds) => sleep(milliseconds) } = options;
  const { responseMilliseconds = timeoutMilliseconds } = options;
  let token: { value: Promise<string>; endsAt: number } | undefined;

  async function send(headers: [string, string][], method: string, path: string, body?: Uint8Array | string) {
    return await egress.send({
      url: `${apiUrl}${path}`,
      method,
      headers: [["accept", "application/json"], ...headers],
      body,
      timeoutMilliseconds: responseMilliseconds,
      maxRedirects: 0,
      maxBodyBytes: 8 * 1_048_576,
    });
  }

  async function fetchToken(): Promise<string> {
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
    const result = await send(
      [
        ["authorization", `Basic ${basic}`],
        ["content-type", "application/x-www-form-urlencoded"],
      ],
      "POST",
      "/v1/oauth2/token",
      "grant_type=client_credentials",
    );
    const outcome = result.outcome === "answered" ? readJson(result.response.body, accessToken) : undefined;
    if (result.outcome === "answered" && result.response.status === 401)
      throw new ProviderFailure("refused", "PayPal refuses PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET");
    if (!outcome) throw new ProviderFailure("away", "PayPal gave no access token");
    if (token) token.endsAt = clock.now().getTime() + (outcome.expires_in - tokenMarginSeconds) * 1_000;
    return outcome.access_token;
  }

  async function currentToken(): Promise<string> {
    if (!token || token.endsAt <= clock.now().getTime()) {
      token = { value: Promise.resolve(""), endsAt: Number.POSITIVE_INFINITY };
      token.value = fetchToken();
      token.value.catch(() => {
        token = undefined;
      });
    }
    return await token.value;
  }

  async function tryOnce(call: PayPalCall): Promise<OutboundResult> {
    const body = call.rawBody ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    return await send(
      [
        ["authorization", `Bearer ${await currentToken()}`],
        ["prefer", "return=representation"],
        ...(body === undefined ? [] : [["content-type", "application/json"] as [string, string]]),
        ...(call.requestId ? [["paypal-request-id", call.requestId] as [string, string]] : []),
      ],
      call.method,
      call.path,
      body,
    );
  }

  function getFailure(call: PayPalCall, result: OutboundResult): ProviderFailure | undefined {
    if (result.outcome === "failed") return new ProviderFailure("away", `${getName(call)}: ${result.failure.code}`);
    const { status, body, headers } = result.response;
    if (status < 400) return undefined;
    const said = readJson(body, refusal);
    const issues = (said?.details ?? []).flatMap(({ issue }) => issue ?? []);
    const what = `${getName(call)}: ${status} ${[said?.name, ...issues].filter(Boolean).join(" ")} ${said?.debug_id ?? ""}`;
    if (status === 429) return new ProviderFailure("limited", what, issues, getRetryAfter(headers));
    return new ProviderFailure(status >= 500 ? "away" : "refused", what, issues);
  }

  /** @throws ProviderFailure; 404 is returned when `notFound` is allowed */
  async function call(request: PayPalCall, allow: { notFound?: boolean } = {}): Promise<PayPalResponse> {
    const mayRepeat = request.method === "GET" || request.asks || request.requestId !== undefined;
    const begunAt = performance.now();
    let renewed = false;
    for (let tries = 1; ; tries += 1) {
      const result = await tryOnce(request);
      if (result.outcome === "answered") {
        const { status, body } = result.response;
        if (status < 400 || (status === 404 && allow.notFound)) return { status, body };
        if (status === 401 && !renewed) {
          // Expired early: renewed once; the call had no effect.
          renewed = true;
          token = undefined;
          continue;
        }
      }
      const failure = getFailure(request, result)!;
      const isLate = performance.now() - begunAt >= patienceMilliseconds;
      const mustWait = failure.retryAfterSeconds !== undefined;
      if (failure.kind === "refused" || !mayRepeat || tries >= maxTries || isLate || mustWait) throw failure;
      await pause(firstPauseMilliseconds * 2 ** (tries - 1));
    }
  }

  return {
    call,
    /** @throws ProviderFailure, `away` for an unreadable response */
    async ask<Shape extends z.ZodType>(request: PayPalCall, shape: Shape): Promise<z.output<Shape>> {
      const { body } = await call(request);
      const result = readJson(body, shape);
      if (result === undefined) throw new ProviderFailure("away", `${getName(request)}: a response that can't be read`);
      return result;
    },
    /** Undefined for 404. */
    async find<Shape extends z.ZodType>(request: PayPalCall, shape: Shape): Promise<z.output<Shape> | undefined> {
      const { status, body } = await call(request, { notFound: true });
      if (status === 404) return undefined;
      const result = readJson(body, shape);
      if (result === undefined) throw new ProviderFailure("away", `${getName(request)}: a response that can't be read`);
      return result;
    },
  };
}
