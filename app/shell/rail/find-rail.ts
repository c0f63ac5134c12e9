import { type SectionPage, sections } from "~/features/navigation/sections";
import { href } from "~/href";
import { accessToView } from "~/session/route-access";
import type { ApiContext } from "~/shell/api-header/find-api-header.server";
import type { IconName } from "~/ui/icon/icon";
import { getApiPages } from "./api-pages";

const countWords = { openInvitations: "not answered", openIncidents: "open" };

/** Known counts by name. */
export type RailCounts = Partial<Record<NonNullable<SectionPage["counts"]>, number | undefined>>;

export interface RailItem {
  label: string;
  href: string;
  /** `page` for the current page, `true` for the one it belongs to. */
  current: "page" | "true" | undefined;
  count?: number | undefined;
  /** What is counted, where the label does not say it. */
  countWords?: string;
}

export interface RailGroup {
  label?: string;
  items: readonly RailItem[];
}

export interface RailSection {
  label: string;
  icon: IconName;
  /** Undefined where its first page would be linked twice. */
  item: RailItem | undefined;
  isOpen: boolean;
  /** The way up, on small screens in an area. */
  isUp: boolean;
  groups: readonly RailGroup[];
}

export interface Rail {
  sections: readonly RailSection[];
  /** Within an API, the administration or the profile: small screens display only its pages and the way up. */
  isArea: boolean;
}

export interface RailPlace {
  path: string;
  scopes: readonly string[];
  counts?: RailCounts;
  /** The API that the page belongs to. */
  api?: ApiContext | undefined;
}

interface Entry extends Omit<RailItem, "current"> {
  with?: readonly string[];
}

/** The rail of a viewer at an address. Pages that would be refused are left out. */
export function findRail({ path, scopes, counts = {}, api }: RailPlace): Rail {
  const maySee = ({ page }: Pick<SectionPage, "page">) => {
    const access = accessToView(page);
    return access === "public" || access === "signed-in" || scopes.includes(access);
  };
  const toEntry = ({ page, label, with: others, counts: counted }: SectionPage): Entry => ({
    ...{ label, href: href(page), with: others },
    ...(counted && counts[counted] ? { count: counts[counted], countWords: countWords[counted] } : {}),
  });
  const all = sections.map(({ label, icon, own, groups = [], ...rest }) => ({
    ...{ label, icon, ...rest },
    own: own && maySee(own) ? toEntry({ ...own, label }) : undefined,
    groups: [
      ...groups.map(({ label, pages }) => ({ label, entries: pages.filter(maySee).map(toEntry) })),
      ...(api && own?.page === href("/api-management/list")
        ? [{ label: api.api.name, entries: getApiPages(api) }]
        : []),
    ].filter(({ entries }) => entries.length > 0),
  }));
  const entriesOf = ({ own, groups }: (typeof all)[number]): Entry[] => [
    ...(own ? [own] : []),
    ...groups.flatMap(({ entries }) => entries),
  ];
  const current = findNearest(path, all.flatMap(entriesOf));
  const open = all.find((section) => current && entriesOf(section).includes(current));
  const isArea = Boolean(open?.isArea || api);
  const toItem = ({ with: _, ...entry }: Entry): RailItem => ({
    ...entry,
    current: current?.href !== entry.href ? undefined : path === entry.href ? "page" : "true",
  });
  const up = open?.own ? open : all[0];
  return {
    isArea,
    sections: all
      .filter((section) => entriesOf(section).length > 0 && (section === open || !section.hides))
      .map((section) => {
        const { label, icon, own, groups } = section;
        const isOpen = section === open;
        const first = own ?? { label, href: entriesOf(section)[0]!.href };
        return {
          ...{ label, icon, isOpen, isUp: isArea && section === up },
          item: own || !isOpen ? { ...toItem(first), ...(isOpen ? {} : { current: undefined }) } : undefined,
          groups: isOpen
            ? groups.map(({ label, entries }) => ({ ...(label && { label }), items: entries.map(toItem) }))
            : [],
        };
      }),
  };
}

/** The entry an address belongs to: the one with the longest beginning in whole segments. */
function findNearest(path: string, entries: readonly Entry[]): Entry | undefined {
  const under = (start: string) => (`${path}/`.startsWith(`${start}/`) ? start.length : 0);
  const nearness = ({ href, with: others = [] }: Entry) => Math.max(...[href, ...others].map(under));
  const [nearest] = entries
    .filter((entry) => nearness(entry) > 0)
    .sort((one, other) => nearness(other) - nearness(one));
  return nearest;
}
