import type { z } from "@hono/zod-openapi";
import { pino } from "pino";
import { uuidv7 } from "uuidv7";
import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { Environment } from "#contracts/api-registry/environments.ts";
import type { planLimits } from "#contracts/kit/plan.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { connectTo } from "../../kit/client/client.ts";
import { movableClock } from "../../kit/clock/clock.ts";
import type { Consumer } from "../../kit/events/consumer.ts";
import type { PlanTables } from "../../kit/plan/plan-table.ts";
import type { TestEngine } from "../../kit/testing/databases.ts";
import { createTestIdentities } from "../../kit/testing/identities.ts";
import { createVault } from "../../kit/vault/vault.ts";
import { createTestRegistry } from "../service.ts";
import { schemaName } from "../store/tables.ts";

type PlanLimits = z.infer<typeof planLimits>;

/** A test registry with its own database, and an API registry that knows given APIs. */
export async function createTestRegistryWorld(engine: TestEngine, consumers: Consumer[] = []) {
  const database = await engine.open();
  const identities = createTestIdentities();
  const clock = movableClock("2026-03-01T12:00:00Z");
  const apis = new Map<string, string>();
  let apiRegistryResponses = true;
  const apiRegistry = connectTo(apiRegistryContract, {
    transport: async (request) => {
      if (!apiRegistryResponses) throw new Error("connection refused");
      const caller = await identities.authenticate(request.headers.get("authorization")?.slice(7) ?? "");
      const toSummary = (id: string) => ({ id, effectiveBaseUrl: "https://api.example.com" });
      if (request.method === "POST") {
        const { items } = apiRegistryContract.listRunnableApis.body!.parse(await request.json());
        const known = items.map(({ apiId, organizationId }) =>
          apis.get(apiId) === organizationId ? { api: toSummary(apiId), environments, variables: {} } : null,
        );
        return Response.json({ items: known });
      }
      const apiId = /\/apis\/([^/]+)/.exec(new URL(request.url).pathname)?.[1] ?? "";
      if (apis.get(apiId) === caller.organizationId) return Response.json(toSummary(apiId));
      return Response.json({ code: "not_found", detail: "No such API.", status: 404 }, { status: 404 });
    },
  });
  /** Environments of every API. */
  const environments: Environment[] = [];
  let plan: { name: string; limits: PlanLimits } | null = null;
  const portalService = connectTo(portalServiceContract, {
    transport: () => Response.json({ version: 1, plan, exceeded: [] }),
  });
  /** Earlier versions of schedules start nothing. */
  const fences = new Map<string, number>();
  let executionerResponses = true;
  const testExecutioner = connectTo(testExecutionerContract, {
    transport: async (request) => {
      if (!executionerResponses) throw new Error("connection refused");
      const { schedules } = testExecutionerContract.fenceSchedules.body!.parse(await request.json());
      for (const { scheduleId, version } of schedules) fences.set(scheduleId, version);
      return new Response(null, { status: 204 });
    },
  });
  let usersAreDisabled = false;
  /** Any other exists. */
  const lostCredentials: string[] = [];
  const requestedCredentials: string[] = [];
  const securityService = connectTo(securityServiceContract, {
    transport: ({ url }) => {
      const credentialId = url.split("/credentials/")[1];
      if (!credentialId) return Response.json({ disabled: usersAreDisabled });
      requestedCredentials.push(credentialId);
      return lostCredentials.includes(credentialId)
        ? Response.json({ code: "not_found", detail: "No such credential." }, { status: 404 })
        : Response.json({});
    },
  });
  const service = await createTestRegistry({
    database,
    authenticate: identities.authenticate,
    log: pino({ level: "silent" }),
    clock,
    version: "1.2.3",
    readTime: async () => clock.now(),
    apiRegistry,
    portalService,
    securityService,
    testAnalyzer: connectTo(testAnalyzerContract, { transport: () => new Response(null, { status: 503 }) }),
    testExecutioner,
    serviceToken: identities.serviceToken,
    vault: createVault("a key for tests"),
    consumers,
    work: true,
    schedule: false,
  });
  const connect = connectTo(testRegistryContract, { transport: (request) => service.app.fetch(request) });
  return {
    service,
    clock,
    connect,
    database,
    environments,
    identities,
    tokenFor: identities.tokenFor,
    serviceToken: identities.serviceToken,
    /** An organization with one registered API, and a client in its name. */
    createTenant() {
      const { token, organizationId } = identities.tokenFor();
      const apiId = uuidv7();
      apis.set(apiId, organizationId);
      return { token, organizationId, apiId, client: connect({ token }) };
    },
    registerApi(organizationId: string) {
      const apiId = uuidv7();
      apis.set(apiId, organizationId);
      return apiId;
    },
    fences,
    /** Of every organization. */
    async choosePlan(chosen: typeof plan) {
      plan = chosen;
      const known = database.inSchema<PlanTables>(schemaName).updateTable("plan_standings");
      await known.set({ version: 0, standing: null }).execute();
    },
    /** Credentials requested from security-service. */
    askedCredentials: requestedCredentials,
    loseCredential(id: string) {
      lostCredentials.push(id);
    },
    disableUsers(areDisabled: boolean) {
      usersAreDisabled = areDisabled;
    },
    silenceApiRegistry() {
      apiRegistryResponses = false;
    },
    silenceExecutioner(isSilent = true) {
      executionerResponses = !isSilent;
    },
    async close() {
      await service.stop();
      await database.close();
    },
  };
}
