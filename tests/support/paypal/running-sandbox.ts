import pino from "pino";
import { createPayPalSandbox, type PayPalSandboxOptions } from "../../../sandbox/paypal/app.ts";
import type { Fault } from "../../../sandbox/paypal/faults.ts";
import { type MovableClock, movableClock } from "../../../services/kit/clock/clock.ts";
import type { Database } from "../../../services/kit/database/database.ts";
import { listen } from "../../../services/kit/service/listener.ts";
import { findErrors } from "./published-shapes.ts";

/** The sandbox on a loopback port, with an adjustable clock; every call is validated against PayPal's documents. */
export async function startSandbox(
  database: Database,
  options: Partial<PayPalSandboxOptions> & { clock?: MovableClock } = {},
) {
  const { clock = movableClock(new Date("2026-03-31T10:00:00Z")) } = options;
  const account = { clientId: "client", clientSecret: "a secret of the sandbox" };
  let base = "";
  const sandbox = await createPayPalSandbox({
    database,
    log: pino({ level: "silent" }),
    ...account,
    base: () => base,
    publicBase: () => base,
    webhooks: () => [],
    ...options,
    clock,
  });
  const errors: string[] = [];
  async function handle(request: Request): Promise<Response> {
    const body = await request.clone().text();
    const response = await sandbox.app.fetch(request);
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/v1/") && pathname !== "/v1/oauth2/token" && response.status !== 204) {
      const said = await response.clone().text();
      try {
        errors.push(
          ...findErrors({ method: request.method, path: pathname, body }, { status: response.status, body: said }),
        );
      } catch {
        // A fault that a test switched on: no JSON at all.
      }
    }
    return response;
  }
  const listener = await listen(handle, { host: "127.0.0.1", port: 0, graceMilliseconds: 100 });
  base = `http://127.0.0.1:${listener.port}`;

  return {
    ...sandbox,
    ...account,
    base,
    port: listener.port,
    clock,
    /** Deviations of either side from PayPal's documents. */
    faults: errors,
    /** A buyer's approval on the approval page. @returns the target of the redirect */
    async decide(approveUrl: string, decision: "approve" | "approve-declining" | "cancel"): Promise<URL> {
      const token = new URL(approveUrl).searchParams.get("ba_token") ?? "";
      const response = await fetch(approveUrl, {
        method: "POST",
        body: new URLSearchParams({ ba_token: token, decision }),
        redirect: "manual",
      });
      const location = response.headers.get("location");
      if (!location) throw new Error(`the approval page answered ${response.status}`);
      return new URL(location);
    },
    async stop() {
      await sandbox.stop();
      await listener.close();
    },
  };
}

export type { Fault };

export type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>;
