import type { routeAccess } from "~/session/route-access";

/** Every page with its own address, spelled as in `routes.ts`. */
export type Page = Exclude<keyof typeof routeAccess, `${string}*`>;

type ParameterOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** `true` gives a bare name, as in `?sent`; undefined and null are omitted. */
export type Search = Readonly<Record<string, string | number | true | undefined | null>>;

type Given<Path extends string> = [ParameterOf<Path>] extends [never]
  ? [search?: Search]
  : [parameters: Readonly<Record<ParameterOf<Path>, string>>, search?: Search];

/**
 * The address of a page; no other module builds one. Every parameter is percent-encoded as a whole, so that slashes in
 * it (an API's path) create no segments.
 */
export function href<P extends Page>(page: P, ...given: Given<P>): string {
  const { texts, names } = getParts(page);
  const [parameters, search] = (names.length > 0 ? given : [{}, ...given]) as [Record<string, string>, Search?];
  let address = texts[0]!;
  for (const [index, name] of names.entries()) {
    const value = parameters[name];
    if (!value) throw new Error(`An address in ${page} needs ${name}.`);
    address += encodeURIComponent(value) + texts[index + 1]!;
  }
  return search ? address + toSearch(search) : address;
}

interface Parts {
  /** The literal parts before the first parameter, between two, and after the last. */
  texts: string[];
  names: string[];
}

const known = new Map<string, Parts>();

/** Cached per page: a list builds some hundred addresses. */
function getParts(page: string): Parts {
  let parts = known.get(page);
  if (!parts) {
    const texts = page.split(/:\w+/);
    parts = { texts, names: [...page.matchAll(/:(\w+)/g)].map(([, name]) => name!) };
    known.set(page, parts);
  }
  return parts;
}

/** The query of an address, with its question mark. */
export function toSearch(search: Search = {}): string {
  let query = "";
  for (const name of Object.keys(search)) {
    const value = search[name];
    if (value === undefined || value === null) continue;
    query += `${query ? "&" : "?"}${encodeURIComponent(name)}`;
    if (value !== true) query += `=${encodeURIComponent(value)}`;
  }
  return query;
}
