import { randomInt, randomUUID } from "node:crypto";
import type { OperationWithComponents } from "../../api-registry/contract/operations.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Egress, InboundResponse, OutboundResult } from "../../kit/egress/egress.ts";
import type { KnownSecret } from "../../kit/redaction/patterns.ts";
import type { generatedNames } from "../../kit/template/placeholders.ts";
import type { TestRequest } from "../../test-registry/contract/requests.ts";
import type { Cause, Phases, ReceivedResponse, SentRequest } from "../contract/attempts.ts";
import { authorize } from "../domain/authorization.ts";
import { Unsendable } from "../domain/cause.ts";
import { finishPlan, planRequest } from "../domain/request-plan.ts";
import { decodeBody, previewBody } from "../domain/response-text.ts";
import { type FindVariable, TemplateRenderer } from "../domain/variables.ts";
import type { OpenCredentials } from "./credential-lookup.ts";

/** Bytes of a response body that are kept. */
export const keptBodyBytes = 1_048_576;

const mostRedirects = 5;

export interface SendingParts {
  egress: Egress;
  openCredentials: OpenCredentials;
  clock: Clock;
  userAgent: string;
}

export interface PrepareInput {
  organizationId: string;
  method: string;
  path: string;
  request: TestRequest;
  baseUrls: (string | null | undefined)[];
  operation: OperationWithComponents | undefined;
  templates: TemplateRenderer;
  /** What is to be hidden beside the credentials. */
  secrets?: KnownSecret[];
}

export interface PreparedRequest {
  url: string;
  origin: string;
  headers: [string, string][];
  secretHeaderNames: string[];
  /** As it goes out, secrets included; never stored without redaction. */
  sent: SentRequest;
  organizationId: string;
  followRedirects: boolean;
  carriesCredentials: boolean;
  /** The credential it carries, the first of several. */
  credentialId: string | undefined;
  /** Sent or captured before: none of them is stored or shown. */
  secrets: KnownSecret[];
}

export type Prepared =
  | { ok: true; prepared: PreparedRequest }
  | { ok: false; cause: Cause; credentialId: string | undefined };

/** Builds the request with its credentials. Nothing has left by the time this answers. */
export async function prepareRequest(parts: SendingParts, input: PrepareInput): Promise<Prepared> {
  const { request, operation, organizationId } = input;
  try {
    const plan = planRequest({
      ...input,
      boundary: request.body.kind === "multipart" ? `portal-${randomUUID()}` : "",
      userAgent: parts.userAgent,
    });
    const credentials = await parts.openCredentials(organizationId, plan.host, request.authorization);
    const authorized = authorize(plan, request.authorization, credentials, operation);
    const { url, headers } = finishPlan(authorized.plan);
    const body = plan.body ?? null;
    const bodyBytes = body === null ? 0 : Buffer.byteLength(body);
    const framing: [string, string][] = body === null ? [] : [["content-length", String(bodyBytes)]];
    return {
      ok: true,
      prepared: {
        url,
        origin: plan.origin,
        headers,
        secretHeaderNames: authorized.secretHeaderNames,
        sent: { method: plan.method, url, headers: [["host", plan.host], ...headers, ...framing], body, bodyBytes },
        organizationId,
        followRedirects: request.followRedirects,
        carriesCredentials: authorized.carriesCredentials,
        credentialId: authorized.credentialIds[0],
        secrets: [
          ...credentials.items.map(({ secret, settings }) => ({ secret, username: settings.username })),
          ...(input.secrets ?? []),
        ],
      },
    };
  } catch (error) {
    if (error instanceof Unsendable) return { ok: false, cause: error.cause, credentialId: error.credentialId };
    throw error;
  }
}

export type SendResult = { startedAt: string; durationMilliseconds: number } & (
  | { outcome: "answered"; received: ReceivedResponse; phases: Phases }
  | { outcome: "failed"; cause: Cause; blocked: boolean; phases: Phases | null }
);

/** Thrown when the process stops while a request is under way; the run goes back to the queue. */
export class Interrupted extends Error {}

/** Sends a prepared request once. What it answers still holds secrets. */
export async function sendPrepared(
  parts: SendingParts,
  prepared: PreparedRequest,
  timeoutMilliseconds: number,
  signal?: AbortSignal,
): Promise<SendResult> {
  const startedAt = parts.clock.now().toISOString();
  const start = performance.now();
  const result = await parts.egress.send({
    url: prepared.url,
    method: prepared.sent.method,
    headers: prepared.headers,
    body: prepared.sent.body ?? undefined,
    timeoutMilliseconds,
    maxRedirects: prepared.followRedirects ? mostRedirects : 0,
    maxBodyBytes: keptBodyBytes,
    secretHeaderNames: prepared.secretHeaderNames,
    sendSecretsTo: prepared.origin,
    pool: prepared.organizationId,
    signal,
  });
  const timing = { startedAt, durationMilliseconds: toMicroseconds(performance.now() - start) };
  if (result.outcome === "answered") {
    return {
      ...timing,
      outcome: "answered",
      received: toReceived(result.response, result.hops),
      phases: roundPhases(result.response.phases),
    };
  }
  const { code, detail, phase, phases } = result.failure;
  if (code === "cancelled") throw new Interrupted();
  return {
    ...timing,
    outcome: "failed",
    cause: { code, detail, ...(phase ? { phase } : {}) },
    blocked: code === "target_not_allowed",
    phases: phases ? roundPhases(phases) : null,
  };
}

function toReceived(response: InboundResponse, hops: OutboundResult["hops"]): ReceivedResponse {
  const contentType = response.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const body = decodeBody(response.body, contentType);
  return {
    url: response.url,
    status: response.status,
    statusText: response.statusText,
    httpVersion: response.httpVersion,
    headers: response.headers,
    body,
    ...(body === null ? { bodyPreview: previewBody(response.body) } : {}),
    bodyBytes: response.bodyBytes,
    truncated: response.truncated,
    ...(response.tls ? { tls: response.tls } : {}),
    redirects: hops.map(({ url, status, location }) => ({ url, status, ...(location ? { location } : {}) })),
  };
}

function toMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}

function roundPhases(phases: Phases): Phases {
  const { blocked, dns, connect, tls, send, wait, receive, total } = phases;
  const round = toMicroseconds;
  return {
    blocked: round(blocked),
    dns: round(dns),
    connect: round(connect),
    tls: round(tls),
    send: round(send),
    wait: round(wait),
    receive: round(receive),
    total: round(total),
  };
}

/** Variables every request has, beside those of the run. */
export function createTemplateRenderer(find: FindVariable, clock: Clock): TemplateRenderer {
  const made = new Map<string, string>();
  const makers: Record<(typeof generatedNames)[number], () => string> = {
    $uuid: randomUUID,
    $guid: randomUUID,
    $timestamp: () => String(Math.floor(clock.now().getTime() / 1_000)),
    $isoTimestamp: () => clock.now().toISOString(),
    $randomInt: () => String(randomInt(0, 1_000)),
  };
  return new TemplateRenderer((name) => {
    const given = find(name) ?? made.get(name);
    if (given !== undefined || !Object.hasOwn(makers, name)) return given;
    // One value a request: a test may send it and expect it back.
    const value = makers[name as keyof typeof makers]();
    made.set(name, value);
    return value;
  });
}
