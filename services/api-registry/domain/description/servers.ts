import type { ApiServer } from "#contracts/api-registry/documents.ts";
import {
  isRecord,
  type JsonRecord,
  toList,
  toOptionalText,
  toRecord,
  toText,
  toTexts,
} from "#libraries/json/json-value.ts";
import { resolveServerUrl } from "#libraries/openapi/server-url.ts";

/** Servers of 3.x as listed; `documentUrl` resolves relative ones. */
export function describeServers(value: unknown, documentUrl: string | undefined): ApiServer[] {
  return toList(value)
    .filter(isRecord)
    .slice(0, 200)
    .map((server) => describeServer(server, documentUrl));
}

function describeServer(server: JsonRecord, documentUrl: string | undefined): ApiServer {
  const url = toText(server.url) || "/";
  const variables = Object.entries(toRecord(server.variables)).map(([name, variable]) => {
    const { default: standard, enum: allowed, description } = toRecord(variable);
    const described: ApiServer["variables"][number] = { name, default: toText(standard) };
    if (Array.isArray(allowed)) described.enum = toTexts(allowed);
    if (toText(description)) described.description = toText(description);
    return described;
  });
  const described: ApiServer = { url, variables };
  const description = toOptionalText(server.description) ?? toOptionalText(server.name);
  if (description) described.description = description;
  const resolved = resolveServerUrl(url, variables, documentUrl);
  if (resolved) described.resolvedUrl = resolved;
  return described;
}

/** 2.0's `schemes`, `host` and `basePath` as servers; without a host, the document's own host. */
export function describeSwaggerServers(
  root: JsonRecord,
  schemes: unknown,
  documentUrl: string | undefined,
): ApiServer[] {
  const host = toText(root.host);
  const basePath = toText(root.basePath).replace(/\/$/, "");
  if (host === "") {
    return documentUrl || basePath ? describeServers([{ url: basePath || "/" }], documentUrl) : [];
  }
  const named = toTexts(schemes ?? root.schemes).filter((scheme) => scheme === "https" || scheme === "http");
  const own = documentUrl ? new URL(documentUrl).protocol.slice(0, -1) : "https";
  const ordered = named.length > 0 ? [...new Set(named)].sort().reverse() : [own];
  return describeServers(
    ordered.map((scheme) => ({ url: `${scheme}://${host}${basePath}` })),
    documentUrl,
  );
}
