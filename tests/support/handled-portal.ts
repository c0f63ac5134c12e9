import { resolve } from "node:path";
import { decodeJwt } from "jose";
import pg from "pg";
import { pino } from "pino";
import { parseConfiguration } from "../../server/configuration.ts";
import { loadPages, openPortal } from "../../server/pages.ts";
import { wire } from "../../server/wiring.ts";
import { requireAnswer } from "../../services/kit/client/client.ts";
import type { PlanLimits } from "../../services/kit/contract/plan.ts";
import { issueServiceToken } from "../../services/kit/identity/identity.ts";
import { createTestDatabase } from "../../services/kit/testing/databases.ts";
import { type MailServer, startMailServer } from "../../services/kit/testing/mail-server.ts";
import { deriveKey } from "../../services/kit/vault/vault.ts";
import type { ReceivedEvent } from "../../services/test-analyzer/contract/received-events.ts";
import { FormPage } from "./form-page.ts";
import type { PortalBackend } from "./portal-backend.ts";

const origin = "https://portal.example.com";
const administrator = { username: "admin", password: "correct-horse-battery" };

/** Somebody without a browser: addresses, links and forms, cookies kept between them. */
export interface Visitor {
  /** Opens an address and follows where it leads. */
  open(address: string): Promise<FormPage>;
  /** Sends a form that may be on no page of theirs. */
  post(address: string, values: Record<string, string>): Promise<FormPage>;
  /** Names of the cookies it was given and keeps. */
  cookies(): string[];
  /** Loses one, as a browser does with one that has ended. */
  lose(cookie: RegExp): void;
  /** Somebody with the same cookies, copied now. */
  copied(): Visitor;
}

export interface HandledPortal {
  administrator: typeof administrator;
  /** What was sent by mail. */
  mail: MailServer;
  /** The services, as the administrator asks them. */
  backend: PortalBackend;
  /** The services, as somebody else asks them. */
  backendOf(who: { username: string; password: string }): Promise<PortalBackend>;
  /** The database of all services. */
  databaseUrl: string;
  /** Another service tells the analyzer. */
  tell(event: Omit<ReceivedEvent, "organizationId">): Promise<void>;
  visit(userAgent?: string): Visitor;
  /** Gives the plans of all customers other limits, as each service is told of them. */
  limitPlans(limits: Partial<PlanLimits>): Promise<void>;
  /** The administrator, who has signed in by the form and looks at this page first. */
  signIn(first?: string): Promise<Visitor>;
  stop(): Promise<void>;
}

/**
 * The built pages and every service in this process, asked as functions: what loaders and actions answer, with a real
 * database and real mail, and neither a browser nor a port.
 * @param environment variables beside these, as for a service that is elsewhere
 */
export async function openHandledPortal(environment: Record<string, string> = {}): Promise<HandledPortal> {
  const [database, mail, pages] = await Promise.all([
    createTestDatabase(),
    startMailServer(),
    loadPages(resolve("build/server/index.js")),
  ]);
  const configuration = parseConfiguration({
    DATABASE_URL: database.url,
    SECRETS_KEY: "one key for all tests of pages and forms",
    PUBLIC_URL: origin,
    ADMIN_PASSWORD: administrator.password,
    EGRESS_ALLOW: "loopback",
    MAIL_URL: mail.url,
    MAIL_FROM: "portal@example.com",
    ...environment,
  });
  const log = pino({ level: "silent" });
  const installation = {
    secretsKey: configuration.secretsKey as string,
    administratorPasswordFile: "",
    keepAdministratorPassword: async () => {},
    newAdministratorPassword: () => undefined,
  };
  const addresses = { portalOrigin: () => origin, ownAddress: () => origin };
  const wiring = await wire({ configuration, installation, log, ownTargets: [], ...addresses });
  const portal = openPortal(pages, { configuration, installation, log, wiring });

  function visit(userAgent = "visitor/1.0", cookies = new Map<string, string>()): Visitor {
    async function send(address: string, options: RequestInit = {}): Promise<FormPage> {
      const url = new URL(address, origin);
      const headers = new Headers(options.headers);
      headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
      headers.set("user-agent", userAgent);
      if (options.method === "POST") headers.set("origin", origin);
      const request = new Request(url, { ...options, headers });
      const answer = await portal(request, { clientAddress: "192.0.2.1", viaTrustedProxy: false });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      const next = answer.headers.get("location");
      if (next) return await send(new URL(next, url).href);
      return new FormPage(url, answer.status, answer.headers, await answer.text(), send);
    }
    return {
      open: (address) => send(address),
      post: (address, values) => send(address, { method: "POST", body: new URLSearchParams(values) }),
      cookies: () => [...cookies.keys()],
      lose: (lost) => {
        for (const name of cookies.keys()) if (lost.test(name)) cookies.delete(name);
      },
      copied: () => visit(userAgent, new Map(cookies)),
    };
  }
  const { connections } = wiring;
  async function backendOf(headers: { username: string; password: string }): Promise<PortalBackend> {
    const login = await connections.securityService().login({ headers });
    const { accessToken: token } = requireAnswer(login, "signing in");
    return {
      token,
      securityService: connections.securityService({ token }),
      portalService: connections.portalService({ token }),
      apiRegistry: connections.apiRegistry({ token }),
      testRegistry: connections.testRegistry({ token }),
      testExecutioner: connections.testExecutioner({ token }),
      testAnalyzer: connections.testAnalyzer({ token }),
    };
  }
  const backend = await backendOf(administrator);
  const { token } = backend;

  return {
    administrator,
    mail,
    backend,
    backendOf,
    databaseUrl: database.url,
    async tell(event) {
      const { org: organizationId } = decodeJwt<{ org: string }>(token);
      const serviceKey = deriveKey(installation.secretsKey, "service tokens");
      const service = await issueServiceToken(serviceKey, "test-executioner", organizationId);
      const told = connections.testAnalyzer({ token: service }).receiveEvent({
        body: { ...event, organizationId } as ReceivedEvent,
      });
      requireAnswer(await told, "telling the analyzer");
    },
    visit: (userAgent) => visit(userAgent),
    async limitPlans(limits) {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      const change = "standing = jsonb_set(standing, '{plan,limits}', (standing -> 'plan' -> 'limits') || $1::jsonb)";
      const services = ["security_service", "api_registry", "test_registry", "test_executioner"];
      const tables = ["portal_service.organization_plans", ...services.map((service) => `${service}.plan_standings`)];
      for (const table of tables)
        await client.query(`update ${table} set ${change} where jsonb_typeof(standing -> 'plan') = 'object'`, [limits]);
      await client.query("update portal_service.services set limits = limits || $1::jsonb", [limits]);
      await client.end();
    },
    async signIn(first = "/dashboard") {
      const visitor = visit();
      const login = await visitor.open(`/login?redirectTo=${encodeURIComponent(first)}`);
      await login.submit("log in", administrator);
      return visitor;
    },
    async stop() {
      await wiring.stopServices();
      await wiring.close();
      await mail.stop();
      await database.drop();
    },
  };
}
