import type { Egress } from "#libraries/egress/egress.ts";
import type { FetchedFile } from "../domain/imported-document.ts";
import type { ImportLimits } from "../domain/limits.ts";

const fetchTimeoutMilliseconds = 30_000;

/**
 * Fetches a document or a part of one through the egress client; connections are shared within one organization only.
 */
export async function fetchThroughEgress(
  egress: Egress,
  url: string,
  limits: ImportLimits,
  organizationId: string,
): Promise<FetchedFile> {
  const result = await egress.send({
    url,
    method: "GET",
    headers: [["accept", "application/json, application/yaml, text/yaml, text/plain;q=0.8, */*;q=0.5"]],
    timeoutMilliseconds: fetchTimeoutMilliseconds,
    maxRedirects: 5,
    maxBodyBytes: limits.bytes + 1,
    pool: organizationId,
  });
  if (result.outcome === "failed") return { ok: false, reason: result.failure.detail };
  const { status, statusText, body, truncated } = result.response;
  if (status === 204 || (status >= 200 && status < 300 && body.length === 0)) {
    return { ok: false, reason: `the address answered ${status} with nothing in it.` };
  }
  if (status < 200 || status >= 300) {
    const login =
      status === 401 || status === 403 ? " If it needs a sign-in, download the file and give that instead." : "";
    return { ok: false, reason: `the address answered ${status}${statusText ? ` ${statusText}` : ""}.${login}` };
  }
  if (truncated || body.length > limits.bytes) {
    return { ok: false, reason: `it is larger than ${Math.floor(limits.bytes / 1_048_576)} MiB.` };
  }
  return { ok: true, bytes: body, url: result.response.url };
}
