import type { ServerBuild } from "@remix-run/node";
import { RouteTable } from "#libraries/openapi/route-table.ts";
import { assistantsPath, llmsPath } from "./assistants/serve-assistants.ts";
import type { ServiceName } from "./configuration.ts";
import { contracts } from "./contracts.ts";
import { codeSchemaPath } from "./schemas.ts";

/** Every pattern of the public API, and of the process's own status. */
export function createRoutes(): RouteTable {
  const routes = new RouteTable();
  for (const [name, contract] of Object.entries(contracts)) {
    const prefix = `/api/${name}`;
    for (const { method, path } of Object.values(contract)) routes.add(method, prefix + path, undefined);
    for (const path of ["/openapi.json", "/actuator/health", "/actuator/info"]) {
      routes.add("GET", prefix + path, undefined);
    }
  }
  for (const path of [
    "/actuator/*",
    "/api/portal-ui/actuator/*",
    "/metrics",
    "/assets/*",
    "/pictures/*",
    "/favicon.svg",
    llmsPath,
    codeSchemaPath,
    "/schemas/:version/assurance.json",
  ]) {
    routes.add("GET", path, undefined);
  }
  routes.add("POST", assistantsPath, undefined);
  return routes;
}

/** The patterns of a service in its own process. */
export function createRoutesAlone(name: ServiceName): RouteTable {
  const routes = new RouteTable();
  for (const { method, path } of Object.values(contracts[name])) routes.add(method, path, undefined);
  for (const path of ["/openapi.json", "/actuator/*", "/metrics"]) routes.add("GET", path, undefined);
  return routes;
}

/** The patterns of all pages, from the build. */
export function addPages(routes: RouteTable, build: Pick<ServerBuild, "routes">): void {
  for (const route of Object.values(build.routes)) {
    const segments: string[] = [];
    for (let location: typeof route | undefined = route; location; location = build.routes[location.parentId ?? ""]) {
      if (location.path) segments.unshift(location.path);
    }
    const pattern = `/${segments.join("/")}`;
    if (!pattern.endsWith("*")) routes.add(undefined, pattern, undefined);
  }
}
