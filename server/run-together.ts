import type { FolderLock } from "../services/kit/lock/folder-lock.ts";
import { createLog } from "../services/kit/log/log.ts";
import { listen } from "../services/kit/service/listener.ts";
import { stopOnSignals } from "../services/kit/service/stop-signals.ts";
import { serveAssistants } from "./assistants/serve-assistants.ts";
import type { Configuration } from "./configuration.ts";
import { openExampleShops } from "./example/example-shops.ts";
import { servePublicApi } from "./gateway.ts";
import { createRoot, serveHealth } from "./http.ts";
import { openInstallation } from "./installation.ts";
import { listenInternally, requireInternalPort } from "./internal-calls.ts";
import { collectMetrics, serveMetrics } from "./metrics.ts";
import { builtPages, servePages } from "./pages.ts";
import { servePayPalSandbox } from "./payments.ts";
import { listeningAddress, readyMessage } from "./ready-message.ts";
import { createRoutes } from "./routes.ts";
import { serveSchemas } from "./schemas.ts";
import { wire } from "./wiring.ts";

/**
 * Runs services and portal in this process, from the database to the listener, and prints its address when ready.
 * @param lock on the data folder of an embedded database; released last
 */
export async function runTogether(
  configuration: Configuration,
  lock: FolderLock | undefined,
  pages = builtPages,
): Promise<void> {
  requireInternalPort(configuration);
  const { host, port, publicUrl } = configuration;
  const log = createLog(configuration.logLevel);
  const installation = await openInstallation(configuration.dataDirectory, configuration.secretsKey);
  const ownTargets = [{ host, port }];
  let portalOrigin = publicUrl ?? "";
  let ownAddress = "";
  const addresses = { portalOrigin: () => portalOrigin, ownAddress: () => ownAddress };
  const wiring = await wire({ configuration, installation, log, ownTargets, ...addresses });

  let stopping = false;
  const root = createRoot({ log, publicUrl, trustedProxies: configuration.trustedProxies });
  const routes = createRoutes();
  serveMetrics(root, {
    database: wiring.database,
    token: configuration.metricsToken,
    routes,
    collect: () => collectMetrics([...wiring.services.values(), wiring.queue]),
  });
  const working = {
    name: "process",
    required: true,
    async check() {
      if (stopping) throw new Error("stopping");
    },
  };
  serveHealth(root, { components: [working, ...wiring.components], version: configuration.version });
  servePublicApi(root, { configuration, log, wiring });
  serveAssistants(root, { configuration, log, wiring });
  serveSchemas(root, configuration.version);
  if (wiring.paypalSandbox) servePayPalSandbox(root, wiring.paypalSandbox);
  const exampleShops = await openExampleShops({ configuration, wiring, log });
  if (configuration.run.includes("portal"))
    await servePages(root, routes, { configuration, installation, log, wiring, exampleShops }, pages);

  const internalListener = await listenInternally({ configuration, log, services: wiring.services });
  if (internalListener) ownTargets.push({ host, port: internalListener.port });
  const listener = await listen(root.fetch, configuration);
  // With PORT=0 the port is known only now; the egress door reads the list at every connect.
  ownTargets.push({ host, port: listener.port });
  ownAddress = listeningAddress(host, listener.port);
  portalOrigin ||= ownAddress;

  stopOnSignals(
    async () => {
      stopping = true;
      log.info("stopping: finishing what is under way");
      const closed = Promise.all([listener.close(), internalListener?.close()]);
      // Event streams end when their service stops, so services stop before the listener.
      await wiring.stopServices();
      await closed;
      await wiring.close();
      await exampleShops.close();
      await lock?.release();
      log.info("stopped");
    },
    { ping: wiring.database.checkHealth, log },
  );
  process.stdout.write(readyMessage(configuration, listener.port, installation));
}
