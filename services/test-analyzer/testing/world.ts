import { type Logger, pino } from "pino";
import { uuidv7 } from "uuidv7";
import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { createApiRegistry } from "../../api-registry/service.ts";
import { connectToPortalWithPlan, noTests, tableEgress } from "../../api-registry/testing/registry.ts";
import { connectTo, requireValue } from "../../kit/client/client.ts";
import { type Clock, movableClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import { migrateSchema } from "../../kit/database/migrate.ts";
import type { Authenticate } from "../../kit/identity/identity.ts";
import { createService } from "../../kit/service/service.ts";
import type { TestEngine } from "../../kit/testing/databases.ts";
import { createTestIdentities } from "../../kit/testing/identities.ts";
import { noLimits } from "../../kit/testing/plans.ts";
import { createVault } from "../../kit/vault/vault.ts";
import type { CountedExecution } from "../../test-executioner/domain/tally.ts";
import { createCircleStatusHandlers } from "../../test-executioner/http/circle-statuses.ts";
import { createCountHandlers } from "../../test-executioner/http/counts.ts";
import { countExecutions } from "../../test-executioner/store/counts.ts";
import { migrations } from "../../test-executioner/store/migrations.ts";
import { type ExecutionTables, schemaName } from "../../test-executioner/store/tables.ts";
import { storedRun } from "../../test-executioner/testing/stored-run.ts";
import { createTestAnalyzer, type TestAnalyzerOptions } from "../service.ts";
import { createSurroundings } from "./surroundings.ts";

/** A test analyzer with a real API registry, on one separate database. */
export async function createTestAnalyzerWorld(engine: TestEngine, options: Partial<TestAnalyzerOptions> = {}) {
  const database = options.database ?? (await engine.open());
  const identities = createTestIdentities();
  const clock = movableClock("2026-03-10T12:30:00Z");
  const logged: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
  const surroundings = await createSurroundings(database, log);
  const shared = {
    database,
    authenticate: identities.authenticate,
    log,
    clock,
    version: "1.2.3",
    serviceToken: identities.serviceToken,
  };
  const registry = await createApiRegistry({
    ...shared,
    egress: tableEgress(),
    vault: createVault("a key for tests"),
    testRegistry: noTests,
    portalService: connectToPortalWithPlan(() => noLimits),
    consumers: [],
    work: false,
  });
  let registryAnswers = true;
  const apiRegistry = connectTo(apiRegistryContract, {
    transport: async (request) => {
      if (!registryAnswers) throw new Error("connection refused");
      return await registry.app.fetch(request);
    },
  });
  const counts = await createCounts(shared);
  const service = await createTestAnalyzer({
    ...shared,
    ...surroundings,
    apiRegistry,
    testExecutioner: counts.connect,
    ...options,
  });
  const connect = connectTo(testAnalyzerContract, { transport: async (request) => service.app.fetch(request) });
  return {
    database,
    service,
    clock,
    connect,
    logged,
    delivery: surroundings.delivery,
    circles: surroundings.circles,
    tokenFor: identities.tokenFor,
    serviceToken: identities.serviceToken,
    /** An organization with its client, a service's client for it, and its APIs. */
    async createTenant() {
      const { token, organizationId } = identities.tokenFor();
      return {
        token,
        organizationId,
        client: connect({ token }),
        /** Counts finished executions, as the executioner does when it stores their results. */
        count: (executions: Omit<CountedExecution, "organizationId">[]) =>
          counts.add(executions.map((execution) => ({ ...execution, organizationId }))),
        endRun: (testCircleId: string, verdict: Verdict, counted?: RunCounted) =>
          counts.endRun(organizationId, testCircleId, verdict, counted),
        internal: connect({ token: await identities.serviceToken(organizationId) }),
        async registerApi(document: string, files: { fileName?: string; files?: Record<string, string> } = {}) {
          const result = await apiRegistry({ token }).registerApi({ body: { source: { document, ...files } } });
          return requireValue(result, "register").id;
        },
        async listOperations(apiId: string) {
          const result = await apiRegistry({ token }).listOperations({ params: { apiId }, query: { limit: 200 } });
          return requireValue(result, "operations").items;
        },
      };
    },
    silenceExecutioner: counts.silence,
    silenceApiRegistry(silent: boolean) {
      registryAnswers = !silent;
    },
    async close() {
      await service.stop();
      surroundings.judging.stop();
      await surroundings.queue.stop();
      await surroundings.egress.close();
      await registry.stop();
      await database.close();
    },
  };
}

type RunCounted = { passed?: number; failed?: number };

/** The part of the executioner that counts. */
async function createCounts(shared: {
  database: Database;
  authenticate: Authenticate;
  clock: Clock;
  log: Logger;
  version: string;
}) {
  await migrateSchema(shared.database, schemaName, migrations);
  const db = shared.database.inSchema<ExecutionTables>(schemaName);
  const {
    countExecutions: points,
    countOutcomes,
    countPlaces,
    listCircleStandings,
    findResponseTimeShift,
    rankOperations,
    listOperationVerdicts,
  } = testExecutionerContract;
  const contract = {
    countExecutions: points,
    countOutcomes,
    countPlaces,
    listCircleStandings,
    findResponseTimeShift,
    rankOperations,
    listOperationVerdicts,
  };
  const handlers = { ...createCountHandlers(db), ...createCircleStatusHandlers(db) };
  let results = true;
  const service = createService({
    ...shared,
    ...{ name: "test-executioner", description: "", contract, handlers },
    checkHealth: shared.database.checkHealth,
  });
  return {
    connect: connectTo(testExecutionerContract, {
      transport: async (request) => {
        if (!results) throw new Error("connection refused");
        return await service.fetch(request);
      },
    }),
    silence(silent: boolean) {
      results = !silent;
    },
    add: (executions: CountedExecution[]) => countExecutions(db, executions),
    /** A complete run of a circle that has just ended. */
    async endRun(organizationId: string, testCircleId: string, verdict: Verdict, counts: RunCounted = {}) {
      const run = storedRun({
        ...{ id: uuidv7(), organization_id: organizationId, test_circle_id: testCircleId },
        ...{ verdict, finished_at: shared.clock.now() },
      });
      await db
        .insertInto("runs")
        .values({ ...run, ...counts })
        .execute();
    },
  };
}

export function countedExecution(changes: Partial<CountedExecution> = {}): Omit<CountedExecution, "organizationId"> {
  return {
    id: uuidv7(),
    apiId: uuidv7(),
    testId: uuidv7(),
    testCircleId: null,
    method: "get",
    path: "/pets",
    rowIndex: null,
    verdict: "passed",
    configuration: "00000000-0000-7000-8000-000000000000",
    statusCode: 200,
    causeCode: null,
    responseMilliseconds: 100,
    finishedAt: new Date("2026-03-10T12:00:00Z"),
    ...changes,
  };
}
