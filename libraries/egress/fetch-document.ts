import type { Egress, InboundResponse } from "./egress.ts";

const timeoutMilliseconds = 30_000;

const accept = "application/json, application/yaml, text/yaml, text/plain;q=0.8, */*;q=0.5";

/** A whole document, and the address that gave it; or why it could not be fetched, to be read after a colon. */
type Fetched = { ok: true; bytes: Uint8Array; url: string } | { ok: false; reason: string };

/** What identifies a version of a document that was fetched earlier (RFC 9110, 8.8). */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

interface FetchOptions {
  maxBytes: number;
  /** Connections are shared within one pool only. */
  pool: string;
}

/** Fetches a document of JSON or YAML, or a part of one. */
export async function fetchDocument(egress: Egress, url: string, options: FetchOptions): Promise<Fetched> {
  const result = await send(egress, url, options, []);
  return result.ok ? readDocument(result.response, options) : result;
}

/** Fetches a document unless it still is the known version, for which its server answers 304. */
export async function fetchChangedDocument(
  egress: Egress,
  url: string,
  options: FetchOptions & { known: Validators },
): Promise<(Fetched & { validators?: Validators }) | { ok: true; unchanged: true }> {
  const { etag, lastModified } = options.known;
  const conditions: [string, string][] = [
    ...(etag ? [["if-none-match", etag] satisfies [string, string]] : []),
    ...(lastModified ? [["if-modified-since", lastModified] satisfies [string, string]] : []),
  ];
  const result = await send(egress, url, options, conditions);
  if (!result.ok) return result;
  if (result.response.status === 304 && conditions.length > 0) return { ok: true, unchanged: true };
  const validators = {
    etag: readHeader(result.response, "etag"),
    lastModified: readHeader(result.response, "last-modified"),
  };
  return { ...readDocument(result.response, options), validators };
}

const maxValidatorCharacters = 500;

function readHeader({ headers }: InboundResponse, name: string): string | null {
  const value = headers.find(([one]) => one.toLowerCase() === name)?.[1];
  return value && value.length <= maxValidatorCharacters ? value : null;
}

async function send(
  egress: Egress,
  url: string,
  { maxBytes, pool }: FetchOptions,
  headers: [string, string][],
): Promise<{ ok: true; response: InboundResponse } | { ok: false; reason: string }> {
  const result = await egress.send({
    ...{ url, method: "GET", headers: [["accept", accept], ...headers], timeoutMilliseconds, maxRedirects: 5, pool },
    maxBodyBytes: maxBytes + 1,
  });
  return result.outcome === "failed"
    ? { ok: false, reason: result.failure.detail }
    : { ok: true, response: result.response };
}

function readDocument(response: InboundResponse, { maxBytes }: FetchOptions): Fetched {
  const { status, statusText, body, truncated } = response;
  if (status === 204 || (status >= 200 && status < 300 && body.length === 0)) {
    return { ok: false, reason: `the address returned ${status} with no content.` };
  }
  if (status < 200 || status >= 300) {
    const login =
      status === 401 || status === 403 ? " If it needs a sign-in, download the file and give that instead." : "";
    return { ok: false, reason: `the address returned ${status}${statusText ? ` ${statusText}` : ""}.${login}` };
  }
  if (truncated || body.length > maxBytes) {
    return { ok: false, reason: `it is larger than ${Math.floor(maxBytes / 1_048_576)} MiB.` };
  }
  return { ok: true, bytes: body, url: response.url };
}
