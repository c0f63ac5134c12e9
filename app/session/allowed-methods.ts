import type { ServerBuild } from "@remix-run/node";
import { RouteTable } from "../../services/kit/openapi/route-table.ts";

type Place = ServerBuild["routes"][string];

/**
 * What may be done at the portal's addresses: pages and what answers data are read, and sent to where they take something.
 * Asked at every request, so that the addresses are taken apart once; Remix's own matching does it each time.
 */
export function createAllowedMethods({ routes }: Pick<ServerBuild, "routes">) {
  const table = new RouteTable<string[]>();
  const chains = Object.values(routes as Record<string, Place>).map((place) => {
    const chain = [place];
    for (let above = routes[place.parentId ?? ""]; above; above = routes[above.parentId ?? ""])
      chain.push(above as Place);
    return chain;
  });
  // Of those at one address the innermost answers.
  for (const chain of chains.sort((a, b) => b.length - a.length)) {
    const path = chain.map((place) => place.path ?? "").reverse();
    if (path.at(-1) !== "*") table.add(undefined, path.join("/"), methodsOf(chain));
  }

  /** Undefined where there is no such page: to say so is Remix's. */
  return function allowedMethods(pathname: string): string[] | undefined {
    return table.find("", pathname)?.value;
  };
}

function methodsOf([leaf, ...above]: Place[]): string[] {
  const { module } = leaf!;
  const isPage = module.default !== undefined;
  const reads = isPage || module.loader !== undefined;
  // A form of an index page may be its layout's.
  const takes = [leaf!, ...(isPage ? above : [])].some((place) => place.module.action !== undefined);
  return [...(reads ? ["GET", "HEAD"] : []), ...(takes ? ["POST"] : []), "OPTIONS"];
}
