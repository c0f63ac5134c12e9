import { resolve } from "node:path";
import { routeAccess } from "../../app/session/route-access.ts";
import { loadPages } from "../../server/pages.ts";
import { withoutAges } from "./form-page.ts";
import { randomLike } from "./operation-attempts.ts";
import type { Ids } from "./tried-operations.ts";
import { plainRouteParameters, searchesByPage } from "./tried-routes.ts";

export type PagePath = keyof typeof routeAccess;

/** Every page, form and file, from the single table of access rules: a test compares that with `routes.ts`. */
export const pagePaths = Object.keys(routeAccess) as PagePath[];

/** One address of a page, with the ids of any organization. */
export interface RouteAttempt {
  page: PagePath;
  /** Of the ids in the address. */
  names: string[];
  address(ids: Ids): string;
}

/** The plain address of a page, and with each search parameter that selects something by id. */
export function attemptsAtPage(page: PagePath): RouteAttempt[] {
  const inPath = [...page.matchAll(/:(\w+)|\*/g)].map(([all, name]) => name ?? all);
  const searches = [{}, ...(searchesByPage[page] ?? [])] as Record<string, string>[];
  return searches.map((search) => {
    const named = Object.values(search).flatMap((value) => (value.startsWith(":") ? [value.slice(1)] : []));
    const textFor = (name: string, ids: Ids) => {
      const value = plainRouteParameters[name] ?? ids[name];
      if (value === undefined) throw new Error(`Say in tried-routes.ts what stands for ${name} in ${page}.`);
      // Of several segments.
      return name === "*" ? value : encodeURIComponent(value);
    };
    return {
      page,
      names: [...inPath, ...named].filter((name) => !(name in plainRouteParameters)),
      address(ids) {
        const path = page.replaceAll(/:(\w+)|\*/g, (all, name: string | undefined) => textFor(name ?? all, ids));
        const requested = Object.entries(search).map(([name, value]) => {
          return `${name}=${value.startsWith(":") ? textFor(value.slice(1), ids) : encodeURIComponent(value)}`;
        });
        return requested.length > 0 ? `${path}?${requested.join("&")}` : path;
      },
    };
  });
}

/** Pages whose built route accepts forms. */
export async function listFormPages(): Promise<PagePath[]> {
  const { routes } = await loadPages(resolve("build/server/index.js"));
  const toPath = (id: string): string => {
    const { parentId, path = "" } = routes[id]!;
    return [parentId ? toPath(parentId) : "", path].filter(Boolean).join("/");
  };
  const paths = Object.values(routes).flatMap((route) => (route!.module.action ? [`/${toPath(route!.id)}`] : []));
  return [...new Set(paths)] as PagePath[];
}

/** Unassigned ids of the same forms. */
export const toRandom = (ids: Ids): Ids =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id && randomLike(id)]));

/** The content of a page, without times and without the ids of its request. */
export function withoutRequested(html: string, requested: readonly string[]): string {
  const plain = withoutAges(html)
    .replaceAll(/ nonce="[^"]*"/g, "")
    .replaceAll(/(?<=name="runKey" value="|"toast-|"requestId":"|<code>|kept=|kept%3D|kept%253D)[\da-f-]{36}/g, "<new>")
    // A page makes several calls at once, and names the missing resource of the first response that arrived.
    .replaceAll(/No such [\w ]+\./g, "No such thing.")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z?/g, "<moment>");
  return requested
    .filter(Boolean)
    .flatMap((id) => [id, encodeURIComponent(id)])
    .reduce((text, id) => text.replaceAll(id, "<asked>"), plain);
}
