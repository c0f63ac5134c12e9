import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt } from "jose";
import pg from "pg";
import { pino } from "pino";
import type { PlanLimits } from "#contracts/kit/plan.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { ReceivedEvent } from "#contracts/test-analyzer/received-events.ts";
import type { Portal } from "../../app/portal.server.ts";
import { serveAssistants } from "../../server/assistants/serve-assistants.ts";
import { parseConfiguration, type ServiceName } from "../../server/configuration.ts";
import { type ExampleShops, openExampleShops } from "../../server/example/example-shops.ts";
import { createRoot } from "../../server/http.ts";
import { collectMetrics, serveMetrics } from "../../server/metrics.ts";
import { type loadPages, openPortal } from "../../server/pages.ts";
import { createRoutes } from "../../server/routes.ts";
import { wire } from "../../server/wiring.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { problemResponse } from "../../services/kit/problem/problem-response.ts";
import { createTestDatabase } from "../../services/kit/testing/databases.ts";
import { createLastingServiceTokens } from "../../services/kit/testing/identities.ts";
import { type MailServer, startMailServer } from "../../services/kit/testing/mail-server.ts";
import { deriveKey } from "../../services/kit/vault/vault.ts";
import { createLastingBackend } from "./lasting-backend.ts";
import { createRunnerToken, type PortalBackend } from "./portal-backend.ts";
import { patience } from "./program.ts";

export const portalOrigin = "https://portal.example.com";
const origin = portalOrigin;
const metricsToken = "token-that-reads-metrics";
const administrator = { username: "admin", password: "correct-horse-battery" };

export interface HandledServices {
  administrator: typeof administrator;
  /** The sent emails. */
  mail: MailServer;
  /** The services, called as the administrator. */
  backend: PortalBackend;
  /** The services, called as another user. */
  createBackend(user: { username: string; password: string }): Promise<PortalBackend>;
  /** The services, called as a visitor from this address. */
  backendOfVisitor(address: string): Promise<Pick<PortalBackend, "securityService">>;
  /** One service's response to a request of any caller. */
  ask(service: ServiceName, request: Request): Promise<Response>;
  /** Makes a service fail at addresses with this ending, until stopped; it responds at all others, so it is not unavailable. */
  failAt(service: ServiceName, ending: string): () => void;
  /** The token with which a service calls others for an organization. */
  serviceToken(organizationId: string): Promise<string>;
  exampleShops: ExampleShops;
  /** The database of all services. */
  databaseUrl: string;
  /** Notifies the analyzer as another service. */
  receive(event: Omit<ReceivedEvent, "organizationId">): Promise<void>;
  /** Gives the plans of all customers other limits, as if every service had been notified. */
  limitPlans(limits: Partial<PlanLimits>): Promise<void>;
  /** The response to an assistant's request. */
  askAsAssistant(request: Request): Promise<Response>;
  /** The text of `/metrics`. */
  readMetrics(): Promise<string>;
  /** Pages that use these services. */
  open(pages: Awaited<ReturnType<typeof loadPages>>): Portal;
  stop(): Promise<void>;
}

/**
 * Every service in this process, called as functions, with a real database and real mail.
 * @param environment additional variables, such as for a remote service
 */
export async function openHandledServices(environment: Record<string, string> = {}): Promise<HandledServices> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "handled-portal-"));
  const [database, mail] = await Promise.all([createTestDatabase(), startMailServer()]);
  const configuration = parseConfiguration({
    DATABASE_URL: database.url,
    SECRETS_KEY: "one key for all tests of pages and forms",
    PUBLIC_URL: origin,
    ADMIN_PASSWORD: administrator.password,
    EGRESS_ALLOW: "loopback",
    MAIL_URL: mail.url,
    MAIL_FROM: "portal@example.com",
    DATA_DIRECTORY: dataDirectory,
    ...patience,
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

  const exampleShops = await openExampleShops({ configuration, wiring, log });

  const root = createRoot({ log, publicUrl: origin, trustedProxies: [] });
  serveMetrics(root, {
    database: wiring.database,
    token: metricsToken,
    routes: createRoutes(),
    collect: () => collectMetrics([...wiring.services.values(), wiring.queue]),
  });
  serveAssistants(root, { configuration, log, wiring });

  const { connections } = wiring;
  async function createBackend(headers: { username: string; password: string }): Promise<PortalBackend> {
    const login = await connections.securityService().login({ headers });
    const connect = (token: string) => ({
      securityService: connections.securityService({ token }),
      portalService: connections.portalService({ token }),
      apiRegistry: connections.apiRegistry({ token }),
      testRegistry: connections.testRegistry({ token }),
      testExecutioner: connections.testExecutioner({ token }),
      testAnalyzer: connections.testAnalyzer({ token }),
    });
    const connectPortal = async () => connections.securityService({ token: await wiring.portalToken() });
    const lasting = createLastingBackend(requireValue(login, "signing in"), connect, async (refreshToken) =>
      (await connectPortal()).continueAccess({ body: { refreshToken } }),
    );
    return {
      ...lasting,
      async asProgram(scopes) {
        const body = { token: await createRunnerToken(lasting, scopes) };
        const exchanged = await (await connectPortal()).exchangeApiToken({ body });
        return connect(requireValue(exchanged, "exchanging the API token").accessToken);
      },
    };
  }
  const backend = await createBackend(administrator);
  const { token } = backend;
  const serviceKey = deriveKey(installation.secretsKey, "service tokens");
  const serviceToken = createLastingServiceTokens(serviceKey, "test-executioner");

  return {
    administrator,
    mail,
    backend,
    createBackend: createBackend,
    async backendOfVisitor(address) {
      const client = { address, voucher: await wiring.portalToken() };
      return { securityService: connections.securityService({ client }) };
    },
    ask: async (service, request) => await wiring.services.get(service)!.app.fetch(request),
    failAt(service, ending) {
      const { app } = wiring.services.get(service)!;
      const { fetch } = app;
      app.fetch = (request, ...others) =>
        new URL(request.url).pathname.endsWith(ending)
          ? problemResponse(new Problem("internal_error"), request.headers.get("x-request-id") ?? "")
          : fetch(request, ...others);
      return () => {
        app.fetch = fetch;
      };
    },
    async askAsAssistant(request) {
      return await root.fetch(request, { incoming: { socket: { remoteAddress: "192.0.2.1" }, headers: {} } });
    },
    async readMetrics() {
      const headers = { authorization: `Bearer ${metricsToken}` };
      const incoming = { socket: { remoteAddress: "192.0.2.1" }, headers: {} };
      return await (await root.fetch(new Request(`${origin}/metrics`, { headers }), { incoming })).text();
    },
    serviceToken,
    exampleShops,
    databaseUrl: database.url,
    async receive(event) {
      const { org: organizationId } = decodeJwt<{ org: string }>(token);
      const received = connections.testAnalyzer({ token: await serviceToken(organizationId) }).receiveEvent({
        body: { ...event, organizationId } as ReceivedEvent,
      });
      requireValue(await received, "telling the analyzer");
    },
    open: (pages) => openPortal(pages, { configuration, installation, log, wiring, exampleShops }),
    async limitPlans(limits) {
      // The increased version makes notifications sent before this change out of date.
      const change = `standing = jsonb_set(standing, '{plan,limits}', (standing -> 'plan' -> 'limits') || '${JSON.stringify(limits)}')
        || jsonb_build_object('version', (standing ->> 'version')::int + 1000)`;
      const known = "where jsonb_typeof(standing -> 'plan') = 'object'";
      const services = ["security_service", "api_registry", "test_registry", "test_executioner"];
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query(`begin;
        select pg_advisory_xact_lock(hashtextextended(organization_id::text, 3370914)) from portal_service.organization_plans;
        update portal_service.services set limits = limits || '${JSON.stringify(limits)}';
        update portal_service.organization_plans set ${change} ${known};
        ${services.map((service) => `update ${service}.plan_standings set version = version + 1000, ${change} ${known};`).join("\n")}
        commit`);
      await client.end();
    },
    async stop() {
      await wiring.stopServices();
      await exampleShops.close();
      await wiring.close();
      await mail.stop();
      await database.drop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
