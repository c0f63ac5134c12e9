import pino from "pino";
import { uuidv7 } from "uuidv7";
import type { Scope } from "#contracts/kit/endpoint.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { connectTo } from "../../kit/client/client.ts";
import { type MovableClock, movableClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import { createServiceTokens } from "../../kit/identity/identity.ts";
import { createLastingServiceTokens, createTestIdentities } from "../../kit/testing/identities.ts";
import { insertOrganization } from "../../security-service/store/new-accounts.ts";
import { administratorPassword, createSecurityWorld, serviceKey } from "../../security-service/testing/world.ts";
import { createPortalService, type PortalServiceOptions } from "../service.ts";

export const secretsKey = "a key for tests";
export const contactAddress = "contact@portal.example.com";

/** portal-service with a real security-service that can be made unavailable, and an adjustable clock. */
export async function createPortalWorld(
  database: Database,
  options: Partial<PortalServiceOptions> & { clock?: MovableClock } = {},
) {
  const { clock = movableClock(new Date()) } = options;
  const security = await createSecurityWorld(database, { clock });
  const identities = createTestIdentities();
  const log = pino({ level: process.env.LOG_LEVEL ?? "silent" });
  let securityAway = false;

  const service = await createPortalService({
    database,
    log,
    version: "0.0.0",
    authenticate: (token) => (/^test\./.test(token) ? identities.authenticate : security.service.authenticate)(token),
    securityService: connectTo(securityServiceContract, {
      transport: (request) =>
        securityAway ? Promise.reject(new Error("refused")) : security.service.app.fetch(request),
    }),
    serviceToken: createServiceTokens(serviceKey, "portal-service"),
    consumers: [],
    queue: security.queue,
    delivery: security.mail,
    work: true,
    secretsKey,
    contactAddress,
    mailbox: undefined,
    provider: undefined,
    portalOrigin: () => "https://portal.example",
    ...options,
    clock,
  });
  const connect = connectTo(portalServiceContract, { transport: (request) => service.app.fetch(request) });

  const signedIn = await security.logIn("admin", administratorPassword);
  if (!signedIn.ok) throw new Error(signedIn.problem.detail);
  const operating = await security.service.authenticate(signedIn.value.accessToken);

  async function addOrganization(serviceId: string | null = null): Promise<string> {
    const id = uuidv7();
    await insertOrganization(security.db, {
      id,
      kind: "organization",
      name: "Ours",
      serviceId,
      createdAt: clock.now(),
    });
    return id;
  }
  const organizationId = await addOrganization();

  return {
    clock,
    connect,
    fetch: (request: Request) => Promise.resolve(service.app.fetch(request)),
    mail: security.mail,
    /** A customer. */
    organizationId,
    /** Another customer. */
    addOrganization,
    operatingOrganizationId: operating.organizationId,
    /** The installation's operator, in a separate organization. */
    operator: connect({ token: signedIn.value.accessToken }),
    /** A client for a member of the organization who is no operator. */
    member(caller: { userId?: string; scopes?: Scope[]; organizationId?: string } = {}) {
      return connect({ token: identities.tokenFor({ organizationId, ...caller }).token });
    },
    /** A client for another service, acting for an organization. */
    async serviceFor(organization = organizationId) {
      return connect({ token: await createLastingServiceTokens(serviceKey, "billing")(organization) });
    },
    choosePlan: (serviceId: string | null) =>
      security.db
        .updateTable("organizations")
        .set({ service_id: serviceId })
        .where("id", "=", organizationId)
        .execute(),
    sendSecurityAway(away: boolean) {
      securityAway = away;
    },
    async stop() {
      await service.stop();
      await security.stop();
    },
  };
}

export type PortalWorld = Awaited<ReturnType<typeof createPortalWorld>>;
