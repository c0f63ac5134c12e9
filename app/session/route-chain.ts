import type { ServerBuild } from "@remix-run/node";

export type Routes = ServerBuild["routes"];
export type RouteEntry = NonNullable<Routes[string]>;

/** A route and its ancestors, outermost first. */
export function getChain(routes: Routes, id: string): RouteEntry[] {
  const location = routes[id]!;
  return location.parentId === undefined ? [location] : [...getChain(routes, location.parentId), location];
}

/** For example `/items/:itemId/edit`, without repeated slashes. */
export const getPath = (chain: RouteEntry[]) => chain.map(({ path = "" }) => path).join("/");
