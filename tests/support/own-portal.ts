import { pino } from "pino";
import type { SignedIn } from "#contracts/security-service/sessions.ts";
import { parseConfiguration } from "../../server/configuration.ts";
import { servePublicApi } from "../../server/gateway.ts";
import { createRoot } from "../../server/http.ts";
import { wire } from "../../server/wiring.ts";
import { listen } from "../../services/kit/service/listener.ts";
import { createTestDatabase } from "../../services/kit/testing/databases.ts";
import { startMailServer } from "../../services/kit/testing/mail-server.ts";
import { openPayPalSandbox } from "./paypal-sandbox.ts";
import { patience } from "./program.ts";

export type OwnPortal = Awaited<ReturnType<typeof openOwnPortal>>;

/** The portal's public API in this process, called as its administrator. It is its own target: its operator allows that. */
export async function openOwnPortal() {
  const [database, mail, sandbox] = await Promise.all([createTestDatabase(), startMailServer(), openPayPalSandbox()]);
  const configuration = parseConfiguration({
    DATABASE_URL: database.url,
    SECRETS_KEY: "one key for the portal that tests itself",
    PUBLIC_URL: "https://portal.example.com",
    ADMIN_PASSWORD: "correct-horse-battery",
    EGRESS_ALLOW: "loopback",
    ...patience,
    ...sandbox.environment,
    MAIL_URL: mail.url,
    MAIL_FROM: "portal@example.com",
  });
  const log = pino({ level: process.env.LOG_LEVEL ?? "silent" });
  const installation = {
    secretsKey: configuration.secretsKey as string,
    administratorPasswordFile: "",
    keepAdministratorPassword: async () => {},
    newAdministratorPassword: () => undefined,
  };
  let origin = "";
  const addresses = { portalOrigin: () => "https://portal.example.com", ownAddress: () => origin };
  const wiring = await wire({ configuration, installation, log, ownTargets: [], ...addresses });
  const root = createRoot({ log, publicUrl: undefined, trustedProxies: [] });
  servePublicApi(root, { configuration, log, wiring });
  const listener = await listen(root.fetch, { host: "127.0.0.1", port: 0 });
  origin = `http://127.0.0.1:${listener.port}`;
  let token = "";

  async function call<Result>(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
    const headers = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      "content-type": "application/json",
      ...more,
    };
    const response = await fetch(origin + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Result;
  }

  const headers = { username: "admin", password: "correct-horse-battery" };
  token = (await call<SignedIn>("POST", "/api/security-service/auth/login", undefined, headers)).accessToken;
  return {
    ...{ origin, token, wiring, mail, sandbox, call },
    async close() {
      await wiring.stopServices();
      await listener.close();
      await wiring.close();
      await Promise.all([mail.stop(), sandbox.stop(), database.drop()]);
    },
  };
}
