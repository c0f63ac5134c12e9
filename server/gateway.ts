import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import type { Endpoint } from "#contracts/kit/endpoint.ts";
import { RouteTable } from "#libraries/openapi/route-table.ts";
import { problemResponse } from "../services/kit/problem/problem-response.ts";
import { getClientAddress } from "../services/kit/service/client-address.ts";
import { createApiTokenExchange } from "./api-tokens.ts";
import type { Configuration, ServiceName } from "./configuration.ts";
import { contracts } from "./contracts.ts";
import { forward } from "./forwarding.ts";
import type { Root } from "./http.ts";
import type { Wiring } from "./wiring.ts";

interface Given {
  configuration: Configuration;
  log: Logger;
  wiring: Wiring;
}

const names = Object.keys(contracts) as ServiceName[];
const claimedHeaders = ["x-client-address", "x-client-address-voucher", "x-user-agent"];
const isOpenForm = ({ method, access }: Endpoint) => method === "post" && access === "public";

/** `/internal/…` in any spelling. */
function isInternal(pathname: string): boolean {
  try {
    return /^\/+internal(\/|$)/i.test(decodeURIComponent(pathname));
  } catch {
    return true;
  }
}

/**
 * The public API: every service at `/api/<its name>`, in this process or elsewhere, without internal calls.
 * Anonymous calls (signing in, forms) are limited by the peer's address, like the portal's visitors.
 */
export function servePublicApi(root: Root, { configuration, log, wiring }: Given): void {
  const exchangeApiToken = createApiTokenExchange(wiring);
  for (const name of names) {
    const endpoints = new RouteTable<Endpoint>();
    for (const endpoint of Object.values(contracts[name])) endpoints.add(endpoint.method, endpoint.path, endpoint);
    const prefix = `/api/${name}`;

    root.all(`${prefix}/*`, async (c) => {
      const url = new URL(c.req.url);
      url.pathname = url.pathname.slice(prefix.length);
      // Calls between services are never accepted from outside.
      if (isInternal(url.pathname)) return c.notFound();
      const endpoint = endpoints.find(c.req.method, url.pathname)?.value;
      const headers = new Headers(c.req.raw.headers);
      // Only the gateway sets the caller's address: limits on public forms and audit records rely on it.
      for (const claimed of claimedHeaders) headers.delete(claimed);
      if (c.req.method !== "GET" && c.req.method !== "HEAD") {
        headers.set("x-client-address", getClientAddress(c.env.incoming, configuration.trustedProxies));
        const asPortal = `Bearer ${await wiring.portalToken()}`;
        headers.set("x-client-address-voucher", asPortal);
        if (endpoint && isOpenForm(endpoint)) headers.set("authorization", asPortal);
      }
      const refusal = await exchangeApiToken(headers);
      if (refusal) return problemResponse(refusal, uuidv7());
      const { method, body, signal } = c.req.raw;
      const request = new Request(url, { method, headers, body, signal, duplex: "half" } as RequestInit);
      const local = wiring.services.get(name);
      if (local) return await local.app.fetch(request);
      return await forward(request, {
        service: name,
        baseUrl: configuration.serviceUrls[name]!,
        deadlineMilliseconds: getDeadline(endpoint, url, configuration.serviceDeadlineSeconds),
        log,
      });
    });
  }
  root.all("/api/*", (c) => c.notFound());
}

function getDeadline(endpoint: Endpoint | undefined, url: URL, usualSeconds: number): number {
  const wait = Math.min(60, Number(url.searchParams.get("wait")) || 0);
  return (Math.max(usualSeconds, endpoint?.timeoutSeconds ?? 0) + wait) * 1_000;
}
