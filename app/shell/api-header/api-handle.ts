import type { Crumb } from "~/ui/breadcrumbs/breadcrumbs";
import type { ApiContext } from "./find-api-header.server";

/** The `handle` of an API's page. */
export interface ApiPageHandle {
  /** Breadcrumbs between its tab and the page, after the API's name. */
  crumbs?(match: { data: unknown; params: Record<string, string | undefined> }): Crumb[];
  /** It renders its own `Page`, since it has a sidebar. */
  makesPage?: true;
  /** The page has its own Run button, so the header omits it. */
  hasOwnRun?: true;
}

/** Id of the layout route, which is at both addresses of an API. */
export const apiLayouts: readonly string[] = ["api-management/api", "test-management/api"];

type Matches = readonly { id: string; data: unknown }[];

/** Undefined outside an API, and where it could not be loaded. */
export function findApiContext(matches: Matches): ApiContext | undefined {
  const layout = matches.find(({ id }) => apiLayouts.includes(id));
  return (layout?.data as { header: ApiContext } | undefined)?.header;
}

function findApiName(matches: Matches): string | undefined {
  return findApiContext(matches)?.api.name;
}

/** The API's name for the titles of the pages below. */
export function getApiName(matches: Matches): string {
  return findApiName(matches) ?? "API";
}

/** The title of a page within an API, or of all: `Circles, Bookshop · API Assurance`. */
export function titleWithin(matches: Matches, words: string): [{ title: string }] {
  const apiName = findApiName(matches);
  return [{ title: `${apiName ? `${words}, ${apiName}` : words} · API Assurance` }];
}
