import type { Logger } from "pino";
import { accessChangesContract } from "#contracts/kit/access-changes.ts";
import type { Contract } from "#contracts/kit/endpoint.ts";
import { publicKeysContract } from "#contracts/kit/public-keys.ts";
import { settingsContract } from "#contracts/kit/settings.ts";
import type { ExplainingEgress, OwnTarget } from "#libraries/egress/egress.ts";
import { type Connect, connectTo } from "../services/kit/client/client.ts";
import { type Clock, systemClock } from "../services/kit/clock/clock.ts";
import { type Database, openPostgresDatabase } from "../services/kit/database/database.ts";
import type { Consumer } from "../services/kit/events/consumer.ts";
import { accessChangesFrom } from "../services/kit/identity/access-changes.ts";
import { createAccessState } from "../services/kit/identity/access-state.ts";
import {
  type Authenticate,
  createAuthenticate,
  createServiceTokens,
  type IssueServiceToken,
} from "../services/kit/identity/identity.ts";
import { publicKeysFrom } from "../services/kit/identity/public-keys.ts";
import { createLog } from "../services/kit/log/log.ts";
import { createSmtpDelivery, type Delivery, describeSmtp, type MailServer } from "../services/kit/mail/smtp.ts";
import type { Offers } from "../services/kit/nats/offers.ts";
import { createQueue, type Queue } from "../services/kit/queue/queue.ts";
import { listen } from "../services/kit/service/listener.ts";
import type { RunningService } from "../services/kit/service/running-service.ts";
import { refuseStart } from "../services/kit/service/start-refused.ts";
import { stopOnSignals } from "../services/kit/service/stop-signals.ts";
import { createSettings, type Settings, settingsFrom, withoutSettings } from "../services/kit/settings/settings.ts";
import { deriveKey } from "../services/kit/vault/vault.ts";
import type { EnvironmentSecrets } from "../services/test-executioner/domain/environment-secrets.ts";
import { awayServices } from "./away-services.ts";
import { type Configuration, ConfigurationError, parseConfiguration, type ServiceName } from "./configuration.ts";
import { createConsumers } from "./consumers.ts";
import { databaseComponents } from "./database-components.ts";
import { getDeadlines } from "./deadlines.ts";
import { openEnvironmentSecrets } from "./environment-secrets.ts";
import { createRoot, serveHealth } from "./http.ts";
import { requireInternalResponses } from "./internal-calls.ts";
import { collectMetrics, serveMetrics } from "./metrics.ts";
import { openNats } from "./open-nats.ts";
import { openOutbound } from "./outbound.ts";
import { createRoutesAlone } from "./routes.ts";
import { openTelemetry } from "./telemetry/open-telemetry.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import { variables } from "./variables.ts";

/** A separate service's configuration from its environment. */
export interface Alone {
  shared: {
    database: Database;
    log: Logger;
    clock: Clock;
    version: string;
    /** The consumers of its events. */
    consumers: Consumer[];
  };
  secretsKey: string;
  previousSecretsKeys: string[];
  serviceKey: Uint8Array;
  serviceToken: IssueServiceToken;
  /** Verifies tokens with the keys that security-service publishes. */
  authenticate: Authenticate;
  egress: ExplainingEgress;
  /** The operators' settings. */
  settings: Settings;
  /** Updates the egress door from the service's own settings. */
  followSettings(settings: Settings): void;
  environmentEgressAllow: string | undefined;
  /** Whether this process runs jobs, or only accepts them. */
  work: boolean;
  /** Whether this process starts scheduled runs. */
  schedule: boolean;
  openQueue(): Promise<Queue>;
  /** Mail transport; undefined without MAIL_URL. */
  delivery: Delivery | undefined;
  mailServer: MailServer | undefined;
  publicUrl: string | undefined;
  contactAddress: string;
  paypal: Configuration["paypal"];
  humanCheckProvider: Configuration["humanCheckProvider"];
  maxMeasuredCircles: number;
  environmentPrefix: string | undefined;
  environmentSecrets: EnvironmentSecrets;
  telemetry: Telemetry | undefined;
  /** Offers of work; undefined without NATS_URL. */
  offers: Offers | undefined;
  administrator: { username: string; password: string | undefined; email: string | undefined };
  /** Another service, at the address in its variable. */
  connect<C extends Contract>(name: ServiceName, contract: C): Connect<C>;
}

/**
 * Runs one service as its own process, on PostgreSQL, with the same variables as the whole portal. It serves its
 * internal calls too, so it must run on a network that only the other processes can reach.
 */
export async function runAlone(name: ServiceName, create: (alone: Alone) => Promise<RunningService>): Promise<void> {
  await start(name, create).catch(refuseStart);
}

async function start(name: ServiceName, create: (alone: Alone) => Promise<RunningService>): Promise<void> {
  const configuration = parseConfiguration(process.env);
  if (!configuration.databaseUrl || !configuration.secretsKey) {
    throw new ConfigurationError("DATABASE_URL and SECRETS_KEY are needed to run a service alone.");
  }
  const log = createLog(configuration.logLevel);
  const nats = await openNats(configuration, configuration.secretsKey, log);
  const database = await openPostgresDatabase(configuration.databaseUrl, {
    ...configuration.database,
    carrier: nats,
    log,
  });
  const serviceKey = deriveKey(configuration.secretsKey, "service tokens");
  const ownTargets: OwnTarget[] = [];
  const outbound = openOutbound(configuration, ownTargets);
  const { egress } = outbound;
  const { callMilliseconds, innerCallMilliseconds } = getDeadlines(configuration);
  function connect<C extends Contract>(
    other: ServiceName,
    contract: C,
    deadlineMilliseconds = innerCallMilliseconds,
  ): Connect<C> {
    const baseUrl = configuration.serviceUrls[other];
    if (!baseUrl) throw new ConfigurationError(`${variables.serviceUrls[other].name} is needed to run ${name} alone.`);
    return connectTo(contract, { baseUrl }, { service: other, deadlineMilliseconds, log });
  }
  const others = (Object.keys(configuration.serviceUrls) as ServiceName[]).filter((other) => other !== name);
  const serviceToken = createServiceTokens(serviceKey, name);
  await requireInternalResponses({ configuration, others, serviceToken, deadlineMilliseconds: callMilliseconds });
  const accessState =
    name === "security-service"
      ? undefined
      : createAccessState({
          read: accessChangesFrom(connect("security-service", accessChangesContract), serviceToken),
          log,
          subscribe: database.subscribe,
          poll: true,
        });
  // Security-service itself has its own.
  const settings =
    name === "security-service"
      ? withoutSettings
      : createSettings({
          read: settingsFrom(connect("security-service", settingsContract), serviceToken),
          log,
          subscribe: database.subscribe,
          poll: true,
        });
  outbound.follow(settings);
  // Read now, so that a missing address fails the start and not the first request.
  const publicKeys =
    name === "security-service" ? undefined : publicKeysFrom(connect("security-service", publicKeysContract));
  const telemetry = name === "test-executioner" ? await openTelemetry(configuration, log) : undefined;
  let queue: Queue | undefined;
  const delivery = configuration.smtp && createSmtpDelivery(configuration.smtp);
  const service = await create({
    shared: {
      database,
      log,
      clock: systemClock,
      version: configuration.version,
      consumers: createConsumers(others, callMilliseconds, connect),
    },
    secretsKey: configuration.secretsKey,
    previousSecretsKeys: configuration.previousSecretsKeys,
    serviceKey,
    serviceToken,
    egress,
    settings,
    followSettings: outbound.follow,
    environmentEgressAllow: configuration.egressAllow,
    administrator: configuration.administrator,
    authenticate: createAuthenticate({
      serviceKey,
      publicKeys: publicKeys ?? (async () => ({ keys: [] })),
      accessState,
    }),
    work: configuration.run.includes("worker"),
    schedule: configuration.run.includes("scheduler"),
    async openQueue() {
      queue ??= await createQueue({ database, log });
      return queue;
    },
    delivery,
    mailServer: configuration.smtp && describeSmtp(configuration.smtp),
    publicUrl: configuration.publicUrl,
    contactAddress: configuration.contactAddress,
    paypal: configuration.paypal,
    humanCheckProvider: configuration.humanCheckProvider,
    maxMeasuredCircles: configuration.metricsCircles,
    environmentPrefix: configuration.secretsEnvironmentPrefix,
    environmentSecrets: openEnvironmentSecrets(configuration),
    telemetry,
    offers: nats?.offers,
    connect,
  });
  const root = createRoot({ log, publicUrl: configuration.publicUrl, trustedProxies: configuration.trustedProxies });
  serveMetrics(root, {
    database,
    token: configuration.metricsToken,
    routes: createRoutesAlone(name),
    collect: () => collectMetrics(queue ? [service, queue] : [service]),
  });
  serveHealth(root, {
    version: configuration.version,
    components: [
      ...databaseComponents(database, nats),
      ...awayServices({ ...configuration.serviceUrls, [name]: undefined }),
    ],
  });
  root.mount("/", service.app.fetch);
  const listener = await listen(root.fetch, configuration);
  ownTargets.push({ host: configuration.host, port: listener.port });
  stopOnSignals(
    async () => {
      const closed = listener.close();
      accessState?.stop();
      settings.stop();
      await service.stop();
      await closed;
      await telemetry?.close();
      await queue?.stop();
      await delivery?.close();
      await egress.close();
      await database.close();
      await nats?.close();
    },
    { ping: database.checkHealth, log },
  );
  log.info({ service: name, port: listener.port }, "ready");
}
