import type { ApiServer } from "#contracts/api-registry/documents.ts";

type Servers = readonly ApiServer[];

/** Of the document, in both of its versions. */
export interface ServerSides {
  before: Servers;
  after: Servers;
}

/**
 * What became of an operation's servers, in a sentence; undefined if they are the same. Tests of an operation with
 * servers of its own follow the document (see `chooseBaseUrl`), others have the API's base URL.
 */
export function compareServers(before: Servers, after: Servers, document: ServerSides): string | undefined {
  const [from, to] = [listUrls(before), listUrls(after)];
  if (from === to) return undefined;
  const hadOwn = from !== listUrls(document.before);
  const hasOwn = to !== listUrls(document.after);
  const change = `from ${from} to ${to}`;
  if (!hadOwn && !hasOwn) return `The document's servers changed ${change}.`;
  const rest = "Its tests without a base URL of their own go there from now on.";
  if (hadOwn && hasOwn) return `Its own servers changed ${change}. ${rest}`;
  if (hasOwn) return `It has servers of its own now: ${to}, not ${from} as before. ${rest}`;
  return `It has no servers of its own any more: it is at the API's base URL (the document names ${to}), not ${from} as before. ${rest}`;
}

function listUrls(servers: Servers): string {
  return servers.map(({ url, resolvedUrl }) => resolvedUrl ?? url).join(" or ") || "none";
}
