import { createHash, randomUUID } from "node:crypto";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { InstallationSettings } from "#contracts/kit/settings.ts";
import type { Cause, Phases, ReceivedResponse, SentRequest } from "#contracts/test-executioner/attempts.ts";
import type { TestRequest } from "#contracts/test-registry/requests.ts";
import { listSetCookies } from "../../egress/cookies.ts";
import type { Egress, InboundResponse, OutboundRequest, OutboundResult } from "../../egress/egress.ts";
import { decodeBody } from "../../judging/body-text.ts";
import type { KnownSecret } from "../../redaction/patterns.ts";
import { findRefusal } from "../host-rules.ts";
import type { FindHostRules } from "../lookups.ts";
import { Interrupted } from "../pause.ts";
import { finishPlan, planRequest } from "../request-plan.ts";
import { cutBody, previewBody } from "../response-text.ts";
import { chooseAuthorization } from "../scheme-bindings.ts";
import { listTypedSecrets } from "../typed-secrets.ts";
import { Unsendable } from "../unsendable.ts";
import type { TemplateRenderer } from "../variables.ts";
import { type Addressed, type AuthorizedRequest, type AuthorizingParts, authorizeRequest } from "./authorizing.ts";
import { createChainCookies, type RunCookies } from "./cookie-jar.ts";

const mostRedirects = 5;

/** Limits that apply to every request. */
export type SendingSettings = Pick<
  InstallationSettings,
  "verifiedDomainsOnly" | "testTimeoutSeconds" | "answerKibibytes" | "judgedMebibytes"
>;

export interface SendingParts extends AuthorizingParts {
  egress: Egress;
  findHostRules: FindHostRules;
  userAgent: string;
  settings: { current(): SendingSettings };
}

export interface PrepareInput {
  organizationId: string;
  method: string;
  path: string;
  request: TestRequest;
  baseUrls: (string | null | undefined)[];
  /** Undefined also if building the request does not need it. */
  operation: OperationWithComponents | undefined;
  /** Started by a user, who confirmed methods that may change something. */
  isConfirmed: boolean;
  /** Finds the operation if it was not needed so far. */
  findOperation(): Promise<OperationWithComponents | undefined>;
  templates: TemplateRenderer;
  /** Whether the response's body is hashed, too. */
  hashesBody?: boolean;
  /** To be redacted in addition to the credentials. */
  secrets?: KnownSecret[];
}

export interface PreparedRequest extends AuthorizedRequest {
  origin: string;
  host: string;
  method: string;
  body: string | null;
  organizationId: string;
  followRedirects: boolean;
  readUntil: OutboundRequest["readUntil"];
  hashesBody: boolean;
  /** A redirect target has the rules of its own domain. */
  refuseRedirect: OutboundRequest["refuseRedirect"];
  /** To be redacted in addition to the request's own secrets. */
  otherSecrets: KnownSecret[];
}

export type Prepared =
  | { ok: true; prepared: PreparedRequest }
  | { ok: false; cause: Cause; credentialId: string | undefined };

type Planned = Pick<PrepareInput, "method" | "path" | "request" | "baseUrls" | "operation" | "templates">;

function planOf({ userAgent }: Pick<SendingParts, "userAgent">, input: Planned) {
  const boundary = input.request.body.kind === "multipart" ? `portal-${randomUUID()}` : "";
  return planRequest({ ...input, boundary, userAgent });
}

/** Where a request would go, by the same plan that sends it. */
export function addressRequest(
  parts: Pick<SendingParts, "userAgent">,
  input: Planned,
): { url: string | null; cause?: Cause } {
  try {
    return { url: finishPlan(planOf(parts, input)).url };
  } catch (error) {
    if (error instanceof Unsendable) return { url: null, cause: error.cause };
    throw error;
  }
}

/** Builds the request with its credentials. Nothing has been sent when it returns. */
export async function prepareRequest(parts: SendingParts, input: PrepareInput): Promise<Prepared> {
  const { request, organizationId } = input;
  try {
    const plan = planOf(parts, input);
    const { verifiedDomainsOnly } = parts.settings.current();
    const context = { verifiedDomainsOnly, isConfirmed: input.isConfirmed };
    const rules = await parts.findHostRules(organizationId, plan.host);
    const refusal = findRefusal(plan, rules, context);
    if (refusal) throw new Unsendable(refusal.code, refusal.detail);
    const refuseRedirect = async ({ url, method }: { url: URL; method: string }) =>
      findRefusal({ method, host: url.host }, await parts.findHostRules(organizationId, url.host), context)?.detail;
    const { authorizationConfigs } = rules;
    const isBound = request.authorization.kind === "inherit" && authorizationConfigs.length > 0;
    const operation = input.operation ?? (isBound ? await input.findOperation() : undefined);
    const authorization = chooseAuthorization(request.authorization, authorizationConfigs, operation);
    const authorized = await authorizeRequest(parts, { organizationId, plan, authorization, operation });
    const { method, host, origin, body = null } = plan;
    const { followRedirects, readUntil } = request;
    const { hashesBody = false } = input;
    const message = {
      method,
      host,
      origin,
      body,
      organizationId,
      followRedirects,
      readUntil,
      hashesBody,
      refuseRedirect,
    };
    const otherSecrets = [...(input.secrets ?? []), ...listTypedSecrets(plan)];
    return { ok: true, prepared: { ...authorized, ...message, otherSecrets } };
  } catch (error) {
    if (error instanceof Unsendable) return { ok: false, cause: error.cause, credentialId: error.credentialId };
    throw error;
  }
}

/** As sent, with the host and framing headers that egress adds, secrets included. */
function writeSent(
  { method, host, body }: PreparedRequest,
  { url, headers: own }: Addressed,
  cookies: RunCookies | undefined,
): SentRequest {
  const headers = cookies ? cookies.show(new URL(url), own) : own;
  const bodyBytes = body === null ? 0 : Buffer.byteLength(body);
  const framing: [string, string][] = body === null ? [] : [["content-length", String(bodyBytes)]];
  return { method, url, headers: [["host", host], ...headers, ...framing], body, bodyBytes };
}

export type SendResult = {
  startedAt: string;
  durationMilliseconds: number;
  /** The request that was answered: the original, or the one after a refusal. */
  sent: SentRequest;
  /** Everything to be redacted in it. */
  secrets: KnownSecret[];
  /** The body of which `received` has the beginning only, if it came to its end. */
  whole?: Uint8Array;
  /** Gives back the room of the whole body, which must not be used any more. */
  release(): void;
} & (
  | { outcome: "answered"; received: ReceivedResponse; phases: Phases }
  | ({ outcome: "failed"; cause: Cause; blocked: boolean } & (
      | { received?: undefined; phases: Phases | null }
      /** The part of the response that came. */
      | { received: ReceivedResponse; phases: Phases }
    ))
);

const unauthorized = 401;

function writeTls({ client, authority }: PreparedRequest) {
  if (!client) return undefined;
  return { client, ...(authority ? { ca: authority } : {}) };
}

/** Sends a prepared request, and once more if its credential can answer a 401. The response still contains secrets. */
export async function sendPrepared(
  parts: SendingParts,
  prepared: PreparedRequest,
  timeoutMilliseconds: number,
  { signal, isJudged = false, cookies }: { signal?: AbortSignal; isJudged?: boolean; cookies?: RunCookies } = {},
): Promise<SendResult> {
  const startedAt = parts.clock.now().toISOString();
  const start = performance.now();
  const { testTimeoutSeconds, answerKibibytes, judgedMebibytes } = parts.settings.current();
  const keptBytes = answerKibibytes * 1_024;
  const most = Math.min(timeoutMilliseconds, testTimeoutSeconds * 1_000);
  const send = ({ url, headers }: Addressed) =>
    parts.egress.send({
      url,
      method: prepared.method,
      headers,
      body: prepared.body ?? undefined,
      timeoutMilliseconds: Math.max(1, Math.ceil(most - (performance.now() - start))),
      maxRedirects: prepared.followRedirects ? mostRedirects : 0,
      refuseRedirect: prepared.refuseRedirect,
      readUntil: prepared.readUntil,
      maxBodyBytes: isJudged ? Math.max(judgedMebibytes * 1_048_576, keptBytes) : keptBytes,
      sharesRoom: isJudged,
      secretHeaderNames: prepared.secretHeaderNames,
      sendSecretsTo: prepared.origin,
      pool: prepared.organizationId,
      tls: writeTls(prepared),
      cookies: cookies ?? (prepared.followRedirects ? createChainCookies() : undefined),
      signal,
    });
  let addressed = prepared.address();
  let sent = writeSent(prepared, addressed, cookies);
  let result = await send(addressed);
  const secrets = [...prepared.otherSecrets, ...addressed.secrets];
  const better = await findBetter(prepared, result);
  if (better) {
    getResponse(result)?.release?.();
    addressed = better;
    sent = writeSent(prepared, addressed, cookies);
    result = await send(better);
    secrets.push(...better.secrets);
  }
  const response = getResponse(result);
  const durationMilliseconds = toMicroseconds(performance.now() - start - (response?.heldMilliseconds ?? 0));
  if (cookies && response) await cookies.store(new URL(response.url), listSetCookies(response.headers));
  if (cookies) secrets.push(...cookies.listSecrets());
  const shared = { startedAt, durationMilliseconds, sent, secrets, release: () => response?.release?.() };
  if (result.outcome === "answered") {
    const { body, truncated } = result.response;
    const received = toReceived(result.response, result.hops, keptBytes, prepared.hashesBody);
    return {
      ...shared,
      ...(body.length > keptBytes && !truncated ? { whole: body } : {}),
      outcome: "answered",
      received,
      phases: roundPhases(result.response.phases),
    };
  }
  const { code, detail, phase, phases } = result.failure;
  if (code === "cancelled") throw new Interrupted();
  const cause = { code, detail, ...(phase ? { phase } : {}) };
  const failed = { ...shared, outcome: "failed" as const, cause, blocked: code === "target_not_allowed" };
  const { partial, hops } = result;
  if (!partial) return { ...failed, phases: phases ? roundPhases(phases) : null };
  const received = { ...toReceived(partial, hops, keptBytes), incomplete: true as const };
  return { ...failed, received, phases: roundPhases(partial.phases) };
}

/** Only for refusals by the credential's own host: another host, after a redirect, never received it. */
async function findBetter(prepared: PreparedRequest, result: OutboundResult): Promise<Addressed | undefined> {
  if (!prepared.answerRefusal || result.outcome !== "answered") return undefined;
  const { status, url } = result.response;
  if (status !== unauthorized || new URL(url).origin !== prepared.origin) return undefined;
  try {
    return await prepared.answerRefusal(result.response);
  } catch (error) {
    // The refusal remains the response, and is more informative than this error.
    if (error instanceof Unsendable) return undefined;
    result.response.release?.();
    throw error;
  }
}

function getResponse(result: OutboundResult): InboundResponse | undefined {
  return result.outcome === "answered" ? result.response : result.partial;
}

function toReceived(
  response: InboundResponse,
  hops: OutboundResult["hops"],
  keptBytes: number,
  hashesBody = false,
): ReceivedResponse {
  const contentType = response.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const kept = cutBody(response.body, keptBytes);
  const body = decodeBody(kept, contentType);
  return {
    url: response.url,
    status: response.status,
    statusText: response.statusText,
    httpVersion: response.httpVersion,
    headers: response.headers,
    body,
    ...(body === null ? { bodyPreview: previewBody(kept) } : {}),
    bodyBytes: response.bodyBytes,
    ...(kept.length < response.bodyBytes ? { keptBytes: kept.length } : {}),
    ...(hashesBody && !response.truncated
      ? { bodySha256: createHash("sha256").update(response.body).digest("hex") }
      : {}),
    truncated: response.truncated,
    ...(response.stopped ? { stopped: response.stopped } : {}),
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
