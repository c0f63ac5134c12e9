import type { ServerBuild } from "@remix-run/node";
import { RouteTable } from "#libraries/openapi/route-table.ts";
import { chainOf, type Place, pathOf } from "./route-chain.ts";

/**
 * What may be done at the portal's addresses: pages and what answers data are read, and sent to where they take something.
 * Asked at every request, so that the addresses are taken apart once; Remix's own matching does it each time.
 */
export function createAllowedMethods({ routes }: Pick<ServerBuild, "routes">) {
  const table = new RouteTable<string[]>();
  const chains = Object.keys(routes).map((id) => chainOf(routes, id));
  // Of those at one address the innermost answers.
  for (const chain of chains.sort((a, b) => b.length - a.length)) {
    if (chain.at(-1)!.path !== "*") table.add(undefined, pathOf(chain), methodsOf(chain));
  }

  /** Undefined where there is no such page: to say so is Remix's. */
  return function allowedMethods(pathname: string): string[] | undefined {
    return table.find("", pathname)?.value;
  };
}

function methodsOf(chain: Place[]): string[] {
  const leaf = chain.at(-1)!;
  const { module } = leaf;
  const isPage = module.default !== undefined;
  const reads = isPage || module.loader !== undefined;
  // A form of an index page may be its layout's.
  const takes = (isPage ? chain : [leaf]).some((place) => place.module.action !== undefined);
  return [...(reads ? ["GET", "HEAD"] : []), ...(takes ? ["POST"] : []), "OPTIONS"];
}
