import { setTimeout as pause } from "node:timers/promises";
import { type Logger, pino } from "pino";
import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { Contract } from "#contracts/kit/endpoint.ts";
import type { PlanStatus } from "#contracts/kit/plan.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { createEgress, type OutboundRequest } from "#libraries/egress/egress.ts";
import { createJudging } from "#libraries/judging/judging.ts";
import type { Explore } from "#libraries/suite/exploration/exploring.ts";
import { createApiRegistry } from "../../api-registry/service.ts";
import { connectTo } from "../../kit/client/client.ts";
import { type Clock, systemClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";
import { type Consumer, createConsumer } from "../../kit/events/consumer.ts";
import type { Offers } from "../../kit/nats/offers.ts";
import { createQueue } from "../../kit/queue/queue.ts";
import type { RunningService } from "../../kit/service/running-service.ts";
import type { Settings } from "../../kit/settings/settings.ts";
import { createTestIdentities } from "../../kit/testing/identities.ts";
import { noLimits } from "../../kit/testing/plans.ts";
import { createVault } from "../../kit/vault/vault.ts";
import { createSecurityService } from "../../security-service/service.ts";
import { createSurroundings } from "../../security-service/testing/surroundings.ts";
import { createTestAnalyzer } from "../../test-analyzer/service.ts";
import { createSurroundings as createAnalyzerSurroundings } from "../../test-analyzer/testing/surroundings.ts";
import { createTestRegistry } from "../../test-registry/service.ts";
import type { EnvironmentSecrets } from "../domain/environment-secrets.ts";
import type { WorkerOptions } from "../jobs/execution-worker.ts";
import type { RunTelemetry } from "../jobs/run-telemetry.ts";
import { createTestExecutioner } from "../service.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { createTenant } from "./tenant.ts";

/** The key that createTestIdentities signs service tokens with. */
const serviceKey = new Uint8Array(32).fill(7);

export interface WorldOptions extends WorkerOptions {
  clock?: Clock;
  work?: boolean;
  schedule?: boolean;
  /** Clock for schedules, instead of the database's time. */
  readTime?: SharedClock;
  allowLoopback?: boolean;
  /** Receive execution events. */
  consumers?: Consumer[];
  /** PEM of a certificate authority that may have issued targets' certificates. */
  trustedAuthority?: string;
  /** Operators' settings. */
  settings?: Settings;
  telemetry?: RunTelemetry;
  environmentSecrets?: EnvironmentSecrets;
  /** Offers of work by NATS. */
  offers?: Offers;
  /** Circles with metrics of their own. */
  maxMeasuredCircles?: number;
  /** Instead of the real one. */
  explore?: Explore;
  /** Also runs the analyzer. */
  withAnalyzer?: boolean;
}

/** The executioner with the real registries and credentials, on one database, with all log entries. */
export async function createExecutionWorld(database: Database, options: WorldOptions = {}) {
  const logged: string[] = [];
  const log: Logger = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
  const identities = createTestIdentities();
  const door = createEgress({
    policy: { allow: [], allowLoopback: options.allowLoopback ?? true, ownTargets: [] },
  });
  const { trustedAuthority: ca } = options;
  const egress = ca
    ? { ...door, send: (request: OutboundRequest) => door.send({ ...request, tls: { ca, ...request.tls } }) }
    : door;
  const queue = await createQueue({ database, log, leaseSeconds: options.leaseSeconds });
  const shared = {
    database,
    log,
    clock: options.clock ?? systemClock,
    version: "1.2.3",
    authenticate: identities.authenticate,
    serviceToken: identities.serviceToken,
    work: options.work ?? true,
    schedule: options.schedule ?? false,
    readTime: options.readTime,
  };
  const running: {
    [name in "api-registry" | "test-registry" | "test-executioner" | "test-analyzer"]?: RunningService;
  } = {};
  const reach = <C extends Contract>(name: keyof typeof running, contract: C) =>
    connectTo(contract, { transport: (request) => running[name]!.app.fetch(request) });
  const consumers = [
    createConsumer("api-registry", apiRegistryContract, reach, 10_000),
    createConsumer("test-registry", testRegistryContract, reach, 10_000),
    createConsumer("test-executioner", testExecutionerContract, reach, 10_000),
    ...(options.withAnalyzer ? [createConsumer("test-analyzer", testAnalyzerContract, reach, 10_000)] : []),
  ];
  /** Nothing is limited unless a test says so. */
  let planStatus: PlanStatus = noLimits;
  const portalService = connectTo(portalServiceContract, {
    transport: (request) => Response.json(request.url.endsWith("/plan") ? planStatus : { retention: null }),
  });
  const vault = createVault("a key for tests");
  const apis = await createApiRegistry({
    ...shared,
    vault,
    egress,
    consumers,
    testRegistry: reach("test-registry", testRegistryContract),
    portalService,
  });
  running["api-registry"] = apis;
  const registryCalls = { findOperations: 0, openCircles: 0 };
  const apiRegistry = connectTo(apiRegistryContract, {
    transport: (request) => {
      if (request.url.endsWith("/operations/find")) registryCalls.findOperations += 1;
      return apis.app.fetch(request);
    },
  });
  const security = await createSecurityService({
    ...(await createSurroundings(database, log, queue)),
    database,
    log,
    clock: systemClock,
    version: "1.2.3",
    secretsKey: "a key for tests",
    serviceKey,
    administrator: { username: "admin", password: "correct horse battery staple" },
    environmentPrefix: options.environmentSecrets?.prefix,
  });
  const securityService = connectTo(securityServiceContract, {
    transport: async (request) => {
      // It knows none of the callers that tests make up; their permissions are not the subject.
      const token = request.headers.get("authorization")?.replace(/^Bearer /, "");
      const caller = token === undefined ? undefined : await identities.authenticate(token);
      if (caller?.kind === "user") {
        request.headers.set("authorization", `Bearer ${await identities.serviceToken(caller.organizationId)}`);
      }
      return await security.app.fetch(request);
    },
  });
  const tests = await createTestRegistry({
    ...shared,
    apiRegistry,
    portalService,
    securityService,
    testAnalyzer: reach("test-analyzer", testAnalyzerContract),
    testExecutioner: reach("test-executioner", testExecutionerContract),
    consumers,
    vault,
  });
  running["test-registry"] = tests;
  const testRegistry = connectTo(testRegistryContract, {
    transport: (request) => {
      if (request.url.endsWith("/opened-test-circles")) registryCalls.openCircles += 1;
      return tests.app.fetch(request);
    },
  });
  const judging = createJudging();
  const analyzer = options.withAnalyzer
    ? await createTestAnalyzer({
        ...shared,
        ...(await createAnalyzerSurroundings(database, log, queue)),
        judging,
        securityService,
        testRegistry,
        egress,
        tries: { attempts: 13, retryDelaySeconds: 0 },
        apiRegistry,
        testExecutioner: connectTo(testExecutionerContract, { transport: (request) => service.app.fetch(request) }),
      })
    : undefined;
  running["test-analyzer"] = analyzer;
  const testAnalyzer = reach("test-analyzer", testAnalyzerContract);
  const service: RunningService = await createTestExecutioner({
    ...shared,
    portalService,
    consumers: [...consumers, ...(options.consumers ?? [])],
    egress,
    settings: options.settings,
    explore: options.explore,
    telemetry: options.telemetry,
    environmentSecrets: options.environmentSecrets,
    offers: options.offers,
    maxMeasuredCircles: options.maxMeasuredCircles ?? 100,
    testRegistry,
    apiRegistry,
    securityService,
    judging,
    vault,
    leaseSeconds: options.leaseSeconds,
    stopSeconds: options.stopSeconds,
  });
  running["test-executioner"] = service;
  const connect = connectTo(testExecutionerContract, { transport: (request) => service.app.fetch(request) });
  const tenantParts = { database, identities, apiRegistry, testRegistry, securityService, connect };

  return {
    database,
    service,
    judging,
    testAnalyzer,
    log,
    logged,
    consumers,
    connect,
    identities,
    apiRegistry,
    vault,
    registryCalls,
    testRegistry,
    portalService,
    /** An organization with one API whose document names the base URL. */
    createTenant: (baseUrl: string, document?: object) => createTenant(tenantParts, baseUrl, document),
    /** For every organization seen from now on. */
    choosePlan(next: PlanStatus) {
      planStatus = next;
    },
    /**
     * Waits until nothing is waiting or running, so that executions of one test send nothing while the next one counts
     * requests.
     */
    async settle() {
      const unfinished = database.inSchema<ExecutionTables>(schemaName).selectFrom("unfinished_executions");
      while (await unfinished.select("id").limit(1).executeTakeFirst()) await pause(20);
    },
    async stop() {
      await service.stop();
      await queue.stop();
      await analyzer?.stop();
      await tests.stop();
      await apis.stop();
      await security.stop();
      judging.stop();
      await egress.close();
    },
  };
}

export type ExecutionWorld = Awaited<ReturnType<typeof createExecutionWorld>>;
