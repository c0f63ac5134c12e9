import type { ServerBuild } from "@remix-run/node";

export type Routes = ServerBuild["routes"];
export type RouteEntry = NonNullable<Routes[string]>;

/** A route and its ancestors, outermost first. */
export function getChain(routes: Routes, id: string): RouteEntry[] {
  const place = routes[id]!;
  return place.parentId === undefined ? [place] : [...getChain(routes, place.parentId), place];
}

/** For example `/items/:itemId/edit`, without repeated slashes. */
export const getPath = (chain: RouteEntry[]) => chain.map(({ path = "" }) => path).join("/");
