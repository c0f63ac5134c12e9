import { chooseBaseUrl, type ServersOfOperation } from "#libraries/openapi/base-url.ts";

export interface RequestServer {
  /** Null if unknown. */
  baseUrl: string | null;
  /** Why it is not the API's or the environment's. */
  ownServerNote?: string;
}

/**
 * Where an operation's requests go by default, as runs choose it.
 * @param chosen the environment in use
 */
export function findRequestServer(
  chosen: { name: string; baseUrl: string } | undefined,
  effectiveBaseUrl: string | null,
  described: ServersOfOperation | undefined,
): RequestServer {
  const { url, ownServer } = chooseBaseUrl(chosen?.baseUrl ?? effectiveBaseUrl, described);
  if (ownServer === undefined) return { baseUrl: url };
  const what = "the document's server for this operation";
  const whose = chosen ? `the environment ${chosen.name}` : "the API's base URL";
  if (ownServer === "moved") return { baseUrl: url, ownServerNote: `${what}, on the host of ${whose}` };
  const staysApart = chosen && url !== null && new URL(url).host !== new URL(chosen.baseUrl).host;
  return { baseUrl: url, ownServerNote: staysApart ? `${what}, on a host that ${whose} doesn't replace` : what };
}
