import type { CustomFetch } from "openid-client";
import type { Egress } from "#libraries/egress/egress.ts";

const timeoutMilliseconds = 6_000;
const maxResponseBytes = 512 * 1_024;

/** Egress refused the request, or the server did not respond. */
export class ProviderUnreachable extends Error {
  override readonly name = "ProviderUnreachable";
}

/** `fetch` through egress: the provider's addresses are entered by customers and taken from its metadata. */
export function createEgressFetch(egress: Egress, organizationId: string): CustomFetch {
  return async (url, { method, headers, body }) => {
    const result = await egress.send({
      url,
      method,
      headers: Object.entries(headers),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      timeoutMilliseconds,
      maxRedirects: 0,
      maxBodyBytes: maxResponseBytes,
      pool: organizationId,
    });
    if (result.outcome === "failed") throw new ProviderUnreachable(`${new URL(url).host}: ${result.failure.detail}`);
    const { status, headers: answered, body: bytes } = result.response;
    // The body is decoded already, so its encoding and length headers no longer apply.
    const stored = answered.filter(([name]) => !/^(content-encoding|content-length|transfer-encoding)$/i.test(name));
    const hasBody = status !== 204 && status !== 304;
    return new Response(hasBody ? new Uint8Array(bytes) : null, { status, headers: stored });
  };
}
