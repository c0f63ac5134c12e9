import { pino } from "pino";
import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { createApiRegistry } from "../../api-registry/service.ts";
import { tableEgress } from "../../api-registry/testing/registry.ts";
import { connectTo, requireValue } from "../../kit/client/client.ts";
import { movableClock } from "../../kit/clock/clock.ts";
import type { RunningService } from "../../kit/service/running-service.ts";
import type { TestEngine } from "../../kit/testing/databases.ts";
import { noLimits } from "../../kit/testing/plans.ts";
import { createVault } from "../../kit/vault/vault.ts";
import { createSecurityWorld } from "../../security-service/testing/world.ts";
import { createTestRegistry } from "../service.ts";
import { schemaName, type TestTables } from "../store/tables.ts";

/** Between what an import asks of another service and its next step. */
export type Moment = `${"before" | "after"} ${string}`;

const operations: [pattern: RegExp, name: string][] = [
  [/\/imports\/[^/]+\/undo$/, "undoImport"],
  [/\/imports\/[^/]+\/forget$/, "forgetImport"],
  [/\/internal\/v1\/imports\/[^/]+$/, "takeImport"],
  [/\/imported-credentials$/, "takeCredentials"],
  [/\/credentials\/[^/]+$/, "deleteCredential"],
];

/** The three services that an import changes, on one database; the registry of tests can be ended at any of its calls. */
export async function createImportWorld(engine: TestEngine) {
  const database = await engine.open();
  const security = await createSecurityWorld(database);
  const clock = movableClock("2026-03-01T12:00:00Z");
  const log = pino({ level: "silent" });
  const { authenticate } = security.service;
  const shared = {
    database,
    authenticate,
    serviceToken: security.serviceToken,
    log,
    clock,
    version: "1",
    consumers: [],
  };
  const portalService = connectTo(portalServiceContract, { transport: () => Response.json(noLimits) });
  const noResponse = { transport: () => new Response(null, { status: 204 }) };
  let interrupt: (at: Moment) => Promise<void> | undefined = () => undefined;
  const services = new Map<string, RunningService>([["security-service", security.service]]);
  const toService = (name: string) => async (request: Request) => await services.get(name)!.app.fetch(request);
  const interruptible = (name: string) => async (request: Request) => {
    const operation = operations.find(([pattern]) => pattern.test(new URL(request.url).pathname))?.[1];
    if (operation) await interrupt(`before ${operation}`);
    const response = await toService(name)(request);
    if (operation) await interrupt(`after ${operation}`);
    return response;
  };
  services.set(
    "api-registry",
    await createApiRegistry({
      ...{ ...shared, work: true, portalService, egress: tableEgress(), vault: createVault("a key for tests") },
      testRegistry: connectTo(testRegistryContract, { transport: () => Response.json({ items: [] }) }),
    }),
  );
  const openTestRegistry = () =>
    createTestRegistry({
      ...{ ...shared, work: true, schedule: false, portalService, vault: createVault("a key for tests") },
      apiRegistry: connectTo(apiRegistryContract, { transport: interruptible("api-registry") }),
      securityService: connectTo(securityServiceContract, { transport: interruptible("security-service") }),
      testExecutioner: connectTo(testExecutionerContract, noResponse),
      testAnalyzer: connectTo(testAnalyzerContract, noResponse),
      readTime: async () => clock.now(),
    });
  services.set("test-registry", await openTestRegistry());
  const { accessToken: token } = await security.requireLogin();
  const registry = connectTo(testRegistryContract, { transport: toService("test-registry") })({ token });
  const apis = connectTo(apiRegistryContract, { transport: toService("api-registry") })({ token });
  const credentials = connectTo(securityServiceContract, { transport: toService("security-service") })({ token });
  const tables = database.inSchema<TestTables>(schemaName);

  return {
    clock,
    ...{ registry, apis, credentials },
    /** Has `work` called at each of an import's calls; without it, none is interrupted. */
    interruptWith(work: typeof interrupt = () => undefined): void {
      interrupt = work;
    },
    /** The process ends without a sign, and another one takes over. */
    async restartTestRegistry(): Promise<void> {
      await services.get("test-registry")!.stop();
      services.set("test-registry", await openTestRegistry());
    },
    listAttempts: async () => await tables.selectFrom("import_attempts").select(["state"]).execute(),
    async describe() {
      const listed = requireValue(await apis.listApis({ query: { limit: 200 } }), "APIs").items;
      const stored = requireValue(await credentials.listCredentials({ query: { limit: 200 } }), "credentials").items;
      const circles = requireValue(await registry.listCircles({ query: {} }), "circles").items;
      const ofApis = await Promise.all(
        listed.map(async ({ id, name }) => {
          const params = { apiId: id };
          const { variables, secretVariables } = requireValue(await apis.getVariables({ params }), "variables");
          const environments = requireValue(await apis.listEnvironments({ params }), "environments").items;
          const tests = requireValue(await registry.listTests({ params, query: {} }), "tests").items;
          return { name, variables, secretVariables, environments, tests: tests.map((test) => test.name) };
        }),
      );
      return { apis: ofApis, credentials: stored.map(({ name }) => name), circles: circles.map(({ name }) => name) };
    },
    async close() {
      await services.get("test-registry")!.stop();
      await services.get("api-registry")!.stop();
      await security.stop();
      await database.close();
    },
  };
}

export type ImportWorld = Awaited<ReturnType<typeof createImportWorld>>;
