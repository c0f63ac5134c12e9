import { type PlacesCode, portalPlace } from "#contracts/code/places.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { type CirclePlaces, listPlaces } from "#contracts/test-registry/circle-places.ts";
import { type Connect, requireValue } from "../../../kit/client/client.ts";
import type { CodeContext } from "../../../kit/code/code-kind.ts";
import type { IssueServiceToken } from "../../../kit/identity/identity.ts";

/** The locations of an organization, by id and by name. */
export interface KnownLocations {
  nameOf(id: string): string | undefined;
  idOf(name: string): string | undefined;
}

export type ReadLocations = (context: CodeContext) => Promise<KnownLocations>;

/** Reads locations once for each call. */
export function createReadLocations(parts: {
  testExecutioner: Connect<typeof testExecutionerContract>;
  serviceToken: IssueServiceToken;
}): ReadLocations {
  const known = new WeakMap<CodeContext, Promise<KnownLocations>>();

  async function read({ organizationId, requestId }: CodeContext): Promise<KnownLocations> {
    const client = parts.testExecutioner({ token: await parts.serviceToken(organizationId), requestId });
    const names = new Map<string, string>();
    for (let cursor: string | undefined; ; ) {
      const page = requireValue(await client.listLocations({ query: { limit: 200, cursor } }), "locations");
      for (const { id, name } of page.items) names.set(id, name);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    const ids = new Map([...names].map(([id, name]) => [name.toLowerCase(), id]));
    return { nameOf: (id) => names.get(id), idOf: (name) => ids.get(name.toLowerCase()) };
  }

  return (context) => {
    const reading = known.get(context) ?? read(context);
    known.set(context, reading);
    return reading;
  };
}

/** Places as files name them. One that was deleted has its id: applying the file reports it. */
export function writePlaces({ rule, minimum, ...chosen }: CirclePlaces, { nameOf }: KnownLocations): PlacesCode {
  const from = listPlaces(chosen).map((id) => (id === null ? portalPlace : (nameOf(id) ?? id)));
  return { from, rule, ...(minimum === undefined ? {} : { minimum }) };
}

export function readPlaces(
  { from, rule, minimum }: PlacesCode,
  { idOf }: KnownLocations,
  fail: (path: string, message: string) => void,
): CirclePlaces {
  const locationIds = from.flatMap((name, index) => {
    if (name === portalPlace) return [];
    const id = idOf(name);
    if (!id) fail(`places.from[${index}]`, `There is no location ${name}. Create it in the portal first`);
    return id ? [id] : [];
  });
  const portal = from.includes(portalPlace);
  return { portal, locationIds, rule, ...(minimum === undefined ? {} : { minimum }) };
}
