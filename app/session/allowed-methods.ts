import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";

type Place = ServerBuild["routes"][string];

/** What may be done at the portal's addresses: pages and what answers data are read, and sent to where they take something. */
export function createAllowedMethods({ routes }: Pick<ServerBuild, "routes">) {
  const places = placesBelow(undefined, Object.values(routes) as Place[]);

  /** Undefined where there is no such page: to say so is Remix's. */
  return function allowedMethods(pathname: string): string[] | undefined {
    const matches = matchRoutes(places, pathname)?.map(({ route }) => route.place);
    const leaf = matches?.at(-1);
    if (!leaf || leaf.path === "*") return undefined;
    const isPage = leaf.module.default !== undefined;
    const reads = isPage || leaf.module.loader !== undefined;
    // A form of an index page may be its layout's.
    const takes = (isPage ? matches! : [leaf]).some(({ module }) => module.action !== undefined);
    return [...(reads ? ["GET", "HEAD"] : []), ...(takes ? ["POST"] : []), "OPTIONS"];
  };
}

type Nested = { path: string | undefined; place: Place } & (
  | { index: true; children?: undefined }
  | { index?: false; children: Nested[] }
);

function placesBelow(parentId: string | undefined, all: Place[]): Nested[] {
  return all
    .filter((place) => place.parentId === parentId)
    .map((place) => {
      const own = { path: place.path || undefined, place };
      return place.index ? { ...own, index: true } : { ...own, children: placesBelow(place.id, all) };
    });
}
