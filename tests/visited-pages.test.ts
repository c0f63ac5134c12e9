import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { areas, publicPages, unvisited, visitedElsewhere } from "./accessibility/visited-pages.ts";
import type { MadeWorld } from "./support/made-world.ts";
import { listRoutes } from "./support/portal-handler.ts";

/** Routes that are pages: they have a component. Layouts are seen on their pages. */
function listPageRoutes(): string[] {
  const all = listRoutes();
  const getPath = (id: string): string => {
    const route = all.find((one) => one.id === id);
    return route ? `${getPath(route.parentId ?? "root")}${route.path ? `/${route.path}` : ""}` : "";
  };
  return all
    .filter(({ hasChildren, file }) => !hasChildren && readFileSync(`app/${file}`, "utf8").includes("export default"))
    .map(({ id }) => getPath(id) || "/");
}

/** The route of an address: of those that fit, the one with the fewest parameters. */
function findRoute(address: string, routes: readonly string[]): string | undefined {
  const path = address.split(/[?#]/)[0]!;
  const fits = (route: string) =>
    new RegExp(`^${route.replaceAll(/:\w+/g, "[^/]+").replaceAll("*", ".*")}$`).test(path);
  const countParameters = (route: string) => (route.match(/:|\*/g) ?? []).length + (route.endsWith("*") ? 10 : 0);
  return routes.filter(fits).sort((one, other) => countParameters(one) - countParameters(other))[0];
}

/** Each of its identifiers is its name. */
const anyWorld = new Proxy({}, { get: (_, name) => String(name) }) as MadeWorld;

test("axe judges every page: each route with one is in a list of addresses, or named with the test that visits it", () => {
  const routes = listPageRoutes();
  expect(routes.length).toBeGreaterThan(100);
  const addresses = [...publicPages, ...areas.flatMap(([, getPages]) => getPages(anyWorld))];
  const listed = new Set(addresses.map((address) => findRoute(address, routes)));
  expect([...listed]).not.toContain(undefined);
  const named = { ...visitedElsewhere, ...unvisited };
  expect(routes.filter((route) => !listed.has(route) && !(route in named))).toEqual([]);
  expect(Object.keys(named).filter((route) => listed.has(route) || !routes.includes(route))).toEqual([]);
  for (const file of new Set(Object.values(visitedElsewhere)))
    expect(readFileSync(file, "utf8"), file).toMatch(/visitAll|expectAccessible/);
});
