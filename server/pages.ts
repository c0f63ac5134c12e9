import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import type { ServerBuild } from "@remix-run/node";
import { compress } from "hono/compress";
import type { Logger } from "pino";
import type { RouteTable } from "#libraries/openapi/route-table.ts";
import type { createPortal, Portal } from "../app/portal.server.ts";
import { isOutdated } from "../services/kit/identity/identity.ts";
import { clientAddressOf, isForwarded, isFromTrustedProxy } from "../services/kit/service/client-address.ts";
import { StartRefused } from "../services/kit/service/start-refused.ts";
import type { Configuration } from "./configuration.ts";
import type { Root } from "./http.ts";
import type { Installation } from "./installation.ts";
import { addPages } from "./routes.ts";
import type { Wiring } from "./wiring.ts";

/** Beside this file once it is bundled. */
const builtPages = fileURLToPath(new URL("./pages.js", import.meta.url));

interface Given {
  configuration: Configuration;
  installation: Installation;
  log: Logger;
  wiring: Wiring;
}

/** The pages as they were built. */
export async function loadPages(file: string): Promise<ServerBuild> {
  if (!existsSync(file)) throw new StartRefused("The portal is not built yet: run npm run build first.");
  return (await import(/* @vite-ignore */ file)) as ServerBuild;
}

/** The portal as a function of a request. */
export function openPortal(build: ServerBuild, { configuration, installation, log, wiring }: Given): Portal {
  const entry = build.entry.module as unknown as { createPortal: typeof createPortal };
  const { connections } = wiring;
  return entry.createPortal({
    build,
    mode: "production",
    secretsKey: installation.secretsKey,
    publicUrl: configuration.publicUrl,
    contactAddress: configuration.contactAddress,
    keepsMail: wiring.keepsMail,
    humanCheckScript: configuration.humanCheckProvider?.scriptUrl,
    log,
    isOutdated: (accessToken) => isOutdated(accessToken, wiring.standings),
    registersByInvitation: () => wiring.settings.current().registrationByInvitation,
    actuators: () => [...wiring.actuators].map(([service, connect]) => ({ service, ...connect() })),
    portalToken: () => wiring.portalToken(),
    connect: (caller) => ({
      securityService: connections.securityService(caller),
      portalService: connections.portalService(caller),
      apiRegistry: connections.apiRegistry(caller),
      testRegistry: connections.testRegistry(caller),
      testExecutioner: connections.testExecutioner(caller),
      testAnalyzer: connections.testAnalyzer(caller),
    }),
  });
}

/**
 * Serves the pages, and the files they ask for. To be called last: pages answer whatever is left.
 * @param routes gets the patterns of the pages
 */
export async function servePages(root: Root, routes: RouteTable, given: Given): Promise<void> {
  const pages = await loadPages(builtPages);
  addPages(routes, pages);
  const portal = openPortal(pages, given);
  const { trustedProxies } = given.configuration;
  const files = fileURLToPath(new URL("../client", import.meta.url));
  root.use(
    "/assets/*",
    async (c, next) => {
      await next();
      // Not by `onFound`: a header set there comes after the answer was made and is lost.
      if (c.res.ok) c.res.headers.set("cache-control", "public, max-age=31536000, immutable");
    },
    serveStatic({ root: files, precompressed: true }),
  );
  const publicFiles = serveStatic({ root: files });
  root.use("/favicon.svg", publicFiles);
  root.use("/pictures/*", publicFiles);
  root.use(compress());
  root.all("*", (c) =>
    portal(c.req.raw, {
      clientAddress: clientAddressOf(c.env.incoming, trustedProxies),
      viaTrustedProxy: isFromTrustedProxy(c.env.incoming, trustedProxies),
      isForwarded: isForwarded(c.req.raw.headers),
    }),
  );
}
