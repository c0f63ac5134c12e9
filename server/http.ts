import type { IncomingMessage } from "node:http";
import { Hono } from "hono";
import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import { Problem } from "#contracts/kit/problem.ts";
import { problemResponse } from "../services/kit/problem/problem-response.ts";
import { isForwarded, isFromTrustedProxy } from "../services/kit/service/client-address.ts";
import { type Component, createHealth } from "../services/kit/service/health.ts";

/** Requests with their socket, which has the visitor's address. */
export type Root = Hono<{ Bindings: { incoming: IncomingMessage } }>;

/** For responses without their own: pages set them, APIs and assets don't. */
const headersOfAll = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
/** The portal, in addition to its services. */
const portalPrefix = "/api/portal-ui";
const transportSecurity = "max-age=31536000; includeSubDomains";

interface RootOptions {
  log: Logger;
  publicUrl: string | undefined;
  trustedProxies: string[];
}

/** Middleware for all responses of this process: headers and errors. */
export function createRoot({ log, publicUrl, trustedProxies }: RootOptions): Root {
  const root: Root = new Hono();
  let hasWarned = false;
  root.use(async (c, next) => {
    // Logged once: behind such a proxy all visitors share its address, which limits attempts to sign in.
    if (!hasWarned && isForwarded(c.req.raw.headers) && !isFromTrustedProxy(c.env.incoming, trustedProxies)) {
      hasWarned = true;
      log.warn(
        { peer: c.env.incoming.socket.remoteAddress },
        "a peer that is not in TRUSTED_PROXIES sends forwarding headers: they are not believed. If it is your proxy, add its address",
      );
    }
    await next();
    for (const [name, value] of Object.entries(headersOfAll)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
    if (publicUrl?.startsWith("https:")) c.res.headers.set("strict-transport-security", transportSecurity);
  });
  root.notFound(() => problemResponse(new Problem("not_found", "No such call."), uuidv7()));
  root.onError((error) => {
    const requestId = uuidv7();
    log.error({ err: error, requestId }, "request failed");
    return problemResponse(new Problem("internal_error"), requestId);
  });
  return root;
}

/**
 * `GET /actuator/health`: 503 while a dependency is unavailable without which this process can do nothing, with its
 * name. A supervisor that restarts the process must use `/actuator/health/liveness` instead: a new process does not
 * bring a database back.
 */
export function serveHealth(root: Root, { components, version }: { components: Component[]; version: string }): void {
  const health = createHealth(components);
  for (const path of ["/actuator/health", "/actuator/health/readiness", `${portalPrefix}/actuator/health`]) {
    root.get(path, async (c) => {
      const result = await health();
      return c.json(result, result.status === "UP" ? 200 : 503);
    });
  }
  root.get("/actuator/health/liveness", (c) => c.json({ status: "UP" }));
  for (const prefix of ["", portalPrefix]) {
    root.get(`${prefix}/actuator/info`, (c) => c.json({ name: "api-assurance-portal", version }));
  }
}
