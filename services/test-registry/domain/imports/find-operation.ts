import type { CollectedRequest, Pair } from "#libraries/collections/collection.ts";
import { decode } from "#libraries/collections/read/url.ts";
import type { KnownValues } from "./known-values.ts";

/** An operation of the API that requests are matched to. */
export interface KnownOperation {
  method: string;
  path: string;
  operationId: string | null;
}

/** Where an API runs: all of its base URLs, without slashes at their ends. The first one is in use. */
export type BaseUrls = readonly string[];

export interface Found {
  operation: KnownOperation | undefined;
  /** Of the operation, or the request's own without a base path. */
  path: string;
  pathParameters: Pair[];
  /** Where the file sends it; undefined where its host is a variable without a value. */
  origin: string | undefined;
  /** Where the file sends it, if that is none of the API's base URLs. */
  baseUrl: string | undefined;
  /** Where the file sends it, whether or not that is one of them. */
  usedBaseUrl: string | undefined;
}

interface Address {
  origin: string | undefined;
  path: string;
  /** The part of the path that variables of its start bring. */
  basePath: string;
}

/** A URL whose start may be made of variables. */
export function readAddress(url: string, values: KnownValues): Address {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(url)?.[0] ?? "";
  const slash = url.indexOf("/", scheme.length);
  const head = values.fill(slash < 0 ? url : url.slice(0, slash)).trim();
  const rest = slash < 0 ? "" : url.slice(slash);
  const whole = /^https?:\/\//i.test(head) || head === "" || head.includes("{{") ? head : `http://${head}`;
  const [, origin, path = ""] = /^(https?:\/\/[^/?#{}]+)([^?#]*)/i.exec(whole) ?? [];
  const isHost = origin !== undefined && URL.canParse(origin);
  const basePath = path.replace(/\/+$/, "");
  return { origin: isHost ? new URL(origin).origin : undefined, path: `${basePath}${rest}` || "/", basePath };
}

const toSegments = (path: string) => path.replace(/^\//, "").split("/");
const isOpen = (segment: string) => /\{\{[^{}]+\}\}|^\{[^{}]+\}$/.test(segment);

/** How closely a path fits a template: the number of literal segments; undefined where it doesn't fit. */
function closeness(segments: readonly string[], template: readonly string[]): number | undefined {
  if (segments.length !== template.length) return undefined;
  let literal = 0;
  for (const [index, segment] of segments.entries()) {
    const wanted = template[index]!;
    if (/^\{[^{}]+\}$/.test(wanted)) {
      if (segment === "") return undefined;
    } else if (wanted.includes("{")) {
      if (readParts(segment, wanted) === undefined) return undefined;
    } else if (isOpen(segment) || decode(segment) !== decode(wanted)) return undefined;
    else literal += 1;
  }
  return literal;
}

/** Values of the parameters of a segment such as `{id}.json`. */
function readParts(segment: string, template: string): Record<string, string> | undefined {
  const names: string[] = [];
  const pattern = template.split(/(\{[^{}]+\})/).map((part) => {
    if (!part.startsWith("{")) return part.replace(/[.*+?^$()|[\]\\{}]/g, "\\$&");
    names.push(part.slice(1, -1));
    return "(.+)";
  });
  const found = new RegExp(`^${pattern.join("")}$`).exec(segment);
  return found ? Object.fromEntries(names.map((name, index) => [name, found[index + 1]!])) : undefined;
}

/** Operations by method and number of segments, so that a request is compared with few. */
export class Operations {
  readonly #byId = new Map<string, KnownOperation>();
  readonly #byShape = new Map<string, { operation: KnownOperation; template: string[] }[]>();

  constructor(operations: readonly KnownOperation[]) {
    for (const operation of operations) {
      if (operation.operationId !== null) this.#byId.set(operation.operationId, operation);
      const template = toSegments(operation.path);
      const shape = `${operation.method.toUpperCase()} ${template.length}`;
      const same = this.#byShape.get(shape) ?? [];
      same.push({ operation, template });
      this.#byShape.set(shape, same);
    }
  }

  get(operationId: string): KnownOperation | undefined {
    return this.#byId.get(operationId);
  }

  /** The operation with the most literal segments. */
  find(method: string, path: string): KnownOperation | undefined {
    const segments = toSegments(path);
    const fitting = (this.#byShape.get(`${method.toUpperCase()} ${segments.length}`) ?? []).flatMap((one) => {
      const literal = closeness(segments, one.template);
      return literal === undefined ? [] : [{ ...one, literal }];
    });
    return fitting.sort((one, other) => other.literal - one.literal)[0]?.operation;
  }
}

/** A gateway may have put so many segments before the paths of the document. */
const maxPrefixSegments = 4;

/** The operation that a request is of, and where it is sent. */
export function findOperation(
  request: Pick<CollectedRequest, "method" | "url" | "pathParameters" | "operationId">,
  { operations, baseUrls, values }: { operations: Operations; baseUrls: BaseUrls; values: KnownValues },
): Found {
  if (request.operationId !== undefined) return findById(request, operations.get(request.operationId));
  const address = readAddress(request.url, values);
  const { method } = request;
  const bases = baseUrls.flatMap((base) => (URL.canParse(base) ? [new URL(base)] : []));
  const own = bases
    .filter(({ origin }) => address.origin === undefined || origin === address.origin)
    .sort((one, other) => other.pathname.length - one.pathname.length)
    .filter(({ pathname }) => startsWith(address.path, pathname));
  for (const base of own) {
    const path = without(address.path, base.pathname);
    const operation = operations.find(method, path);
    if (operation) return toFound(request, address, operation, path, undefined, address.origin && base.href);
  }
  const segments = toSegments(address.path);
  for (let count = 0; count <= Math.min(maxPrefixSegments, segments.length - 1); count += 1) {
    const prefix = segments.slice(0, count);
    if (prefix.some(isOpen)) break;
    const path = `/${segments.slice(count).join("/")}`;
    const operation = operations.find(method, path);
    if (!operation) continue;
    const base = address.origin && [address.origin, ...prefix].join("/");
    return toFound(request, address, operation, path, base, base);
  }
  const [closest] = own;
  const path = closest ? without(address.path, closest.pathname) : address.path;
  const used = address.origin && (closest?.href ?? address.origin);
  return toFound(request, address, undefined, path, closest ? undefined : address.origin, used);
}

function findById(
  { pathParameters }: Pick<CollectedRequest, "pathParameters">,
  operation: KnownOperation | undefined,
): Found {
  const nowhere = { origin: undefined, baseUrl: undefined, usedBaseUrl: undefined };
  return { operation, path: operation?.path ?? "/", pathParameters, ...nowhere };
}

const trimmed = (pathname: string) => pathname.replace(/\/+$/, "");
const startsWith = (path: string, base: string) => path === trimmed(base) || path.startsWith(`${trimmed(base)}/`);
const without = (path: string, base: string) => path.slice(trimmed(base).length) || "/";

function toFound(
  { pathParameters }: Pick<CollectedRequest, "pathParameters">,
  { origin }: Address,
  operation: KnownOperation | undefined,
  path: string,
  baseUrl: string | undefined,
  usedBaseUrl: string | undefined,
): Found {
  const given = (segment: string) => {
    const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
    if (name === undefined) return decode(segment);
    return pathParameters.find((one) => one.name === name)?.value || `{{${name.replace(/[^\w-]/g, "_")}}}`;
  };
  const segments = toSegments(path);
  const values: Pair[] = [];
  const add = (name: string, value: string) => {
    if (!values.some((one) => one.name === name)) values.push({ name, value, enabled: true });
  };
  if (operation) {
    for (const [index, wanted] of toSegments(operation.path).entries()) {
      const segment = segments[index]!;
      const name = /^\{([^{}]+)\}$/.exec(wanted)?.[1];
      if (name !== undefined) add(name, given(segment));
      else if (wanted.includes("{"))
        for (const [part, value] of Object.entries(readParts(segment, wanted) ?? {})) add(part, decode(value));
    }
    return { operation, path: operation.path, pathParameters: values, origin, baseUrl, usedBaseUrl };
  }
  // Paths of tests have parameters, and no variables.
  const plain = segments.map((segment) =>
    segment.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => {
      add(name, `{{${name}}}`);
      return `{${name}}`;
    }),
  );
  for (const segment of segments) {
    const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
    if (name !== undefined) add(name, given(segment));
  }
  return { operation, path: `/${plain.join("/")}`, pathParameters: values, origin, baseUrl, usedBaseUrl };
}
