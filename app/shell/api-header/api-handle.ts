import type { Crumb } from "~/ui/breadcrumbs/breadcrumbs";
import type { ApiContext } from "./find-api-header.server";

/** What a page of an API puts into its `handle`. */
export interface ApiPageHandle {
  /** The pages between its tab and itself, in the trail after the API's name. */
  crumbs?(match: { data: unknown; params: Record<string, string | undefined> }): Crumb[];
  /** It makes its own `Page`, since something stands beside it. */
  makesPage?: true;
}

/** Of the layout, which is at both addresses of an API. */
export const apiLayouts: readonly string[] = ["api-management/api", "test-management/api"];

type Matches = readonly { id: string; data: unknown }[];

function findApiName(matches: Matches): string | undefined {
  const layout = matches.find(({ id }) => apiLayouts.includes(id));
  return (layout?.data as { header: ApiContext } | undefined)?.header.api.name;
}

/** Variables that the environment in use gives. */
export function environmentVariablesOf(matches: Matches): readonly string[] {
  const layout = matches.find(({ id }) => apiLayouts.includes(id));
  return (layout?.data as { header: ApiContext } | undefined)?.header.chosenVariables ?? [];
}

/** The API's name for the titles of the pages below. */
export function apiNameOf(matches: Matches): string {
  return findApiName(matches) ?? "API";
}

/** The title of a page that is within an API, or of all: `Circles, Bookshop · API Assurance`. */
export function titleWithin(matches: Matches, words: string): [{ title: string }] {
  const apiName = findApiName(matches);
  return [{ title: `${apiName ? `${words}, ${apiName}` : words} · API Assurance` }];
}
