import { uuidv7 } from "uuidv7";
import { type Contract, changesNothing, type Endpoint } from "#contracts/kit/endpoint.ts";
import { contracts } from "../../server/contracts.ts";
import { type Ids, plainParameters, triedOperations } from "./tried-operations.ts";

export interface Operation {
  service: keyof typeof contracts;
  name: string;
  endpoint: Endpoint;
  /** For example `test-registry getTest`. */
  label: string;
}

/** Every operation of every service, from the contracts. */
export const operations: Operation[] = Object.entries(contracts).flatMap(([service, contract]) =>
  Object.entries(contract as Contract).map(([name, endpoint]) => ({
    ...{ service: service as keyof typeof contracts, name, endpoint, label: `${service} ${name}` },
  })),
);

/** Whether it changes nothing. */
export const onlyAsks = ({ endpoint }: Operation) => changesNothing(endpoint);

/** One way to call an operation, with the ids of any organization. */
export interface Attempt {
  operation: Operation;
  /** Names of the ids in the request. */
  names: string[];
  /** Those in the path, which every request needs. */
  namesInPath: string[];
  /** The one in the query that narrows a list. */
  filter: string | undefined;
  request(ids: Ids, token: string | undefined): Request;
}

/** Parameters of lists and queries that are not ids. */
const plainQueries = new Set(
  [
    "limit cursor query prefix failing sort state status verdict trigger from to until since kind operation at only wait keep host",
  ]
    .concat([
      "tag method path enabled source role usedBy range timeZone everywhere beforeId months outcome effect safe recent orOrganization environment api drifted every active",
    ])
    .flatMap((names) => names.split(" ")),
);

const queryNames = ({ endpoint: { query } }: Operation): string[] =>
  query ? Object.keys((query as unknown as { shape: object }).shape) : [];

/** Domains are read by name and changed by id. */
const idNamed = (parameter: string, { path, method }: Endpoint) =>
  parameter === "domain" && path.startsWith("/api/v1/domains/") && method !== "get" ? "domainId" : parameter;

/**
 * Every way to call an operation: by its path, with each id that its query takes, with each kind of body. Throws for
 * operations that neither this nor `triedOperations` covers, so that a new operation is tried or refused, and never left out.
 */
export function attemptsAt(operation: Operation, known: Ids): Attempt[] {
  const { service, name, endpoint, label } = operation;
  const tried = triedOperations[service]?.[name] ?? {};
  if (endpoint.body && !tried.body && !endpoint.body.safeParse({}).success) {
    throw new Error(`Say in tried-operations.ts what body ${label} is tried with.`);
  }
  const needed = Object.keys(tried.query?.(known) ?? {});
  const optional = queryNames(operation).filter((one) => !needed.includes(one) && !plainQueries.has(one));
  const unknown = optional.filter((one) => known[one] === undefined);
  if (unknown.length > 0) throw new Error(`Say in tried-operations.ts what ${label} is asked with as ${unknown}.`);

  function attempt(body: ((ids: Ids) => unknown) | undefined, filter?: string): Attempt {
    const build = (ids: Ids) => {
      const path = endpoint.path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
        const isOfWebhook = parameter === "method" && endpoint.path.includes("/webhooks/");
        const plainValue = isOfWebhook ? "post" : plainParameters[parameter];
        const value = plainValue ?? ids[idNamed(parameter, endpoint)];
        if (value === undefined)
          throw new Error(`Say in tried-operations.ts what stands for {${parameter}} in ${label}.`);
        return encodeURIComponent(value);
      });
      const search = new URLSearchParams({ ...tried.query?.(ids), ...(filter ? { [filter]: ids[filter]! } : {}) });
      return { url: `http://service.internal${path}?${search}`, body: body?.(ids) };
    };
    const names = new Set<string>();
    const recording = new Proxy(known, {
      get(ids, key: string) {
        names.add(key);
        return ids[key];
      },
    });
    build(recording);
    return {
      operation,
      names: [...names],
      namesInPath: [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, one]) => idNamed(one!, endpoint)),
      filter,
      request(ids, token) {
        const { url, body } = build(ids);
        const headers = {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        };
        const method = endpoint.method.toUpperCase();
        return new Request(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
      },
    };
  }

  const emptyBody = endpoint.body ? () => ({}) : undefined;
  const bodies = [tried.body ?? emptyBody, ...(tried.otherBodies ?? [])];
  return [...bodies.map((body) => attempt(body)), ...optional.map((one) => attempt(bodies[0], one))];
}

/** An unassigned id of the same form. */
export function randomLike(id: string): string {
  if (/^[\da-f]{64}$/.test(id)) return uuidv7().replaceAll("-", "").repeat(2);
  if (id.includes(".")) return `${uuidv7().slice(-12)}.example.com`;
  return /^[\da-f]{8}-/.test(id) ? uuidv7() : [...id].map(() => "Z").join("");
}

/** The content of a response, without times and without the ids of its request. */
export async function normalized(response: Response, requested: string): Promise<string> {
  const revealed = (await response.text())
    .replaceAll(/Tried \d+/g, "Tried")
    .replaceAll(requested || /$^/g, "<asked>")
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":"<one>"')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<moment>");
  const headers = [...response.headers].filter(([name]) => !/^(x-request-id|etag|content-length)$/.test(name));
  return JSON.stringify([response.status, headers, revealed]);
}
