import type { ApiServer } from "#contracts/api-registry/documents.ts";
import { resolveServerUrl } from "./server-url.ts";

/** An operation's servers; `documentServers` only if it or its path has servers of its own in their stead. */
export interface ServersOfOperation {
  documentServers?: ApiServer[] | undefined;
  operation: { servers: ApiServer[] };
}

export interface BaseUrlChoice {
  /** Null if unknown. */
  url: string | null;
  /** It is the operation's own server: as documented, or moved to where the API was chosen to run. */
  ownServer?: "documented" | "moved";
}

/**
 * The base URL of an operation's requests, for pages, samples and runs alike (OpenAPI 3.2, "Operation Object", `servers`).
 * A test's own base URL precedes it.
 *
 * `chosen` is what was chosen for the API: by the run, by its environment or at the API, else the document's server. It
 * applies to operations without servers of their own. An own server on a host of the document's servers belongs to the
 * same deployment and moves with it, so that nothing reaches production when staging was chosen: for
 * `https://api.example.com/v1`, `https://staging.example.com/v1` and `https://api.example.com/upload`, requests go to
 * `https://staging.example.com/upload`. One on another host has no counterpart there and is used as documented.
 */
export function chooseBaseUrl(chosen: string | null | undefined, described?: ServersOfOperation): BaseUrlChoice {
  const url = chosen?.trim() || null;
  if (!described?.documentServers) return { url };
  const base = url === null ? undefined : resolveServerUrl(url, [], undefined);
  // Unreadable, which is to be reported rather than avoided.
  if (url !== null && base === undefined) return { url };
  const servers = listUrls(described.operation.servers, base);
  const [first] = servers;
  if (first === undefined) return { url };
  if (base === undefined) return { url: write(first), ownServer: "documented" };

  const target = new URL(base);
  const documented = listUrls(described.documentServers, base);
  const isChosen = (server: URL) => write(server) === base;
  const findSibling = (server: URL) => {
    const siblings = documented.filter(({ host }) => host === server.host);
    return siblings.find(isChosen) ?? siblings[0];
  };
  const server = servers.find(({ host }) => host === target.host) ?? servers.find(findSibling) ?? first;
  const sibling = findSibling(server);
  const moved = write(sibling && !isChosen(sibling) ? move(server, sibling, target) : server);
  return { url: moved, ownServer: moved === write(server) ? "documented" : "moved" };
}

/** Relative ones, whose document has no known location, are relative to the chosen base URL. */
function listUrls(servers: readonly ApiServer[], base: string | undefined): URL[] {
  return servers.flatMap(({ url, resolvedUrl, variables }) => {
    const resolved = resolvedUrl ?? resolveServerUrl(url, variables, base);
    return resolved === undefined ? [] : [new URL(resolved)];
  });
}

/** Moves a server as its sibling was moved to the target, including a prefix of the path that a gateway adds. */
function move(server: URL, sibling: URL, target: URL): URL {
  const [before, after] = withoutCommonEnd(sibling.pathname, target.pathname);
  const path = server.pathname;
  const isBelow = before === "" || path === before || path.startsWith(`${before}/`);
  const moved = new URL(target);
  moved.pathname = isBelow ? after + path.slice(before.length) : path;
  // The document may distinguish http and https on one host (2.0, `schemes`).
  if (sibling.host === target.host) moved.protocol = server.protocol;
  return moved;
}

/** Paths without the segments at their end that both have. */
function withoutCommonEnd(one: string, other: string): [string, string] {
  const [left = [], right = []] = [one, other].map((path) => path.replace(/\/+$/, "").split("/"));
  while (left.length > 1 && right.length > 1 && left.at(-1) === right.at(-1)) {
    left.pop();
    right.pop();
  }
  return [left.join("/"), right.join("/")];
}

function write({ href }: URL): string {
  return href.replace(/\/$/, "");
}
