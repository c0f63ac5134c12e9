import type { CookieStore } from "./cookies.ts";
import { EgressError, type EgressFailure } from "./failure.ts";

export interface OutboundRequest {
  /** An absolute http or https URL, without user name and password. A fragment is ignored. */
  url: string;
  method: string;
  headers: [name: string, value: string][];
  body?: Uint8Array | string;
  /** One deadline for everything: queueing, DNS, connecting, redirects and the whole body. */
  timeoutMilliseconds: number;
  /** 0 returns the redirect itself; values above 5 count as 5. */
  maxRedirects: number;
  /**
   * Limit of decoded bytes, default 1 MiB. The rest is not read: the socket is closed and the response marked
   * truncated.
   */
  maxBodyBytes?: number;
  /**
   * Whether a body beyond 1 MiB waits for room that all such requests share. It is in shared memory, and its room is
   * taken until the response is released.
   */
  sharesRoom?: boolean;
  /**
   * Headers that carry secrets, in addition to those known by name or value (libraries/redaction). Dropped across
   * origins.
   */
  secretHeaderNames?: string[];
  /**
   * The origin that the secrets belong to. Requests to any other origin, the first included, are sent without them. A
   * body follows a 307 or 308 anywhere: a request with a secret in its body should not follow redirects.
   */
  sendSecretsTo?: string;
  /**
   * When to stop reading a response that may not end: after its items, where its Content-Type is that of a sequence, or
   * seconds after its head. The socket is closed, and what came is the response.
   */
  readUntil?: { kind: "items"; count: number } | { kind: "seconds"; seconds: number };
  /** Different values never share connections; the organization's id. */
  pool?: string;
  signal?: AbortSignal;
  /**
   * Called before each redirect is followed. Returns the reason to refuse it, as a sentence; undefined to follow it.
   */
  refuseRedirect?(next: { url: URL; method: string }): Promise<string | undefined>;
  tls?: TlsChoice;
  cookies?: CookieStore;
}

export interface TlsChoice {
  /** PEM certificates trusted instead of the default roots. */
  ca?: string;
  /** PEM of the client certificate and key; sent to the secrets' origin only, see `sendSecretsTo`. */
  client?: { certificate: string; key: string };
}

/** A validated request that is safe to write to a socket. */
export interface PreparedRequest {
  url: URL;
  method: string;
  headers: [name: string, value: string][];
  body: Uint8Array | string | undefined;
}

/** Headers that frame the message or belong to the connection. A user's value could smuggle a second request (S11). */
const reservedHeaders = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "expect",
  "upgrade",
  "keep-alive",
  "te",
  "trailer",
]);

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const unsendableInValue = /[^\t\x20-\x7e\x80-\xff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const controlCharacter = /[\0-\x1f\x7f]/;
const standardMethods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"]);

/**
 * Performs all checks that need no network.
 * @throws EgressError with `invalid_url` or `invalid_header`
 */
export function prepareRequest(request: OutboundRequest, userAgent: string): PreparedRequest {
  const url = parseTarget(request.url);
  const headers = checkHeaders(request.headers);
  if (!hasHeader(headers, "accept-encoding")) headers.push(["accept-encoding", "gzip, deflate, br"]);
  if (!hasHeader(headers, "user-agent")) headers.push(["user-agent", userAgent]);
  return { url, method: checkMethod(request.method), headers, body: request.body };
}

/** Parses the URL to send to. The standard's parser drops tabs and line breaks silently, so they are refused first. */
export function parseTarget(text: string, base?: URL): URL {
  if (controlCharacter.test(text)) throw invalidUrl("The URL has a control character or a line break in it.");
  const url = parseUrl(text, base);
  if (url === undefined)
    throw invalidUrl("The URL can't be read. It has to be absolute, like https://api.example/path.");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw invalidUrl(`Only http and https URLs are sent to, not ${url.protocol.slice(0, 20)}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw invalidUrl("The URL has a user name or password in it. Put them into a credential instead.");
  }
  if (url.hostname === "" || url.port === "0") throw invalidUrl("The URL has no host or port to connect to.");
  return url;
}

function parseUrl(text: string, base: URL | undefined): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

function checkMethod(method: string): string {
  const upper = method.toUpperCase();
  if (!token.test(method)) throw invalidHeader("The method is not a word HTTP can send.");
  if (upper === "CONNECT") throw invalidHeader("The method CONNECT opens tunnels and is not sent.");
  return standardMethods.has(upper) ? upper : method;
}

function checkHeaders(headers: readonly [string, string][]): [string, string][] {
  const checked: [string, string][] = [];
  for (const [name, value] of headers) {
    if (!token.test(name)) throw invalidHeader(`The header name ${quote(name)} has characters HTTP does not allow.`);
    const lowerName = name.toLowerCase();
    if (reservedHeaders.has(lowerName) || lowerName.startsWith("proxy-")) {
      throw invalidHeader(`The header ${name} is set by the portal itself and can't be given.`);
    }
    if (unsendableInValue.test(value)) {
      throw invalidHeader(`The value of the header ${name} has a line break or another character HTTP can't carry.`);
    }
    checked.push([name, value]);
  }
  return checked;
}

export function hasHeader(headers: readonly [string, string][], lowerName: string): boolean {
  for (const [name] of headers) {
    if (name.length === lowerName.length && name.toLowerCase() === lowerName) return true;
  }
  return false;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}

function invalidUrl(detail: string): EgressError {
  return new EgressError({ code: "invalid_url", detail } satisfies EgressFailure);
}

function invalidHeader(detail: string): EgressError {
  return new EgressError({ code: "invalid_header", detail } satisfies EgressFailure);
}
