import type { ServerBuild } from "@remix-run/node";
import { RouteTable } from "#libraries/openapi/route-table.ts";
import { getChain, getPath, type RouteEntry } from "./route-chain.ts";

/**
 * The methods allowed at the portal's addresses: GET for pages and resource routes, POST where there is an action.
 * Needed for every request, so the routes are parsed once; Remix's own matching parses them each time.
 */
export function createAllowedMethods({ routes }: Pick<ServerBuild, "routes">) {
  const table = new RouteTable<string[]>();
  const chains = Object.keys(routes).map((id) => getChain(routes, id));
  // Of the routes at one address the innermost responds.
  for (const chain of chains.sort((a, b) => b.length - a.length)) {
    if (chain.at(-1)!.path !== "*") table.add(undefined, getPath(chain), getMethods(chain));
  }

  /** Undefined where there is no such page, which Remix reports. */
  return function allowedMethods(pathname: string): string[] | undefined {
    return table.find("", pathname)?.value;
  };
}

function getMethods(chain: RouteEntry[]): string[] {
  const leaf = chain.at(-1)!;
  const { module } = leaf;
  const isPage = module.default !== undefined;
  const reads = isPage || module.loader !== undefined;
  // A form of an index page may post to its layout.
  const takes = (isPage ? chain : [leaf]).some((location) => location.module.action !== undefined);
  return [...(reads ? ["GET", "HEAD"] : []), ...(takes ? ["POST"] : []), "OPTIONS"];
}
