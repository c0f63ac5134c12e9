import type { ApiServer } from "#contracts/api-registry/documents.ts";
import { toTemplate } from "./match-operations.ts";
import type { OperationContext } from "./operation-context.ts";

interface Location {
  path: string;
  servers: readonly ApiServer[];
}

/**
 * Where an operation is: its servers with its path, because a document may move a part of the one to the other. Tests
 * of an operation with servers of its own follow the document (see `chooseBaseUrl`), others have the API's base URL.
 */
export function compareServers(before: Location, after: Location, context: OperationContext): void {
  const { changes } = context;
  const pairs = before.servers.map((server) => ({ server, other: findSame(server, before.path, after) }));
  for (const { server, other } of pairs) if (other) compareVariables(server, other, context);
  const removed = pairs.filter(({ other }) => !other);
  const known = new Set(pairs.map(({ other }) => other));
  const added = after.servers.filter((server) => !known.has(server));
  if (removed.length > 0 || added.length > 0) {
    const rule = removed.length > 0 ? "servers.removed" : "servers.added";
    changes.add(rule, describeChange(before.servers, after.servers, context));
  } else if (pairs.length > 1 && pairs[0]!.other !== after.servers[0]) {
    changes.add("servers.reordered", `The first of its servers is ${toUrl(after.servers[0]!)} now.`);
  }
}

function findSame(server: ApiServer, path: string, after: Location): ApiServer | undefined {
  const [template, resolved] = [join(server.url, path), server.resolvedUrl && join(server.resolvedUrl, path)];
  return after.servers.find(
    (other) =>
      join(other.url, after.path) === template ||
      (other.resolvedUrl !== undefined && join(other.resolvedUrl, after.path) === resolved),
  );
}

function join(url: string, path: string): string {
  return url.replace(/\/$/, "") + toTemplate(path);
}

function compareVariables(old: ApiServer, now: ApiServer, { changes, noteTexts }: OperationContext): void {
  if (old.description !== now.description) noteTexts();
  for (const variable of old.variables) {
    const other = now.variables.find(({ name }) => name === variable.name);
    if (!other) continue;
    const subject = `The server variable "${variable.name}"`;
    const lost = other.enum && (variable.enum ? variable.enum.filter((one) => !other.enum!.includes(one)) : ["others"]);
    if (lost && lost.length > 0) {
      changes.add("servers.variable-narrowed", `${subject} can no longer be ${lost.join(", ")}.`);
    }
    if (variable.default !== other.default) {
      const words = `has the default "${other.default}" now, not "${variable.default}" as before`;
      changes.add("servers.variable-changed", `${subject} ${words}.`);
    }
  }
}

function describeChange(
  before: readonly ApiServer[],
  after: readonly ApiServer[],
  { documents }: OperationContext,
): string {
  const [from, to] = [listUrls(before), listUrls(after)];
  const hadOwn = from !== listUrls(documents.before.servers);
  const hasOwn = to !== listUrls(documents.after.servers);
  const change = `from ${from} to ${to}`;
  if (!hadOwn && !hasOwn) return `The document's servers changed ${change}.`;
  const rest = "Its tests without a base URL of their own go there from now on.";
  if (hadOwn && hasOwn) return `Its own servers changed ${change}. ${rest}`;
  if (hasOwn) return `It has servers of its own now: ${to}, not ${from} as before. ${rest}`;
  return `It no longer has its own servers: it is at the API's base URL (in the document ${to}), not ${from} as before. ${rest}`;
}

function listUrls(servers: readonly ApiServer[]): string {
  return servers.map(toUrl).join(" or ") || "none";
}

function toUrl({ url, resolvedUrl }: ApiServer): string {
  return resolvedUrl ?? url;
}
