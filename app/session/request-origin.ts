const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The public address of the portal: configured, never taken from `Host`. Without PUBLIC_URL only loopback names are
 * accepted, so that a foreign name rebound to 127.0.0.1 by DNS is refused.
 */
export function getPublicOrigin(request: Request, publicUrl: string | undefined): string | undefined {
  if (publicUrl) return new URL(publicUrl).origin;
  const { hostname, host } = new URL(request.url);
  return loopbackNames.has(hostname) ? `http://${host}` : undefined;
}

export interface Refusal {
  status: number;
  sentence: string;
}

/** Why a request is refused that was sent to another host name than the portal's. */
export function findRefusalOfHost(
  request: Request,
  publicOrigin: string | undefined,
  viaTrustedProxy: boolean,
): Refusal | undefined {
  const host = new URL(request.url).host;
  if (publicOrigin !== undefined && (viaTrustedProxy || new URL(publicOrigin).host === host)) return undefined;
  return {
    status: 421,
    sentence:
      "This portal is not available under this host name. Its operator sets the public host name with PUBLIC_URL, and the address of a proxy that passes on another Host with TRUSTED_PROXIES.",
  };
}

/** Why a request is refused: an unknown host, or a change requested by another site. */
export function findRefusal(
  request: Request,
  publicOrigin: string | undefined,
  viaTrustedProxy: boolean,
): Refusal | undefined {
  const wrongHost = findRefusalOfHost(request, publicOrigin, viaTrustedProxy);
  if (wrongHost) return wrongHost;
  if (safeMethods.has(request.method)) return undefined;
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const sameSite = site === null || site === "same-origin";
  const sameOrigin = origin === null ? site !== null : origin === publicOrigin;
  if (sameSite && sameOrigin) return undefined;
  return { status: 403, sentence: "This request did not come from a page of the portal, so nothing was changed." };
}

/**
 * At every page's address Remix serves the data of a single route (`_data`) and the list of routes (`__manifest`), for
 * pages rendered in the browser. The portal has none, so both are disabled.
 */
export function refusalOfData({ url }: Request): Refusal | undefined {
  const { pathname, searchParams } = new URL(url);
  if (!searchParams.has("_data") && pathname !== "/__manifest") return undefined;
  return { status: 404, sentence: "No such page." };
}

/**
 * The request as if it had been sent to the public address, so that no later code (Remix's own origin check included)
 * sees a proxy's `Host` or trusts an `X-Forwarded-Host`.
 */
export function atPublicOrigin(request: Request, publicOrigin: string): Request {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("host", new URL(publicOrigin).host);
  headers.delete("x-forwarded-host");
  const hasBody = !safeMethods.has(request.method);
  // Remix would return data for this suffix. It is an ordinary page: a path that ends with a domain name may have it.
  const path = pathname.replace(/\.data$/, "%2Edata");
  // A path such as `//evil.test/x` must stay a path, so the two are joined as text.
  return new Request(publicOrigin + path + search, {
    method: request.method,
    headers,
    body: hasBody ? request.body : undefined,
    signal: request.signal,
    ...(hasBody ? { duplex: "half" } : {}),
  } as RequestInit);
}
