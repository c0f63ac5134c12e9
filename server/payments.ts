import { randomBytes } from "node:crypto";
import type { Hono } from "hono";
import type { Logger } from "pino";
import { createEgress, type OwnTarget, parseEgressAllow } from "#libraries/egress/egress.ts";
import { createPayPalSandbox } from "../sandbox/paypal/app.ts";
import { systemClock } from "../services/kit/clock/clock.ts";
import type { Database } from "../services/kit/database/database.ts";
import { listen } from "../services/kit/service/listener.ts";
import { createPayPal } from "../services/portal-service/payment/paypal/paypal.ts";
import type { PayPalAccount } from "../services/portal-service/payment/paypal/paypal-calls.ts";
import type { PaymentProvider } from "../services/portal-service/payment/provider.ts";
import type { Configuration } from "./configuration.ts";
import type { Root } from "./http.ts";

export interface Payments {
  provider: PaymentProvider;
  /** Replaces PayPal's own pages; undefined with PayPal itself. */
  sandbox: Hono | undefined;
  close(): Promise<void>;
}

/** The path of the sandbox's approval page, on the portal's own origin. */
export const sandboxPath = "/sandbox/paypal";

/** PayPal through an egress door limited to its host. */
export function openPayPal(account: PayPalAccount & { webhookId: string }): Payments {
  const { hostname, port, protocol } = new URL(account.apiUrl);
  const target = `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
  const egress = createEgress({
    policy: { allow: parseEgressAllow(target), allowLoopback: false, ownTargets: [] },
  });
  return {
    provider: createPayPal({ ...account, egress, clock: systemClock }),
    sandbox: undefined,
    close: () => egress.close(),
  };
}

/** The page on which a buyer approves; the sandbox's API stays on its own loopback port. */
export function servePayPalSandbox(root: Root, sandbox: Hono): void {
  root.all(`${sandboxPath}/webapps/*`, (c) => {
    const url = new URL(c.req.url);
    url.pathname = url.pathname.slice(sandboxPath.length);
    return sandbox.fetch(new Request(url, c.req.raw));
  });
}

interface Given {
  configuration: Configuration;
  database: Database;
  log: Logger;
  /** Gets the sandbox's address: no test may reach it. */
  ownTargets: OwnTarget[];
  portalOrigin(): string;
  /** This process's own address. */
  ownAddress(): string;
}

/** PayPal as configured; otherwise the sandbox with an embedded database. Undefined: nothing is sold. */
export async function openPayments(given: Given): Promise<Payments | undefined> {
  const { configuration, database, log, ownTargets, portalOrigin, ownAddress } = given;
  if (configuration.paypal) return openPayPal(configuration.paypal);
  if (configuration.databaseUrl) return undefined;
  const account = { clientId: "sandbox", clientSecret: randomBytes(24).toString("base64url"), webhookId: "SANDBOX" };
  let apiUrl = "";
  const sandbox = await createPayPalSandbox({
    ...account,
    database,
    log,
    base: () => apiUrl,
    publicBase: () => `${portalOrigin()}${sandboxPath}`,
    webhooks: () => [{ id: account.webhookId, url: `${ownAddress()}/api/portal-service/api/v1/paypal/webhooks` }],
  });
  const listener = await listen(sandbox.app.fetch, { host: "127.0.0.1", port: 0, maximumConnections: 50 });
  ownTargets.push({ host: "127.0.0.1", port: listener.port });
  apiUrl = `http://127.0.0.1:${listener.port}`;
  const payments = openPayPal({ ...account, apiUrl });
  return {
    ...payments,
    sandbox: sandbox.app,
    async close() {
      await payments.close();
      await sandbox.stop();
      await listener.close();
    },
  };
}
