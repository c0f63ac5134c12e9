const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Where users reach the portal: configured, never taken from `Host`. Without PUBLIC_URL only loopback names count,
 * so that a name rebound to 127.0.0.1 by somebody else's DNS is not us.
 */
export function publicOriginOf(request: Request, publicUrl: string | undefined): string | undefined {
  if (publicUrl) return new URL(publicUrl).origin;
  const { hostname, host } = new URL(request.url);
  return loopbackNames.has(hostname) ? `http://${host}` : undefined;
}

export interface Refusal {
  status: number;
  sentence: string;
}

/** Why a request is not answered at all: a host that is not ours, or a change asked for by another site. */
export function refusalOf(
  request: Request,
  publicOrigin: string | undefined,
  viaTrustedProxy: boolean,
): Refusal | undefined {
  const host = new URL(request.url).host;
  if (publicOrigin === undefined || (!viaTrustedProxy && new URL(publicOrigin).host !== host)) {
    return {
      status: 421,
      sentence:
        "This portal does not answer under this host name. Its operator sets the name that users type with PUBLIC_URL, and the address of a proxy that passes on another Host with TRUSTED_PROXIES.",
    };
  }
  if (safeMethods.has(request.method)) return undefined;
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const sameSite = site === null || site === "same-origin";
  const sameOrigin = origin === null ? site !== null : origin === publicOrigin;
  if (sameSite && sameOrigin) return undefined;
  return { status: 403, sentence: "This request did not come from a page of the portal, so nothing was changed." };
}

/**
 * Remix answers, at every page's address, the data of one of its routes alone (`_data`), and tells its routes
 * (`__manifest`): for pages that are built in the browser. Here none is, so these are no second way in.
 */
export function refusalOfData({ url }: Request): Refusal | undefined {
  const { pathname, searchParams } = new URL(url);
  if (!searchParams.has("_data") && pathname !== "/__manifest") return undefined;
  return { status: 404, sentence: "There is no such page." };
}

/**
 * The request as if it had come straight to the public address, so that nothing behind this point (Remix's own origin
 * check included) sees a proxy's `Host` or believes an `X-Forwarded-Host`.
 */
export function atPublicOrigin(request: Request, publicOrigin: string): Request {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("host", new URL(publicOrigin).host);
  headers.delete("x-forwarded-host");
  const hasBody = !safeMethods.has(request.method);
  // Remix would answer data here. It is a page like any: the name of a domain, at its end, may have such an ending.
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
