import type { ServerBuild } from "@remix-run/node";

export type Routes = ServerBuild["routes"];
export type Place = NonNullable<Routes[string]>;

/** A route and its ancestors, outermost first. */
export function chainOf(routes: Routes, id: string): Place[] {
  const place = routes[id]!;
  return place.parentId === undefined ? [place] : [...chainOf(routes, place.parentId), place];
}

/** For example `/items/:itemId/edit`, without repeated slashes. */
export const pathOf = (chain: Place[]) => chain.map(({ path = "" }) => path).join("/");
