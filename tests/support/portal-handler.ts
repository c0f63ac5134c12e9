import { resolve } from "node:path";
import type { ServerBuild } from "@remix-run/node";
import type { RouteConfigEntry } from "@remix-run/route-config";
import { pino } from "pino";
import type { PortalOptions } from "../../app/portal.server.ts";
import { createPortal } from "../../app/portal.server.ts";
import routes from "../../app/routes.ts";
import { createSessionKeeper, SessionHolder } from "../../app/session/session.server.ts";
import type { AuthSession } from "../../app/session/stored-session.ts";
import { loadPages } from "../../server/pages.ts";

const secretsKey = "a key for tests";
const origin = "http://localhost";

export interface PageRoute {
  id: string;
  parentId: string | undefined;
  path: string | undefined;
  index: boolean | undefined;
  file: string;
  hasChildren: boolean;
}

/** The portal's routes as Remix has them, parents first. */
export function listRoutes(entries = routes as RouteConfigEntry[], parentId = "root"): PageRoute[] {
  return entries.flatMap(({ id, file, path, index, children = [] }) => {
    const own = id ?? file.replace(/\.tsx?$/, "");
    return [{ id: own, parentId, path, index, file, hasChildren: children.length > 0 }, ...listRoutes(children, own)];
  });
}

/** The built pages, loaded but not rendered: for the effects of loaders and actions. */
async function createBuild(): Promise<ServerBuild> {
  const built = await loadPages(resolve("build/server/index.js"));
  return { ...built, entry: { module: { default: (_, status, headers) => new Response(null, { status, headers }) } } };
}

/** The portal as `createPortal` returns it, and requests of a user who has just signed in. */
export async function createPortalHandler(
  options: Pick<PortalOptions, "connect"> & { token: string; scopes: string[] },
) {
  const portal = createPortal({
    build: await createBuild(),
    mode: "production",
    connect: options.connect,
    actuators: () => [],
    portalToken: async () => options.token,
    secretsKey,
    publicUrl: undefined,
    contactAddress: "help@example.com",
    keepsMail: false,
    hintMilliseconds: 600_000,
    humanCheckScript: undefined,
    isOutdated: () => false,
    registersByInvitation: () => false,
    log: pino({ level: "warn" }),
  });
  const auth: AuthSession = {
    ...{ id: "u", username: "tester", fullName: "Tester", email: "tester@example.com", roles: ["ADMIN"] },
    ...{ accessToken: options.token, refreshToken: "r", expiresAt: Date.now() / 1_000 + 3_600, scopes: options.scopes },
  };
  const holder = new SessionHolder({ auth, toasts: [], announce: "now" }, true);
  holder.renew(auth);
  const cookies = await createSessionKeeper({ secretsKey, secure: false, isOutdated: () => false }).commit(
    holder,
    new Request(origin),
  );
  const cookie = ["cookiesAccepted=Y", ...cookies.map((one) => one.split(";")[0])].join("; ");
  return {
    open: (path: string) =>
      portal(new Request(origin + path, { headers: { cookie, host: "localhost" } }), {
        clientAddress: "127.0.0.1",
        viaTrustedProxy: false,
      }),
  };
}
