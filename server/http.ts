import type { IncomingMessage } from "node:http";
import { Hono } from "hono";
import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import { Problem } from "../services/kit/problem/problem.ts";
import { problemResponse } from "../services/kit/service/service.ts";

/** Requests with the socket they came over, by which a visitor's address is told. */
export type Root = Hono<{ Bindings: { incoming: IncomingMessage } }>;

/** Of answers that bring none of their own: pages do, APIs and assets don't. */
const headersOfAll = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
const transportSecurity = "max-age=31536000; includeSubDomains";

interface RootOptions {
  log: Logger;
  publicUrl: string | undefined;
  /** Throws while the process can't do its work. */
  checkHealth(): Promise<void>;
}

/** What surrounds everything this process answers: headers, failures, health. */
export function createRoot({ log, publicUrl, checkHealth }: RootOptions): Root {
  const root: Root = new Hono();
  root.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(headersOfAll)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
    if (publicUrl?.startsWith("https:")) c.res.headers.set("strict-transport-security", transportSecurity);
  });
  root.notFound(() => problemResponse(new Problem("not_found", "There is no such call."), uuidv7()));
  root.onError((error) => {
    const requestId = uuidv7();
    log.error({ err: error, requestId }, "request failed");
    return problemResponse(new Problem("internal_error"), requestId);
  });
  root.get("/actuator/health", async (c) => {
    try {
      await checkHealth();
      return c.json({ status: "UP" });
    } catch {
      return c.json({ status: "DOWN" }, 503);
    }
  });
  return root;
}
