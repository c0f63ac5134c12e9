import { parse as parseCookies } from "cookie";
import type { Cookie, Entry, Header, Request, Response, Timings } from "har-format";
import type { Attempt, Phases } from "#contracts/test-executioner/attempts.ts";
import { encodePart } from "#libraries/openapi/percent-encoding.ts";
import { redacted } from "#libraries/redaction/redactor.ts";
import { describePlace, executionName, type ReportedExecution, type WriteReport } from "./reported-run.ts";

/** All requests that were sent, as an HTTP Archive 1.2, in the order of the run. */
export function createHarReport(productVersion: string): WriteReport {
  const creator = JSON.stringify({ name: "API Assurance", version: productVersion });
  return async function* (run, executions) {
    const comment = JSON.stringify(`Run ${run.id}, queued ${run.queuedAt}`);
    yield `{"log":{"version":"1.2","creator":${creator},"comment":${comment},"entries":[`;
    let separator = "\n";
    for await (const execution of executions) {
      for (const entry of execution.attempts.flatMap((attempt) => toEntries(execution, attempt))) {
        yield separator + JSON.stringify(entry);
        separator = ",\n";
      }
    }
    yield "\n]}}\n";
  };
}

type SentAttempt = Attempt & { request: NonNullable<Attempt["request"]> };

/** The redirects and the final response. Empty if no request was sent. */
function toEntries(execution: ReportedExecution, attempt: Attempt): Entry[] {
  if (!attempt.request) return [];
  const sent = attempt as SentAttempt;
  const name = [executionName(execution), describePlace(execution)].filter(Boolean).join(" ");
  const comment = `${execution.position}. ${name}, attempt ${attempt.number}: ${attempt.verdict}`;
  const redirects = attempt.response?.redirects ?? [];
  let { method } = sent.request;
  const hops = redirects.map((redirect, index) => {
    const request = index === 0 ? getRequest(sent) : bareRequest(sent, method, redirect.url);
    const wait = index === 0 ? timeOfRedirects(sent) : 0;
    method = methodAfter(redirect.status, method);
    return toEntry(sent, request, redirectResponse(sent, redirect), getTimings({ wait }), comment);
  });
  const isRedirected = redirects.length > 0;
  const request = isRedirected ? bareRequest(sent, method, sent.response!.url) : getRequest(sent);
  const last = toEntry(sent, request, getResponse(sent), getTimings(sent.phases ?? {}), comment);
  return [...hops, last];
}

function toEntry(attempt: SentAttempt, request: Request, response: Response, timings: Timings, comment: string): Entry {
  const { blocked = 0, dns = 0, connect = 0, send = 0, wait, receive } = timings;
  // TLS is included in connect, and -1 means that a phase did not occur.
  const time = [blocked, dns, connect, send, wait, receive].reduce((sum, part) => sum + Math.max(0, part), 0);
  const { traceId, spanId } = attempt.trace ?? {};
  // Members of applications begin with an underscore (HAR 1.2).
  const trace = traceId ? { _traceId: traceId, _spanId: spanId } : {};
  return { startedDateTime: attempt.startedAt, time, request, response, cache: {}, timings, comment, ...trace };
}

/** Only the last hop's phases are measured; the rest of an attempt's duration was spent on the redirects before it. */
function timeOfRedirects({ durationMilliseconds, phases }: SentAttempt): number {
  return Math.max(0, durationMilliseconds - (phases?.total ?? 0));
}

function getTimings(phases: Partial<Phases>): Timings {
  const { blocked = 0, dns = 0, connect = 0, tls = 0, send = 0, wait = 0, receive = 0 } = phases;
  const happened = (milliseconds: number) => (milliseconds > 0 ? milliseconds : -1);
  return {
    blocked: happened(blocked),
    dns: happened(dns),
    connect: happened(connect + tls),
    ssl: happened(tls),
    send,
    wait,
    receive,
  };
}

function getRequest({ request, response }: SentAttempt): Request {
  const { method, url, headers, body, bodyBytes } = request;
  const mimeType = getHeader(headers, "content-type") ?? "";
  return {
    method,
    url: toUri(url),
    httpVersion: getHttpVersion(response),
    cookies: headers.filter(([name]) => isNamed(name, "cookie")).flatMap(([, value]) => getCookies(value)),
    headers: headers.map(toHeader),
    queryString: toQuery(url),
    ...(body === null ? {} : { postData: { mimeType, text: body } }),
    headersSize: -1,
    bodySize: bodyBytes,
  };
}

/** A request made by following a redirect: its other contents are not stored. */
function bareRequest({ response }: SentAttempt, method: string, url: string): Request {
  return {
    method,
    url: toUri(url),
    httpVersion: getHttpVersion(response),
    cookies: [],
    headers: [],
    queryString: toQuery(url),
    headersSize: -1,
    bodySize: -1,
  };
}

/** By the fetch standard: 303, and 301 and 302 after POST, lead to GET. */
function methodAfter(status: number, method: string): string {
  if (status === 303) return method === "HEAD" ? method : "GET";
  return (status === 301 || status === 302) && method === "POST" ? "GET" : method;
}

function redirectResponse(
  { response }: SentAttempt,
  { status, location = "" }: NonNullable<Attempt["response"]>["redirects"][number],
): Response {
  return {
    status,
    statusText: "",
    httpVersion: getHttpVersion(response),
    cookies: [],
    headers: location ? [{ name: "location", value: location }] : [],
    content: { size: 0, mimeType: "x-unknown" },
    redirectURL: location,
    headersSize: -1,
    bodySize: -1,
  };
}

function getResponse({ response, cause }: SentAttempt): Response {
  const broken = cause ? { comment: cause.detail } : {};
  const rest = { httpVersion: getHttpVersion(response), headersSize: -1 };
  if (!response) {
    return {
      ...rest,
      status: 0,
      statusText: "",
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: "x-unknown" },
      redirectURL: "",
      bodySize: -1,
      ...broken,
    };
  }
  const { status, statusText, headers, body, bodyBytes, keptBytes, bodyPreview, truncated, incomplete } = response;
  const setCookies = headers.filter(([name]) => isNamed(name, "set-cookie"));
  return {
    ...rest,
    status,
    statusText,
    cookies: setCookies.flatMap(([, value]) => getCookies(value.split(";", 1)[0]!)),
    headers: headers.map(toHeader),
    content: {
      size: bodyBytes,
      mimeType: getHeader(headers, "content-type") ?? "x-unknown",
      ...(body === null ? {} : { text: body }),
      ...(bodyPreview ? { comment: `The body is not text. It begins with the bytes ${bodyPreview}` } : {}),
      ...(keptBytes === undefined ? {} : { comment: `The first ${keptBytes} bytes of the body are kept.` }),
      ...(incomplete ? { comment: "The body is incomplete." } : {}),
      ...(truncated ? { comment: "The body is cut: it is larger than what may be read." } : {}),
    },
    redirectURL: getHeader(headers, "location") ?? "",
    bodySize: bodyBytes,
    ...(incomplete ? broken : {}),
  };
}

function getHttpVersion(response: Attempt["response"]): string {
  return `HTTP/${response?.httpVersion ?? "1.1"}`;
}

function toHeader([name, value]: [string, string]): Header {
  return { name, value };
}

function isNamed(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted;
}

function getHeader(headers: [string, string][], wanted: string): string | undefined {
  return headers.find(([name]) => isNamed(name, wanted))?.[1];
}

function getCookies(header: string): Cookie[] {
  return Object.entries(parseCookies(header)).map(([name, value]) => ({ name, value: value ?? "" }));
}

/**
 * The schema requires a URI (RFC 3986). The URL that was sent may not be one, and redacted parts are in brackets, which
 * only a host that is an IPv6 address may have.
 */
function toUri(url: string): string {
  const authority = /^[^/?#]*\/\/[^/?#]*/.exec(url)?.[0] ?? "";
  const rest = url.slice(authority.length);
  return (
    authority.replaceAll(redacted, encodePart) +
    rest.replace(/%(?![\da-f]{2})|[^\w\-.~:/?#@!$&'()*+,;=%]+/gi, encodePart)
  );
}

/** Unchanged values if they are not properly encoded. */
function toQuery(url: string): { name: string; value: string }[] {
  const start = url.indexOf("?");
  if (start === -1) return [];
  const search = new URLSearchParams(url.slice(start).split("#", 1)[0]);
  return [...search].map(([name, value]) => ({ name, value }));
}
