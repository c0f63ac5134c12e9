import { createRequestHandler, type RequestHandler, type ServerBuild } from "@remix-run/node";

type Routes = ServerBuild["routes"];

/** Remix takes the addresses of all its routes apart at every request, so that it gets only those that may be meant. */
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

/** Finds the routes that begin as a path does, and those that may begin as anything; the same ones are the same object. */
export function createPossibleRoutes(routes: Routes): (pathname: string) => Routes {
  const chainOf = (id: string): string[] => {
    const { parentId } = routes[id]!;
    return parentId === undefined ? [id] : [...chainOf(parentId), id];
  };
  const chains = Object.keys(routes).map((id) => {
    const ids = chainOf(id);
    const path = ids.map((one) => routes[one]!.path ?? "").join("/");
    return { ids, beginning: beginningOf(path) };
  });
  function beginningAs(beginning: string): Routes {
    const possible = chains.filter((chain) => /^([:*]|$)/.test(chain.beginning) || chain.beginning === beginning);
    const ids = new Set(possible.flatMap((chain) => chain.ids));
    return Object.fromEntries(Object.entries(routes).filter(([id]) => ids.has(id)));
  }
  const known = new Map(chains.map(({ beginning }) => [beginning, beginningAs(beginning)]));
  const others = beginningAs("");
  return (pathname) => known.get(beginningOf(decoded(pathname.split("/")[1] ?? ""))) ?? others;
}

/** As Remix compares: letters are the same in either case. */
const beginningOf = (path: string) =>
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
