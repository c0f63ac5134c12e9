import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import type { ServerBuild } from "@remix-run/node";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { pino } from "pino";
import { uuidv7 } from "uuidv7";
import { announcementOf, listeningAddress } from "./announcement.ts";
import type { createPortal, Portal } from "./app/portal.server.ts";
import type { Configuration } from "./configuration.ts";
import { openInstallation } from "./installation.ts";
import { apiRegistryContract } from "./services/api-registry/contract/contract.ts";
import { createApiRegistry } from "./services/api-registry/service.ts";
import { type Connect, connectTo } from "./services/kit/client/client.ts";
import { systemClock } from "./services/kit/clock/clock.ts";
import type { Contract } from "./services/kit/contract/operation.ts";
import { openEmbeddedDatabase, openPostgresDatabase } from "./services/kit/database/database.ts";
import { createEgress, parseEgressAllow } from "./services/kit/egress/egress.ts";
import { createAuthenticate, createServiceTokens } from "./services/kit/identity/identity.ts";
import { publicKeysFrom } from "./services/kit/identity/public-keys.ts";
import type { FolderLock } from "./services/kit/lock/folder-lock.ts";
import { createMailbox } from "./services/kit/mail/mailbox.ts";
import { createSmtpDelivery } from "./services/kit/mail/smtp.ts";
import { Problem } from "./services/kit/problem/problem.ts";
import { createQueue } from "./services/kit/queue/queue.ts";
import { clientAddressOf, isFromTrustedProxy } from "./services/kit/service/client-address.ts";
import { listen } from "./services/kit/service/listener.ts";
import { serveOpenForms } from "./services/kit/service/open-forms.ts";
import type { RunningService } from "./services/kit/service/running-service.ts";
import { problemResponse } from "./services/kit/service/service.ts";
import { StartRefused } from "./services/kit/service/start-refused.ts";
import { stopOnSignals } from "./services/kit/service/stop-signals.ts";
import { createVault, deriveKey } from "./services/kit/vault/vault.ts";
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

/** Of answers that bring none of their own: pages do, APIs and assets don't. */
const headersOfAll = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
const transportSecurity = "max-age=31536000; includeSubDomains";

/**
 * Puts the process together, from the database to the listener, and announces it when it is ready.
 * @param lock on the data folder of an embedded database; released at the very end
 */
export async function compose(configuration: Configuration, lock: FolderLock | undefined): Promise<void> {
  const { dataDirectory, databaseUrl, run, serviceUrls, trustedProxies } = configuration;
  const log = pino({ level: configuration.logLevel });
  const installation = await openInstallation(dataDirectory, configuration.secretsKey);
  const database = databaseUrl ? await openPostgresDatabase(databaseUrl) : await openEmbeddedDatabase(dataDirectory);
  const queue = await createQueue({ database, log });
  const ownTargets = [{ host: configuration.host, port: configuration.port }];
  const vault = createVault(installation.secretsKey);
  const mailbox = databaseUrl || configuration.smtp ? undefined : await createMailbox(database, vault, systemClock);
  const delivery = configuration.smtp ? createSmtpDelivery(configuration.smtp) : mailbox;
  if (!delivery) log.warn("MAIL_URL is not set: nobody can register, be invited or choose a new password by mail");
  const mailParts = { queue, delivery, work: run.includes("worker"), secretsKey: installation.secretsKey };
  let portalOrigin = configuration.publicUrl ?? "";
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
      ...mailParts,
      serviceKey,
      portalOrigin: () => portalOrigin,
      humanCheckProvider: configuration.humanCheckProvider,
      egress,
      portalService: connections.portalService,
      administrator: { ...configuration.administrator, onGenerated: installation.keepAdministratorPassword },
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
  if (!serviceUrls.portalService) {
    apps["portal-service"] = await createPortalService({
      ...signed("portal-service"),
      ...mailParts,
      contactAddress: configuration.contactAddress,
      mailbox,
    });
  }
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
  root.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(headersOfAll)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
    if (configuration.publicUrl?.startsWith("https:"))
      c.res.headers.set("strict-transport-security", transportSecurity);
  });
  root.notFound(() => problemResponse(new Problem("not_found", "There is no such call."), uuidv7()));
  root.onError((error) => {
    const requestId = uuidv7();
    log.error({ err: error, requestId }, "request failed");
    return problemResponse(new Problem("internal_error"), requestId);
  });
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
  for (const [name, contract] of [
    ["security-service", securityServiceContract],
    ["portal-service", portalServiceContract],
  ] as const) {
    const service = apps[name];
    if (service) serveOpenForms(root, { name, contract, service, issueToken: portalToken, trustedProxies });
  }
  for (const [name, { app }] of Object.entries(apps)) {
    // Calls between services never come in from outside.
    root.all(`/api/${name}/internal/*`, (c) => c.notFound());
    root.mount(`/api/${name}`, app.fetch);
  }
  root.all("/api/*", (c) => c.notFound());

  if (run.includes("portal")) {
    const builtPages = fileURLToPath(new URL("../server/index.js", import.meta.url));
    if (!existsSync(builtPages)) throw new StartRefused("The portal is not built yet: run npm run build first.");
    const build = (await import(builtPages)) as ServerBuild;
    const entry = build.entry.module as unknown as { createPortal: typeof createPortal };
    const portal: Portal = entry.createPortal({
      build,
      mode: "production",
      secretsKey: installation.secretsKey,
      publicUrl: configuration.publicUrl,
      contactAddress: configuration.contactAddress,
      keepsMail: mailbox !== undefined,
      humanCheckScript: configuration.humanCheckProvider?.scriptUrl,
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
      async (c, next) => {
        await next();
        // Not by `onFound`: a header set there comes after the answer was made and is lost.
        if (c.res.ok) c.res.headers.set("cache-control", "public, max-age=31536000, immutable");
      },
      serveStatic({ root: fileURLToPath(new URL("../client", import.meta.url)), precompressed: true }),
    );
    const publicFiles = serveStatic({ root: fileURLToPath(new URL("../client", import.meta.url)) });
    root.use("/favicon.svg", publicFiles);
    root.use("/pictures/*", publicFiles);
    root.use(compress());
    root.all("*", (c) =>
      portal(c.req.raw, {
        clientAddress: clientAddressOf(c.env.incoming, trustedProxies),
        viaTrustedProxy: isFromTrustedProxy(c.env.incoming, trustedProxies),
      }),
    );
  }

  const listener = await listen(root.fetch, configuration);
  // With PORT=0 the port is known only now; the door reads the list at every connect.
  ownTargets.push({ host: configuration.host, port: listener.port });
  portalOrigin ||= listeningAddress(configuration.host, listener.port);
  process.stdout.write(announcementOf(configuration, listener.port, installation));

  stopOnSignals(async () => {
    stopping = true;
    log.info("stopping: finishing what is under way");
    const closed = listener.close();
    // Streams of progress end when their service stops, so services come before the listener.
    for (const service of Object.values(apps).reverse()) await service.stop();
    await closed;
    await queue.stop();
    await delivery?.close();
    await egress.close();
    await database.close();
    await lock?.release();
    log.info("stopped");
  }, log);
}
