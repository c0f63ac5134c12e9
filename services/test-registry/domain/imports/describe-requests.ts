import type { CollectedRequest, Collection } from "#libraries/collections/collection.ts";
import { decode } from "#libraries/collections/read/url.ts";
import { isSecretName } from "#libraries/redaction/secret-signs.ts";
import { type KnownOperation, readAddress } from "./find-operation.ts";
import { KnownValues } from "./known-values.ts";
import { toName } from "./to-name.ts";

/** Methods that a document of OpenAPI 3.1 can have. */
const methods = new Set(["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]);

export interface OwnApi {
  /** OpenAPI 3.1. */
  document: object;
  operations: KnownOperation[];
  /** Where most requests are sent to. */
  baseUrl: string | undefined;
}

/** A document of what requests do: their paths, parameters and bodies, and no responses, which nothing describes. */
export function describeRequests(collection: Collection, environment: string | undefined): OwnApi {
  const values = new KnownValues(collection, environment);
  const placed = collection.requests
    .filter(({ method }) => methods.has(method))
    .map((request) => ({ request, ...readAddress(request.url, values) }));
  const origin = mostFrequent(placed.flatMap((one) => one.origin ?? []));
  const own = placed.filter((one) => one.origin === undefined || one.origin === origin);
  const basePath = collection.environments.length > 0 ? findBasePath(own) : "";
  const paths = new Map<string, Map<string, object>>();
  const operations: KnownOperation[] = [];
  for (const { request, path: sent } of own) {
    const path = toTemplate(sent.slice(basePath.length));
    const item = paths.get(path) ?? new Map<string, object>();
    paths.set(path, item);
    const method = request.method.toLowerCase();
    if (item.has(method)) continue;
    item.set(method, describeOperation(request, path));
    operations.push({ method, path, operationId: null });
  }
  const items = [...paths].map(([path, item]) => [path, Object.fromEntries(item)]);
  const document = {
    openapi: "3.1.0",
    info: { title: toName(collection.name, 200), version: "1", description: collection.description || undefined },
    servers: origin === undefined ? undefined : [{ url: `${origin}${basePath}` }],
    paths: Object.fromEntries(items),
  };
  return { document, operations, baseUrl: origin && `${origin}${basePath}` };
}

/** Environments may have different paths before those of operations: what all requests begin with, as variables say. */
function findBasePath(placed: readonly { path: string; basePath: string }[]): string {
  const basePath = mostFrequent(placed.map((one) => one.basePath).filter((one) => one !== "")) ?? "";
  return placed.every(({ path }) => path === basePath || path.startsWith(`${basePath}/`)) ? basePath : "";
}

function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

const isIdentifier = (segment: string) =>
  /^\d+$/.test(segment) ||
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(segment) ||
  /^[\da-f]{24}$/i.test(segment);

/** `/pets/7` as `/pets/{petId}`: numbers and UUIDs are identifiers. */
function toTemplate(path: string): string {
  const used = new Set<string>();
  const segments = path.split("/").map((segment, index, all) => {
    const named = /^\{([^{}]+)\}$/.exec(segment)?.[1] ?? /\{\{\s*([\w.-]+)\s*\}\}/.exec(segment)?.[1];
    if (named === undefined && !isIdentifier(segment)) return segment.replace(/[{}]/g, "");
    const before = decode(all[index - 1] ?? "").replace(/[^A-Za-z]/g, "");
    const wanted = named ?? `${before.replace(/ies$/, "y").replace(/s$/, "") || "item"}Id`;
    let name = wanted;
    for (let count = 2; used.has(name); count += 1) name = `${wanted}${count}`;
    used.add(name);
    return `{${name}}`;
  });
  return segments.join("/") || "/";
}

function describeOperation(request: CollectedRequest, path: string): object {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
  const inPath = names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  const shown = request.query.filter(({ name }) => name !== "" && !isSecretName(name));
  const inQuery = [...new Set(shown.map(({ name }) => name))].map((name) => ({ name, in: "query", schema: {} }));
  const mediaType = typeOfBody(request);
  return {
    summary: toName(request.name),
    tags: request.folders.slice(0, 1),
    parameters: [...inPath, ...inQuery],
    requestBody: mediaType ? { content: { [mediaType]: {} } } : undefined,
    responses: { default: { description: "Not described: made from a request." } },
  };
}

function typeOfBody({ body }: CollectedRequest): string | undefined {
  if (body.kind === "none") return undefined;
  if (body.kind === "form") return "application/x-www-form-urlencoded";
  if (body.kind === "multipart") return "multipart/form-data";
  return body.mediaType.split(";")[0]!.trim() || "text/plain";
}
