import type { CustomFetch } from "openid-client";
import type { Egress } from "#libraries/egress/egress.ts";

const timeoutMilliseconds = 6_000;
const largestAnswerBytes = 512 * 1_024;

/** The door did not let the request through, or nobody answered it. */
export class ProviderUnreachable extends Error {
  override readonly name = "ProviderUnreachable";
}

/** `fetch` through the one door: the provider's addresses are what a customer typed, and what its metadata says. */
export function createEgressFetch(egress: Egress, organizationId: string): CustomFetch {
  return async (url, { method, headers, body }) => {
    const result = await egress.send({
      url,
      method,
      headers: Object.entries(headers),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      timeoutMilliseconds,
      maxRedirects: 0,
      maxBodyBytes: largestAnswerBytes,
      pool: organizationId,
    });
    if (result.outcome === "failed") throw new ProviderUnreachable(`${new URL(url).host}: ${result.failure.detail}`);
    const { status, headers: answered, body: bytes } = result.response;
    // Decoded already: what says how it was encoded and how long it was is not true any more.
    const kept = answered.filter(([name]) => !/^(content-encoding|content-length|transfer-encoding)$/i.test(name));
    const hasBody = status !== 204 && status !== 304;
    return new Response(hasBody ? new Uint8Array(bytes) : null, { status, headers: kept });
  };
}
