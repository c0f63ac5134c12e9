import { createRequestHandler, type RequestHandler, type ServerBuild } from "@remix-run/node";
import { getChain, getPath, type Routes } from "./route-chain.ts";

/** Remix parses the paths of all its routes for every request, so it is given only the candidates. */
export function createPageHandlers(build: ServerBuild, mode: string): RequestHandler {
  const possibleRoutes = createPossibleRoutes(build.routes);
  const handlers = new Map<Routes, RequestHandler>();
  return (request, context) => {
    const routes = possibleRoutes(new URL(request.url).pathname);
    const handle = handlers.get(routes) ?? createRequestHandler({ ...build, routes }, mode);
    handlers.set(routes, handle);
    return handle(request, context);
  };
}

/**
 * Finds the routes with the first segment of a path, and those whose first segment is a parameter; equal sets are the
 * same object.
 */
export function createPossibleRoutes(routes: Routes): (pathname: string) => Routes {
  const all = Object.keys(routes).map((id) => {
    const chain = getChain(routes, id);
    return { chain, beginning: getBeginning(getPath(chain)) };
  });
  function beginningAs(beginning: string): Routes {
    const possible = all.filter((one) => /^([:*]|$)/.test(one.beginning) || one.beginning === beginning);
    return Object.fromEntries(possible.flatMap(({ chain }) => chain.map((location) => [location.id, location])));
  }
  const known = new Map(all.map(({ beginning }) => [beginning, beginningAs(beginning)]));
  const others = beginningAs("");
  return (pathname) => known.get(getBeginning(decoded(pathname.split("/")[1] ?? ""))) ?? others;
}

/** As Remix compares: case-insensitive. */
const getBeginning = (path: string) =>
  path
    .split("/")
    .find((part) => part !== "")
    ?.toLowerCase() ?? "";

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
