import { searchChapters } from "~/features/docs/written-chapters.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { findApis } from "./find-apis.server";
import { findById, isWholeId } from "./find-by-id.server";
import { findInTests } from "./find-in-tests.server";
import { findPeople } from "./find-people.server";
import { findRunsWithVerdict } from "./find-runs.server";
import type { Found, Group, Hit, Kind } from "./found";
import { findPages } from "./product-pages";
import type { Search } from "./search";

export interface SearchOptions {
  query: string;
  /** Only this kind, as many as are counted. */
  kind?: Kind | undefined;
  /** Whether last verdicts are looked up. */
  withStatus: boolean;
}

const ofEach = 5;
const ofOne = 100;
export const longestQuery = 200;

/** The search text in an address. */
export const readQuery = (search: URLSearchParams): string =>
  search.get("query")?.replaceAll("\0", " ").trim().slice(0, longestQuery) ?? "";

/**
 * Search results by kind; kinds whose first hit has exactly the typed name come first. If a service is
 * unavailable, the other kinds are still returned.
 */
export async function findEverything(
  viewer: Viewer,
  { away }: Pick<PortalContext, "away">,
  { query, kind, withStatus }: SearchOptions,
): Promise<Found> {
  if (!query) return { groups: [], away: [] };
  if (isWholeId(query)) {
    const hits = await findById(viewer, query.toLowerCase());
    return { groups: hits.length > 0 ? [whole("id", hits)] : [], away: [...away] };
  }
  const search: Search = { viewer, query, limit: kind ? ofOne : ofEach, withStatus };
  const wants = (...some: Kind[]) => !kind || some.includes(kind);
  const found = await Promise.all([
    wants("apis", "operations") ? findApis(search) : [],
    wants("tests", "circles", "runs", "incidents", "schedules") ? findInTests(search) : [],
    wants("runs") ? findRunsWithVerdict(search) : [],
    wants("people") ? findPeople(search) : [],
  ]);
  const groups = [
    ...found.flat(),
    cut("pages", findPages(viewer, query), search),
    cut("docs", findDocs(query), search),
  ];
  const wanted = groups
    .filter((group) => group.hits.length > 0 && wants(group.kind))
    // Runs may be found by all words and by those beside a verdict.
    .filter((group, index, all) => all.findIndex(({ kind }) => kind === group.kind) === index);
  return { groups: wanted.sort((one, other) => nearness(other, query) - nearness(one, query)), away: [...away] };
}

function findDocs(query: string): Hit[] {
  return searchChapters(query).map(({ chapter, section, excerpt }) => ({
    href: `${href("/docs/:chapter", { chapter: chapter.key })}${section.id ? `#${section.id}` : ""}`,
    name: section.id ? `${chapter.label}: ${section.heading}` : section.heading,
    what: excerpt,
  }));
}

/** A group of which all hits are known. */
const whole = (kind: Kind, hits: Hit[]): Group => ({ kind, hits, total: hits.length, hasMore: false });

const cut = (kind: Kind, hits: Hit[], { limit }: Search): Group => ({
  ...whole(kind, hits),
  hits: hits.slice(0, limit),
});

function nearness({ hits }: Group, query: string): number {
  const [name, wanted] = [hits[0]!.name.toLowerCase(), query.toLowerCase()];
  return name === wanted ? 2 : Number(name.startsWith(wanted));
}
