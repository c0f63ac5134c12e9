import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import type { ServerBuild } from "@remix-run/node";
import { compress } from "hono/compress";
import type { Logger } from "pino";
import type { RouteTable } from "#libraries/openapi/route-table.ts";
import type { createPortal, Portal } from "../app/portal.server.ts";
import { isOutdated } from "../services/kit/identity/identity.ts";
import { getClientAddress, isForwarded, isFromTrustedProxy } from "../services/kit/service/client-address.ts";
import { StartRefused } from "../services/kit/service/start-refused.ts";
import type { Configuration } from "./configuration.ts";
import { getDeadlines } from "./deadlines.ts";
import type { ExampleShops } from "./example/example-shops.ts";
import type { Root } from "./http.ts";
import type { Installation } from "./installation.ts";
import { addPages } from "./routes.ts";
import type { Wiring } from "./wiring.ts";

/** Next to this file in the bundle. */
const builtFile = fileURLToPath(new URL("./pages.js", import.meta.url));

/** A source of pages and the files they load. */
export interface PageSource {
  mode: "production" | "development";
  /** The current pages: the same object until one changes. */
  load(): Promise<ServerBuild>;
  serveFiles(root: Root, version: string): void;
  /** Responds when pages can't be loaded; when unset, that is an error of the process. */
  describeFailure?(error: unknown): Response;
}

interface Given {
  configuration: Configuration;
  installation: Installation;
  log: Logger;
  wiring: Wiring;
  exampleShops: ExampleShops;
}

/** The built pages. */
export async function loadPages(file: string): Promise<ServerBuild> {
  if (!existsSync(file)) throw new StartRefused("The portal is not built yet: run npm run build first.");
  return (await import(/* @vite-ignore */ file)) as ServerBuild;
}

/** The portal as a request handler. */
export function openPortal(
  build: ServerBuild,
  { configuration, installation, log, wiring, exampleShops }: Given,
  mode: PageSource["mode"] = "production",
): Portal {
  const entry = build.entry.module as unknown as { createPortal: typeof createPortal };
  const { connections } = wiring;
  return entry.createPortal({
    build,
    mode,
    secretsKey: installation.secretsKey,
    publicUrl: configuration.publicUrl,
    contactAddress: configuration.contactAddress,
    keepsMail: wiring.keepsMail,
    hintMilliseconds: getDeadlines(configuration).hintMilliseconds,
    example: exampleShops,
    humanCheckScript: configuration.humanCheckProvider?.scriptUrl,
    log,
    isOutdated: (accessToken) => isOutdated(accessToken, wiring.accessState),
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

/** The pages of the build, and its precompressed files. */
export const builtPages: PageSource = {
  mode: "production",
  load: () => loadPages(builtFile),
  serveFiles(root, version) {
    const files = fileURLToPath(new URL("../client", import.meta.url));
    root.use(
      "/assets/*",
      async (c, next) => {
        await next();
        // Not by `onFound`: a header set there arrives after the response was created and is lost.
        if (c.res.ok) c.res.headers.set("cache-control", "public, max-age=31536000, immutable");
      },
      serveStatic({ root: files, precompressed: true }),
    );
    servePublicFiles(root, files);
    serveCommandLine(root, fileURLToPath(new URL("../cli", import.meta.url)), version);
  },
};

/**
 * The command line of this version, as npm packs packages. Its address has the version, since npm keeps what it got from
 * an address. What pipelines of GitHub and GitLab include asks for the version by `/cli.tgz`.
 */
function serveCommandLine(root: Root, folder: string, version: string): void {
  const path = `/cli/${version}.tgz`;
  root.get("/cli.tgz", (c) => c.redirect(path));
  root.get(path, serveStatic({ path: `${version}.tgz`, root: folder }));
  for (const file of ["github/action.yml", "gitlab/assurance.yml"])
    root.get(`/cli/${file}`, serveStatic({ path: file, root: folder }));
}

/** Static files in `public/`. */
export function servePublicFiles(root: Root, folder: string): void {
  const files = serveStatic({ root: folder });
  root.use("/favicon.svg", files);
  root.use("/pictures/*", files);
}

/**
 * Serves the pages, and the files they load. Must be registered last: pages handle all remaining paths.
 * @param routes gets the patterns of the pages
 */
export async function servePages(root: Root, routes: RouteTable, given: Given, source: PageSource): Promise<void> {
  // In development pages are added and removed; metrics count all of them as one.
  if (source.mode === "production") addPages(routes, await source.load());
  let opened: { build: ServerBuild; portal: Portal } | undefined;
  async function currentPortal(): Promise<Portal> {
    const build = await source.load();
    if (opened?.build !== build) opened = { build, portal: openPortal(build, given, source.mode) };
    return opened.portal;
  }
  const { trustedProxies } = given.configuration;
  source.serveFiles(root, given.configuration.version);
  root.use(compress());
  root.all("*", async (c) => {
    let portal: Portal;
    try {
      portal = await currentPortal();
    } catch (error) {
      if (!source.describeFailure) throw error;
      return source.describeFailure(error);
    }
    return await portal(c.req.raw, {
      clientAddress: getClientAddress(c.env.incoming, trustedProxies),
      viaTrustedProxy: isFromTrustedProxy(c.env.incoming, trustedProxies),
      isForwarded: isForwarded(c.req.raw.headers),
    });
  });
}
