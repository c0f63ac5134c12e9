import { fileURLToPath } from "node:url";
import type { Hono } from "hono";
import type { Logger } from "pino";
import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { actuatorContract } from "#contracts/kit/actuator.ts";
import type { Contract } from "#contracts/kit/endpoint.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { ExplainingEgress, OwnTarget } from "#libraries/egress/egress.ts";
import { createJudging } from "#libraries/judging/judging.ts";
import { createApiRegistry } from "../services/api-registry/service.ts";
import { type Connect, connectTo } from "../services/kit/client/client.ts";
import { systemClock } from "../services/kit/clock/clock.ts";
import { type Database, openEmbeddedDatabase, openPostgresDatabase } from "../services/kit/database/database.ts";
import { accessChangesFrom } from "../services/kit/identity/access-changes.ts";
import { type AccessState, createAccessState } from "../services/kit/identity/access-state.ts";
import { type Authenticate, createAuthenticate, createServiceTokens } from "../services/kit/identity/identity.ts";
import { publicKeysFrom } from "../services/kit/identity/public-keys.ts";
import { createMailbox } from "../services/kit/mail/mailbox.ts";
import { createSmtpDelivery, describeSmtp } from "../services/kit/mail/smtp.ts";
import type { Nats } from "../services/kit/nats/nats.ts";
import { noOrganization } from "../services/kit/organization/no-organization.ts";
import { createQueue, type Queue } from "../services/kit/queue/queue.ts";
import type { Component } from "../services/kit/service/health.ts";
import type { RunningService } from "../services/kit/service/running-service.ts";
import { createSettings, type Settings, settingsFrom } from "../services/kit/settings/settings.ts";
import { createVault, deriveKey } from "../services/kit/vault/vault.ts";
import { createPortalService } from "../services/portal-service/service.ts";
import { createSecurityService } from "../services/security-service/service.ts";
import { createTestAnalyzer } from "../services/test-analyzer/service.ts";
import { createTestExecutioner } from "../services/test-executioner/service.ts";
import { createTestRegistry } from "../services/test-registry/service.ts";
import { awayServices } from "./away-services.ts";
import type { Configuration, ServiceName } from "./configuration.ts";
import { createConsumers } from "./consumers.ts";
import { databaseComponents } from "./database-components.ts";
import { getDeadlines } from "./deadlines.ts";
import { openEnvironmentSecrets } from "./environment-secrets.ts";
import type { Installation } from "./installation.ts";
import { openNats } from "./open-nats.ts";
import { openOutbound } from "./outbound.ts";
import { openPayments } from "./payments.ts";
import { openTelemetry } from "./telemetry/open-telemetry.ts";

/** The services of this process and clients for all six. */
export interface Wiring {
  database: Database;
  /** Those that run in this process. */
  services: Map<ServiceName, RunningService>;
  connections: {
    securityService: Connect<typeof securityServiceContract>;
    portalService: Connect<typeof portalServiceContract>;
    apiRegistry: Connect<typeof apiRegistryContract>;
    testRegistry: Connect<typeof testRegistryContract>;
    testExecutioner: Connect<typeof testExecutionerContract>;
    testAnalyzer: Connect<typeof testAnalyzerContract>;
  };
  /** The status of each of the six, wherever it runs. */
  actuators: Map<ServiceName, Connect<typeof actuatorContract>>;
  /** This process's dependencies. */
  components: Component[];
  /** Users who were signed out or given other roles since their token was issued. */
  queue: Queue;
  accessState: AccessState;
  /** The operators' settings. */
  settings: Settings;
  /** The door for addresses that users enter. */
  egress: ExplainingEgress;
  /** Identifies the portal to a service; without an organization for calls that concern none, such as signing in. */
  portalToken(organizationId?: string): Promise<string>;
  /** Mail stays in this installation's own mailbox. */
  keepsMail: boolean;
  /** Replaces PayPal's pages when no PayPal is configured. */
  paypalSandbox: Hono | undefined;
  /** Stops the services: timers, jobs and event streams. */
  stopServices(): Promise<void>;
  /** Closes queue, mail, egress and database, once nothing uses them any more. */
  close(): Promise<void>;
}

interface Given {
  configuration: Configuration;
  installation: Installation;
  log: Logger;
  /** Targets that no test may reach: this process itself. Read at every connect. */
  ownTargets: OwnTarget[];
  /** The base address of links in mail. */
  portalOrigin(): string;
  /** This process's own address. */
  ownAddress(): string;
}

/** From the specification: a service without a response by then is reported as unavailable. */
const actuatorMilliseconds = 5_000;

/** The initial database of a first start, next to the bundled process. */
const emptyDatabase = fileURLToPath(new URL("../database", import.meta.url));

interface Followed {
  securityService: Connect<typeof securityServiceContract>;
  serviceKey: Uint8Array;
  database: Database;
  log: Logger;
}

/** When security-service runs elsewhere: sign-outs, the operators' settings and public keys are polled. */
function followSecurityService({ securityService, serviceKey, database, log }: Followed) {
  const portalTokens = createServiceTokens(serviceKey, "portal");
  const { subscribe } = database;
  const read = accessChangesFrom(securityService, portalTokens);
  const readSettings = settingsFrom(securityService, portalTokens);
  const settings = createSettings({ read: readSettings, log, subscribe, poll: true });
  const accessState = createAccessState({ read, log, subscribe, poll: true });
  const publicKeys = publicKeysFrom(securityService);
  return {
    settings,
    accessState,
    authenticate: createAuthenticate({ serviceKey, publicKeys, accessState }),
  };
}

async function openDatabase(configuration: Configuration, carrier: Nats | undefined, log: Logger): Promise<Database> {
  if (configuration.databaseUrl)
    return await openPostgresDatabase(configuration.databaseUrl, { ...configuration.database, carrier, log });
  return await openEmbeddedDatabase(configuration.dataDirectory, {
    template: emptyDatabase,
    reserveBytes: configuration.dataReserveMegabytes * 1_048_576,
    log,
  });
}

/** Creates and connects the services, starting with the database. */
export async function wire(given: Given): Promise<Wiring> {
  const { configuration, installation, log, ownTargets, portalOrigin } = given;
  const { databaseUrl, run, serviceUrls } = configuration;
  const nats = await openNats(configuration, installation.secretsKey, log);
  const database = await openDatabase(configuration, nats, log);
  const queue = await createQueue({ database, log });
  const { previousSecretsKeys } = configuration;
  const vault = createVault(installation.secretsKey, previousSecretsKeys);
  const mailbox = databaseUrl || configuration.smtp ? undefined : await createMailbox(database, vault, systemClock);
  const delivery = configuration.smtp ? createSmtpDelivery(configuration.smtp) : mailbox;
  if (!delivery) log.warn("MAIL_URL is not set: registration, invitations and password resets don't work");
  const mailParts = { queue, delivery, secretsKey: installation.secretsKey, previousSecretsKeys };
  const outbound = openOutbound(configuration, ownTargets);
  const { egress } = outbound;
  const telemetry = await openTelemetry(configuration, log);

  const services = new Map<ServiceName, RunningService>();
  let allMade = () => {};
  /** Background work of the first services calls others that are created later. */
  const whenAllMade = new Promise<void>((resolve) => {
    allMade = resolve;
  });
  async function handleHere(name: ServiceName, request: Request): Promise<Response> {
    if (!services.has(name)) await whenAllMade;
    return await services.get(name)!.app.fetch(request);
  }
  const { callMilliseconds, innerCallMilliseconds } = getDeadlines(configuration);
  /** A service of this process, created below, unless its address says that it is elsewhere. */
  function connect<C extends Contract>(
    name: ServiceName,
    contract: C,
    deadlineMilliseconds = callMilliseconds,
  ): Connect<C> {
    const baseUrl = serviceUrls[name];
    const location = baseUrl ? { baseUrl } : { transport: (request: Request) => handleHere(name, request) };
    return connectTo(contract, location, { service: name, deadlineMilliseconds, log });
  }
  const names = Object.keys(serviceUrls) as ServiceName[];
  const connectAll = (deadlineMilliseconds: number) => ({
    securityService: connect("security-service", securityServiceContract, deadlineMilliseconds),
    portalService: connect("portal-service", portalServiceContract, deadlineMilliseconds),
    apiRegistry: connect("api-registry", apiRegistryContract, deadlineMilliseconds),
    testRegistry: connect("test-registry", testRegistryContract, deadlineMilliseconds),
    testExecutioner: connect("test-executioner", testExecutionerContract, deadlineMilliseconds),
    testAnalyzer: connect("test-analyzer", testAnalyzerContract, deadlineMilliseconds),
  });
  const connections = connectAll(callMilliseconds);
  const innerConnections = connectAll(innerCallMilliseconds);
  const consumers = createConsumers(names, callMilliseconds, connect);
  const serviceKey = deriveKey(installation.secretsKey, "service tokens");
  let authenticate: Authenticate;
  let accessState: AccessState;
  let settings: Settings;
  const work = run.includes("worker");
  const schedule = run.includes("scheduler");
  const { version } = configuration;
  const shared = { database, log, clock: systemClock, version, work, schedule, consumers };
  if (serviceUrls["security-service"]) {
    const { securityService } = connections;
    ({ authenticate, accessState, settings } = followSecurityService({ securityService, serviceKey, database, log }));
  } else {
    const security = await createSecurityService({
      ...shared,
      ...mailParts,
      serviceKey,
      portalOrigin,
      humanCheckProvider: configuration.humanCheckProvider,
      egress,
      environmentEgressAllow: configuration.egressAllow,
      environmentPrefix: configuration.secretsEnvironmentPrefix,
      ...innerConnections,
      administrator: { ...configuration.administrator, onGenerated: installation.keepAdministratorPassword },
    });
    services.set("security-service", security);
    ({ authenticate, accessState, settings } = security);
  }
  outbound.follow(settings);
  const signed = (service: ServiceName) => ({
    ...shared,
    ...innerConnections,
    authenticate,
    serviceToken: createServiceTokens(serviceKey, service),
  });
  const payments = serviceUrls["portal-service"] ? undefined : await openPayments({ ...given, database });
  if (!serviceUrls["portal-service"]) {
    const { contactAddress } = configuration;
    const own = {
      contactAddress,
      mailbox,
      mailServer: configuration.smtp && describeSmtp(configuration.smtp),
      provider: payments?.provider,
      isSandbox: payments?.sandbox !== undefined,
      portalOrigin,
    };
    services.set(
      "portal-service",
      await createPortalService({ ...signed("portal-service"), ...mailParts, ...own, settings }),
    );
  }
  if (!serviceUrls["api-registry"])
    services.set("api-registry", await createApiRegistry({ ...signed("api-registry"), egress, vault }));
  if (!serviceUrls["test-registry"])
    services.set("test-registry", await createTestRegistry({ ...signed("test-registry"), vault }));
  const judging = createJudging();
  if (!serviceUrls["test-analyzer"]) {
    const given = { ...signed("test-analyzer"), ...mailParts, judging, egress, portalOrigin };
    services.set("test-analyzer", await createTestAnalyzer(given));
  }
  if (!serviceUrls["test-executioner"]) {
    const { metricsCircles: maxMeasuredCircles } = configuration;
    const given = {
      ...signed("test-executioner"),
      settings,
      judging,
      egress,
      vault,
      maxMeasuredCircles,
      telemetry,
      environmentSecrets: openEnvironmentSecrets(configuration),
      offers: nats?.offers,
    };
    services.set("test-executioner", await createTestExecutioner(given));
  }

  allMade();

  const portalTokens = createServiceTokens(serviceKey, "portal");
  const components: Component[] = [
    ...databaseComponents(database, nats),
    { name: "queue", required: true, check: () => queue.checkHealth() },
    ...awayServices(serviceUrls),
  ];
  return {
    actuators: new Map(names.map((name) => [name, connect(name, actuatorContract, actuatorMilliseconds)])),
    components,
    database,
    queue,
    services,
    connections,
    accessState,
    settings,
    egress,
    portalToken: (organizationId = noOrganization) => portalTokens(organizationId),
    keepsMail: mailbox !== undefined,
    paypalSandbox: payments?.sandbox,
    async stopServices() {
      accessState.stop();
      settings.stop();
      for (const service of [...services.values()].reverse()) await service.stop();
      judging.stop();
    },
    async close() {
      await telemetry?.close();
      await queue.stop();
      await delivery?.close();
      await egress.close();
      await payments?.close();
      await database.close();
      await nats?.close();
    },
  };
}
