import type { Egress } from "./egress.ts";

const timeoutMilliseconds = 30_000;

const accept = "application/json, application/yaml, text/yaml, text/plain;q=0.8, */*;q=0.5";

/** A whole document, and the address that gave it; or why it could not be fetched, to be read after a colon. */
type Fetched = { ok: true; bytes: Uint8Array; url: string } | { ok: false; reason: string };

/** Fetches a document of JSON or YAML, or a part of one. Connections are shared within one `pool` only. */
export async function fetchDocument(
  egress: Egress,
  url: string,
  { maxBytes, pool }: { maxBytes: number; pool: string },
): Promise<Fetched> {
  const result = await egress.send({
    ...{ url, method: "GET", headers: [["accept", accept]], timeoutMilliseconds, maxRedirects: 5, pool },
    maxBodyBytes: maxBytes + 1,
  });
  if (result.outcome === "failed") return { ok: false, reason: result.failure.detail };
  const { status, statusText, body, truncated } = result.response;
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
  return { ok: true, bytes: body, url: result.response.url };
}
