import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import type { ServerBuild } from "@remix-run/node";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { pino } from "pino";
import type { createPortal, Portal } from "./app/portal.server.ts";
import { type Configuration, ConfigurationError, parseConfiguration } from "./configuration.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { apiRegistryContract } from "./services/api-registry/contract/contract.ts";
import { createApiRegistry } from "./services/api-registry/service.ts";
import { type Connect, connectTo } from "./services/kit/client/client.ts";
import { systemClock } from "./services/kit/clock/clock.ts";
import type { Contract } from "./services/kit/contract/operation.ts";
import { openEmbeddedDatabase, openPostgresDatabase } from "./services/kit/database/database.ts";
import { createEgress, parseEgressAllow } from "./services/kit/egress/egress.ts";
import { createAuthenticate, createServiceTokens } from "./services/kit/identity/identity.ts";
import { publicKeysFrom } from "./services/kit/identity/public-keys.ts";
import { FolderInUse, FolderUnusable, lockFolder } from "./services/kit/lock/folder-lock.ts";
import { createQueue } from "./services/kit/queue/queue.ts";
import { clientAddressOf, isFromTrustedProxy } from "./services/kit/service/client-address.ts";
import type { RunningService } from "./services/kit/service/running-service.ts";
import { deriveKey } from "./services/kit/vault/vault.ts";
import { portalServiceContract } from "./services/portal-service/contract/contract.ts";
import { createPortalService } from "./services/portal-service/service.ts";
import { securityServiceContract } from "./services/security-service/contract/contract.ts";
import { createSecurityService } from "./services/security-service/service.ts";
import { testAnalyzerContract } from "./services/test-analyzer/contract/contract.ts";
import { createTestAnalyzer } from "./services/test-analyzer/service.ts";
import { testExecutionerContract } from "./services/test-executioner/contract/contract.ts";
import { createTestExecutioner } from "./services/test-executioner/service.ts";
import { testRegistryContract } from "./services/test-registry/contract/contract.ts";
import { createTestRegistry } from "./services/test-registry/service.ts";

/** Requests that run on when the process is told to stop get this long. */
const graceMilliseconds = 25_000;

async function start(): Promise<void> {
  const configuration = parseConfiguration(process.env);
  const { dataDirectory, databaseUrl, run, serviceUrls } = configuration;
  const log = pino({ level: configuration.logLevel });

  const lock = databaseUrl ? undefined : await lockFolder(resolve(dataDirectory));
  const installation = await openInstallation(dataDirectory, {
    secretsKey: configuration.secretsKey,
    administratorPassword: configuration.administrator.password,
  });
  const database = databaseUrl ? await openPostgresDatabase(databaseUrl) : await openEmbeddedDatabase(dataDirectory);
  const queue = await createQueue({ database, log });
  const ownTargets = [{ host: configuration.host, port: configuration.port }];
  const egress = createEgress({
    policy: {
      allow: parseEgressAllow(configuration.egressAllow ?? ""),
      allowLoopback: !databaseUrl && configuration.egressAllow === undefined,
      ownTargets,
    },
  });

  const apps: Record<string, RunningService> = {};
  /** A service of this process, made below, unless its address says that it is elsewhere. */
  function reach<C extends Contract>(name: string, contract: C, baseUrl: string | undefined): Connect<C> {
    return connectTo(
      contract,
      baseUrl ? { baseUrl } : { transport: async (request) => apps[name]!.app.fetch(request) },
    );
  }
  const connections = {
    securityService: reach("security-service", securityServiceContract, serviceUrls.securityService),
    portalService: reach("portal-service", portalServiceContract, serviceUrls.portalService),
    apiRegistry: reach("api-registry", apiRegistryContract, serviceUrls.apiRegistry),
    testRegistry: reach("test-registry", testRegistryContract, serviceUrls.testRegistry),
    testExecutioner: reach("test-executioner", testExecutionerContract, serviceUrls.testExecutioner),
    testAnalyzer: reach("test-analyzer", testAnalyzerContract, serviceUrls.testAnalyzer),
  };

  const serviceKey = deriveKey(installation.secretsKey, "service tokens");
  let authenticate = createAuthenticate({ serviceKey, publicKeys: publicKeysFrom(connections.securityService) });
  const shared = { database, log, clock: systemClock, version: configuration.version };
  if (!serviceUrls.securityService) {
    const security = await createSecurityService({
      ...shared,
      secretsKey: installation.secretsKey,
      serviceKey,
      administrator: {
        username: configuration.administrator.username,
        password: installation.administratorPassword,
      },
    });
    apps["security-service"] = security;
    authenticate = security.authenticate;
  }
  const signed = (service: string) => ({
    ...shared,
    ...connections,
    authenticate,
    serviceToken: createServiceTokens(serviceKey, service),
  });
  if (!serviceUrls.portalService) apps["portal-service"] = await createPortalService(signed("portal-service"));
  if (!serviceUrls.apiRegistry) apps["api-registry"] = await createApiRegistry({ ...signed("api-registry"), egress });
  if (!serviceUrls.testRegistry) apps["test-registry"] = await createTestRegistry(signed("test-registry"));
  if (!serviceUrls.testAnalyzer) apps["test-analyzer"] = await createTestAnalyzer(signed("test-analyzer"));
  if (!serviceUrls.testExecutioner) {
    apps["test-executioner"] = await createTestExecutioner({
      ...signed("test-executioner"),
      egress,
      queue,
      work: run.includes("worker"),
    });
  }

  const root = new Hono<{ Bindings: { incoming: import("node:http").IncomingMessage } }>();
  let stopping = false;
  root.get("/actuator/health", async (c) => {
    try {
      if (stopping) throw new Error("stopping");
      await database.checkHealth();
      return c.json({ status: "UP" });
    } catch {
      return c.json({ status: "DOWN" }, 503);
    }
  });
  /** The portal acts for no organization when somebody signs in. */
  const portalTokens = createServiceTokens(serviceKey, "portal");
  const portalToken = () => portalTokens("00000000-0000-0000-0000-000000000000");
  // Who signs in without the portal is told apart by the peer's address, as the portal's visitors are.
  root.post("/api/security-service/auth/login", async (c, next) => {
    const security = apps["security-service"];
    if (!security) return await next();
    const headers = new Headers(c.req.raw.headers);
    headers.set("authorization", `Bearer ${await portalToken()}`);
    headers.set("x-client-address", clientAddressOf(c.env.incoming, configuration.trustedProxies));
    headers.delete("x-user-agent");
    return await security.app.fetch(new Request("http://service.internal/auth/login", { method: "POST", headers }));
  });
  for (const [name, { app }] of Object.entries(apps)) {
    // Calls between services never come in from outside.
    root.all(`/api/${name}/internal/*`, (c) => c.notFound());
    root.mount(`/api/${name}`, app.fetch);
  }
  root.all("/api/*", (c) => c.notFound());

  if (run.includes("portal")) {
    const builtPages = fileURLToPath(new URL("../server/index.js", import.meta.url));
    if (!existsSync(builtPages)) throw new ConfigurationError("The portal is not built yet: run npm run build first.");
    const build = (await import(builtPages)) as ServerBuild;
    const entry = build.entry.module as unknown as { createPortal: typeof createPortal };
    const portal: Portal = entry.createPortal({
      build,
      mode: "production",
      secretsKey: installation.secretsKey,
      publicUrl: configuration.publicUrl,
      log,
      portalToken,
      connect: (caller) => ({
        securityService: connections.securityService(caller),
        portalService: connections.portalService(caller),
        apiRegistry: connections.apiRegistry(caller),
        testRegistry: connections.testRegistry(caller),
        testExecutioner: connections.testExecutioner(caller),
        testAnalyzer: connections.testAnalyzer(caller),
      }),
    });
    root.use(
      "/assets/*",
      serveStatic({
        root: fileURLToPath(new URL("../client", import.meta.url)),
        precompressed: true,
        onFound: (_path, c) => c.header("cache-control", "public, max-age=31536000, immutable"),
      }),
    );
    root.use("/favicon.svg", serveStatic({ root: fileURLToPath(new URL("../client", import.meta.url)) }));
    root.use(compress());
    root.all("*", (c) =>
      portal(c.req.raw, {
        clientAddress: clientAddressOf(c.env.incoming, configuration.trustedProxies),
        viaTrustedProxy: isFromTrustedProxy(c.env.incoming, configuration.trustedProxies),
      }),
    );
  }

  const server = createServer(getRequestListener(root.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(configuration.port, configuration.host, listening);
  });
  const address = server.address() as import("node:net").AddressInfo;
  // With PORT=0 the port is known only now; the door reads the list at every connect.
  ownTargets.push({ host: configuration.host, port: address.port });
  announce(configuration, address.port, installation);

  async function stop(): Promise<void> {
    if (stopping) return;
    stopping = true;
    log.info("stopping: finishing what is under way");
    const closed = new Promise<void>((done) => server.close(() => done()));
    server.closeIdleConnections();
    const tooLong = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
    // Streams of progress end when their service stops, so services come before the listener.
    for (const service of Object.values(apps).reverse()) await service.stop();
    await closed;
    clearTimeout(tooLong);
    await queue.stop();
    await egress.close();
    await database.close();
    await lock?.release();
    log.info("stopped");
  }
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      stop().then(
        () => process.exit(0),
        (error) => {
          log.fatal({ err: error }, "stopping failed");
          process.exit(1);
        },
      );
    });
  }
}

/** For the person at the terminal: where the portal is and how to sign in. */
function announce(configuration: Configuration, port: number, installation: Installation): void {
  const host = configuration.host.includes(":") ? `[${configuration.host}]` : configuration.host;
  const lines = [`The portal is ready at ${configuration.publicUrl ?? `http://${host}:${port}`}`];
  const { username, password } = configuration.administrator;
  if (password) lines.push(`Sign in as ${username} with the ADMIN_PASSWORD of the first start.`);
  else if (installation.administratorPasswordIsNew) {
    lines.push(`Sign in as ${username} with the password ${installation.administratorPassword}`);
    lines.push(`(kept in ${installation.administratorPasswordFile})`);
  } else lines.push(`Sign in as ${username}; the password is in ${installation.administratorPasswordFile}`);
  if (!configuration.databaseUrl) {
    lines.push(
      `Everything is kept in the folder ${resolve(configuration.dataDirectory)} (embedded database, one process).`,
    );
    if (configuration.egressAllow === undefined)
      lines.push("Requests to this machine's own loopback addresses are allowed; EGRESS_ALLOW changes that.");
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}

start().catch((error: unknown) => {
  const expected =
    error instanceof ConfigurationError || error instanceof FolderInUse || error instanceof FolderUnusable;
  process.stderr.write(
    `${expected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
