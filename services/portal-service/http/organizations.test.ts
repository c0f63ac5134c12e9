import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { connectTo } from "../../kit/client/client.ts";
import { systemClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import { createServiceTokens } from "../../kit/identity/identity.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createSecurityService } from "../../security-service/service.ts";
import { createSurroundings } from "../../security-service/testing/surroundings.ts";
import { createPortalService } from "../service.ts";

const serviceKey = new Uint8Array(32).fill(5);
const shared = { log: pino({ level: "silent" }), clock: systemClock, version: "0.0.0" };

for (const engine of testEngines()) {
  let database: Database;
  let security: Awaited<ReturnType<typeof createSecurityService>>;
  let accessToken: string;
  let surroundings: Awaited<ReturnType<typeof createSurroundings>>;

  async function connectPortal(reachSecurity: (request: Request) => Response | Promise<Response>) {
    const service = await createPortalService({
      ...shared,
      ...surroundings,
      secretsKey: "a key for tests",
      contactAddress: "contact@portal.example.com",
      mailbox: undefined,
      provider: undefined,
      work: false,
      database,
      authenticate: security.authenticate,
      securityService: connectTo(securityServiceContract, { transport: reachSecurity }),
      serviceToken: createServiceTokens(serviceKey, "portal-service"),
    });
    return connectTo(portalServiceContract, { transport: (request) => service.app.fetch(request) });
  }

  beforeAll(async () => {
    database = await engine.open();
    surroundings = await createSurroundings(database, shared.log);
    security = await createSecurityService({
      ...shared,
      ...surroundings,
      database,
      secretsKey: "a key for tests",
      serviceKey,
      administrator: { username: "admin", password: "correct horse" },
    });
    const client = connectTo(securityServiceContract, { transport: (request) => security.app.fetch(request) })();
    const result = await client.login({ headers: { username: "admin", password: "correct%20horse" } });
    if (!result.ok) throw new Error(result.problem.detail);
    accessToken = result.value.accessToken;
  });
  afterAll(async () => {
    await security.stop();
    await surroundings.queue.stop();
    await database.close();
  });

  test(`${engine.name}: a signed-in caller gets their own organization`, async () => {
    const connect = await connectPortal((request) => security.app.fetch(request));
    const result = await connect({ token: accessToken }).getCurrentOrganization();
    expect(result).toMatchObject({ ok: true, value: { name: "My organization", kind: "organization" } });
  });

  test(`${engine.name}: a token is required`, async () => {
    const connect = await connectPortal((request) => security.app.fetch(request));
    expect(await connect().getCurrentOrganization()).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: T01: a deleted organization is not found`, async () => {
    const connect = await connectPortal((request) => security.app.fetch(request));
    const token = await createServiceTokens(serviceKey, "other")("01900000-0000-7000-8000-000000000000");
    expect(await connect({ token }).getCurrentOrganization()).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: an unavailable security-service yields 503`, async () => {
    const connect = await connectPortal(() => Promise.reject(new Error("refused")));
    const result = await connect({ token: accessToken }).getCurrentOrganization();
    expect(result).toMatchObject({ status: 503, problem: { code: "service_unavailable" } });
  });
}
