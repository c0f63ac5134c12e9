import { resolve } from "node:path";
import { matchRoutes } from "@remix-run/react";
import { expect, test } from "vitest";
import { createPossibleRoutes } from "../../app/session/page-handlers.ts";
import { loadPages } from "../../server/pages.ts";
import { pagePaths } from "../support/route-attempts.ts";

const { routes } = await loadPages(resolve("build/server/index.js"));
const possibleRoutes = createPossibleRoutes(routes);

type Nested = { id: string; path?: string; index?: boolean; children?: Nested[] };

function nested(of: typeof routes, parentId?: string): Nested[] {
  const inside = Object.values(of).flatMap((route) => (route && route.parentId === parentId ? [route] : []));
  return inside.map(({ id, path, index }) => {
    const children = nested(of, id);
    return { id, path, index, ...(children.length > 0 ? { children } : {}) };
  });
}

const found = (of: typeof routes, path: string) =>
  matchRoutes(nested(of) as Parameters<typeof matchRoutes>[0], path)?.map(({ route, params }) => [route.id, params]);

const addresses = pagePaths.map((page) => page.replaceAll(/:\w+|\*/g, "7"));
const shouted = addresses.map((address) => address.toUpperCase());
const encoded = addresses.map((address) =>
  address.replace(/[a-z]/, (character) => `%${character.charCodeAt(0).toString(16)}`),
);
const elsewhere = [
  "/",
  "//",
  "/no/such/page",
  "//login",
  "/%",
  "/%2Flogin",
  "/*",
  "/:address",
  "/login/",
  "/login//",
  "/Ä",
];

test.each([
  ["as they are written", addresses],
  ["in capital letters", shouted],
  ["percent-encoded", encoded],
  ["that are no page", elsewhere],
])("the candidate routes match addresses %s like all routes together", (_, paths) => {
  for (const path of paths) expect(found(possibleRoutes(path), path), path).toEqual(found(routes, path));
});

test("a request is matched only against the routes of its address", () => {
  const count = (path: string) => Object.keys(possibleRoutes(path)).length;
  expect(count("/login")).toBeLessThan(10);
  expect(count("/no-such-page")).toBeLessThan(10);
});
