import { href, type Page } from "~/href";
import type { Viewer } from "~/session/guards";
import { accessToView } from "~/session/route-access";

/** A page of the area's navigation, whose address has no parameters. */
export interface NavEntry {
  page: Exclude<Page, `${string}:${string}`>;
  label: string;
  /** Other prefixes of addresses that belong to this page. */
  sections?: readonly string[];
  /** The count displayed next to the link. */
  counts?: "openInvitations";
}

export interface NavGroup {
  label: string;
  entries: readonly NavEntry[];
}

const invitations = href("/administration/user-management/invites/pending").replace("/pending", "");

/** The area's navigation. `route-access.ts` defines who may see a page; other viewers get no link to it. */
export const navGroups: readonly NavGroup[] = [
  {
    label: "People",
    entries: [
      { page: "/administration/user-management", label: "Users" },
      {
        page: "/administration/user-management/invites/pending",
        label: "Invitations",
        sections: [invitations, href("/administration/user-management/invite")],
        counts: "openInvitations",
      },
    ],
  },
  {
    label: "Access",
    entries: [
      { page: "/administration/credentials", label: "Credentials" },
      { page: "/administration/domain", label: "Domains" },
      { page: "/administration/authorization-configs", label: "Authorization configs" },
      { page: "/administration/vault", label: "Vault" },
      { page: "/administration/tracing", label: "Tracing" },
    ],
  },
  {
    label: "Organization",
    entries: [
      { page: "/organization", label: "Organization" },
      { page: "/administration/audit-log", label: "Audit log" },
    ],
  },
  {
    label: "Installation",
    entries: [{ page: "/administration/system-configuration", label: "System configuration" }],
  },
  {
    label: "Payments",
    entries: [
      { page: "/administration/system/plans", label: "Plans and prices" },
      { page: "/administration/system/monthly", label: "Monthly numbers" },
      { page: "/administration/system/subscriptions", label: "Subscriptions" },
      { page: "/administration/system/paypal-deliveries", label: "PayPal's deliveries" },
      { page: "/administration/system/reconciliations", label: "Reconciliation" },
    ],
  },
];

/** The groups with at least one page that this viewer may see. */
export function getNavGroups({ may }: Pick<Viewer, "may">): NavGroup[] {
  const maySee = ({ page }: NavEntry) => {
    const access = accessToView(page);
    return access === "public" || access === "signed-in" || may(access);
  };
  return navGroups
    .map(({ label, entries: places }) => ({ label, entries: places.filter(maySee) }))
    .filter(({ entries: places }) => places.length > 0);
}

/** The page of the navigation that an address belongs to: the one with the longest matching prefix. */
export function findPage(path: string, groups: readonly NavGroup[]): NavEntry["page"] | undefined {
  const under = (start: string) => (`${path}/`.startsWith(`${start}/`) ? start.length : 0);
  const nearness = ({ page, sections = [] }: NavEntry) => Math.max(...[page, ...sections].map(under));
  const [nearest] = groups
    .flatMap(({ entries: places }) => places)
    .filter((location) => nearness(location) > 0)
    .sort((one, other) => nearness(other) - nearness(one));
  return nearest?.page;
}
