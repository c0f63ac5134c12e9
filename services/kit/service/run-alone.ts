import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type Logger, pino } from "pino";
import { ConfigurationError, parseConfiguration, type ServiceName } from "../../../configuration.ts";
import { type Connect, connectTo } from "../client/client.ts";
import { type Clock, systemClock } from "../clock/clock.ts";
import type { Contract } from "../contract/operation.ts";
import { type Database, openPostgresDatabase } from "../database/database.ts";
import { createEgress, type Egress, parseEgressAllow } from "../egress/egress.ts";
import {
  type Authenticate,
  createAuthenticate,
  createServiceTokens,
  type IssueServiceToken,
} from "../identity/identity.ts";
import { publicKeysContract, publicKeysFrom } from "../identity/public-keys.ts";
import { deriveKey } from "../vault/vault.ts";
import type { RunningService } from "./running-service.ts";

/** What a service that runs alone gets from its environment. */
export interface Alone {
  shared: { database: Database; log: Logger; clock: Clock; version: string };
  secretsKey: string;
  serviceKey: Uint8Array;
  serviceToken: IssueServiceToken;
  /** Verifies tokens with the keys that security-service publishes. */
  authenticate: Authenticate;
  egress: Egress;
  administrator: { username: string; password: string | undefined };
  /** Another service, at the address its variable names. */
  reach<C extends Contract>(name: ServiceName, contract: C): Connect<C>;
}

/**
 * Runs one service as a process of its own, on PostgreSQL, with the same variables as the whole portal. It serves its
 * internal calls too, so it belongs on a network that only the other processes reach.
 */
export async function runAlone(name: string, create: (alone: Alone) => Promise<RunningService>): Promise<void> {
  const configuration = parseConfiguration(process.env);
  if (!configuration.databaseUrl || !configuration.secretsKey) {
    throw new ConfigurationError("DATABASE_URL and SECRETS_KEY are needed to run a service alone.");
  }
  const log = pino({ level: configuration.logLevel });
  const database = await openPostgresDatabase(configuration.databaseUrl);
  const serviceKey = deriveKey(configuration.secretsKey, "service tokens");
  const egress = createEgress({
    policy: {
      allow: parseEgressAllow(configuration.egressAllow ?? ""),
      allowLoopback: false,
      ownTargets: [{ host: configuration.host, port: configuration.port }],
    },
  });
  function reach<C extends Contract>(other: ServiceName, contract: C): Connect<C> {
    const baseUrl = configuration.serviceUrls[other];
    if (!baseUrl) throw new ConfigurationError(`${name} needs the address of ${other}.`);
    return connectTo(contract, { baseUrl });
  }
  const service = await create({
    shared: { database, log, clock: systemClock, version: configuration.version },
    secretsKey: configuration.secretsKey,
    serviceKey,
    serviceToken: createServiceTokens(serviceKey, name),
    egress,
    administrator: configuration.administrator,
    authenticate: createAuthenticate({
      serviceKey,
      publicKeys: () => publicKeysFrom(reach("securityService", publicKeysContract))(),
    }),
    reach,
  });
  const server = createServer(getRequestListener(service.app.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(configuration.port, configuration.host, listening);
  });
  log.info({ service: name, port: (server.address() as AddressInfo).port }, "ready");
  process.once("SIGTERM", async () => {
    const closed = new Promise<void>((done) => server.close(() => done()));
    await service.stop();
    await closed;
    await egress.close();
    await database.close();
    process.exit(0);
  });
}
