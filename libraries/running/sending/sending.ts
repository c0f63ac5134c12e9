import { createHash } from "node:crypto";
import type {
  Cause,
  Phases,
  ReceivedResponse,
  SentRequest,
  TraceContext,
} from "#contracts/test-executioner/attempts.ts";
import { listSetCookies } from "../../egress/cookies.ts";
import type { InboundResponse, OutboundResult } from "../../egress/egress.ts";
import { decodeBody } from "../../judging/body-text.ts";
import type { KnownSecret } from "../../redaction/patterns.ts";
import { Interrupted } from "../pause.ts";
import { cutBody, previewBody } from "../response-text.ts";
import { traceAttempt, traceHeader } from "../trace-context.ts";
import { Unsendable } from "../unsendable.ts";
import type { Addressed } from "./authorizing.ts";
import { createChainCookies, type RunCookies } from "./cookie-jar.ts";
import type { PreparedRequest, SendingParts } from "./preparing.ts";

const mostRedirects = 5;

/** As sent, with the host and framing headers that egress adds, secrets included. */
function writeSent(
  { method, host, isOwnServer, body, bytes, files }: PreparedRequest,
  { url, headers: own }: Addressed,
  cookies: RunCookies | undefined,
): SentRequest {
  const headers = cookies ? cookies.show(new URL(url), own) : own;
  const bodyBytes = body === null ? 0 : (bytes?.length ?? Buffer.byteLength(body));
  const framing: [string, string][] = body === null ? [] : [["content-length", String(bodyBytes)]];
  const server = isOwnServer ? { server: "operation" as const } : {};
  const shown = { body, bodyBytes, ...(files ? { files } : {}) };
  return { method, url, ...server, headers: [["host", host], ...headers, ...framing], ...shown };
}

export type SendResult = {
  startedAt: string;
  durationMilliseconds: number;
  /** The request that was answered: the original, or the one after a refusal. */
  sent: SentRequest;
  /** Of all requests of this attempt, if they had one. */
  trace?: TraceContext;
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
  let leadsToForeign = false;
  const send = ({ url, headers }: Addressed) =>
    parts.egress.send({
      url,
      method: prepared.method,
      headers,
      body: prepared.bytes ?? prepared.body ?? undefined,
      timeoutMilliseconds: Math.max(1, Math.ceil(most - (performance.now() - start))),
      maxRedirects: prepared.followRedirects ? mostRedirects : 0,
      async refuseRedirect(next) {
        const refused = await prepared.refuseRedirect(url, next);
        if (refused?.isForeign) leadsToForeign = true;
        return refused?.why;
      },
      readUntil: prepared.readUntil,
      maxBodyBytes: isJudged ? Math.max(judgedMebibytes * 1_048_576, keptBytes) : keptBytes,
      sharesRoom: isJudged,
      // A trace context is for the host that it was created for, and no other.
      secretHeaderNames:
        traced.added.length > 0 ? [...prepared.secretHeaderNames, traceHeader] : prepared.secretHeaderNames,
      sendSecretsTo: prepared.origin,
      pool: prepared.organizationId,
      tls: writeTls(prepared),
      cookies: cookies ?? (prepared.followRedirects ? createChainCookies() : undefined),
      signal,
    });
  const first = prepared.address();
  const traced = traceAttempt(first.headers, prepared.traceId);
  const withTrace = (one: Addressed): Addressed =>
    traced.added.length > 0 ? { ...one, headers: [...one.headers, ...traced.added] } : one;
  let addressed = withTrace(first);
  let sent = writeSent(prepared, addressed, cookies);
  let result = await send(addressed);
  const secrets = [...prepared.otherSecrets, ...addressed.secrets];
  const better = await findBetter(prepared, result);
  if (better) {
    getResponse(result)?.release?.();
    addressed = withTrace(better);
    sent = writeSent(prepared, addressed, cookies);
    result = await send(addressed);
    secrets.push(...better.secrets);
  }
  const response = getResponse(result);
  const durationMilliseconds = toMicroseconds(performance.now() - start - (response?.heldMilliseconds ?? 0));
  if (cookies && response) await cookies.store(new URL(response.url), listSetCookies(response.headers));
  if (cookies) secrets.push(...cookies.listSecrets());
  const { trace } = traced;
  const shared = { startedAt, durationMilliseconds, sent, trace, secrets, release: () => response?.release?.() };
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
  const failed = {
    ...shared,
    outcome: "failed" as const,
    cause,
    blocked: leadsToForeign || code === "target_not_allowed",
  };
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
