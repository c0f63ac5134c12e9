import { href, type Page } from "~/href";
import type { IconName } from "~/ui/icon/icon";

/** A page that the rail links to. Its address has no parameters. */
export interface SectionPage {
  page: Exclude<Page, `${string}:${string}`>;
  label: string;
  /** Beginnings of other addresses that belong to it. */
  with?: readonly string[];
  /** The count displayed beside the link. */
  counts?: "openInvitations" | "openIncidents";
}

export interface SectionGroup {
  label?: string;
  pages: readonly SectionPage[];
}

export interface Section {
  label: string;
  icon: IconName;
  /** Its own page. A section without one leads to the first of its groups' pages. */
  own?: Omit<SectionPage, "label">;
  /** Displayed while the viewer is in it. */
  groups?: readonly SectionGroup[];
  /** On small screens its row has its own pages only, after a link to the dashboard. */
  isArea?: true;
  /** In the rail only while the viewer is in it. */
  hides?: true;
}

const invitations = href("/administration/user-management/invites/pending").replace("/pending", "");
const subscriptions = href("/subscriptions/paypal/return").replace("/paypal/return", "");

/** Everything the rail leads to, in its order. `route-access.ts` defines who may see a page; others get no link to it. */
export const sections: readonly Section[] = [
  { label: "Dashboard", icon: "grid", own: { page: "/dashboard" } },
  {
    label: "APIs",
    icon: "braces",
    // An API's pages are at both of these addresses; those of other sections are longer.
    own: { page: "/api-management/list", with: [href("/api-management"), href("/test-management")] },
  },
  {
    label: "Circles",
    icon: "circle",
    own: { page: "/test-management/test-circles/list", with: [href("/test-management/test-circles/create")] },
  },
  {
    label: "Incidents",
    icon: "warning",
    own: { page: "/test-management/incidents", counts: "openIncidents" },
    groups: [
      {
        pages: [
          { page: "/test-management/failing-tests", label: "Failing tests" },
          { page: "/test-management/certificates", label: "Certificates" },
        ],
      },
    ],
  },
  {
    label: "Schedules",
    icon: "calendar",
    own: { page: "/test-management/schedules" },
    groups: [{ pages: [{ page: "/test-management/maintenance-windows", label: "Maintenance windows" }] }],
  },
  {
    label: "Alerts",
    icon: "bell",
    groups: [
      {
        pages: [
          { page: "/test-management/alert-rules", label: "Alert rules" },
          { page: "/test-management/alert-channels", label: "Alert channels" },
        ],
      },
    ],
  },
  {
    label: "Administration",
    icon: "sliders",
    isArea: true,
    groups: [
      {
        label: "People",
        pages: [
          { page: "/administration/user-management", label: "Users" },
          {
            page: "/administration/user-management/invites/pending",
            label: "Invitations",
            with: [invitations, href("/administration/user-management/invite")],
            counts: "openInvitations",
          },
        ],
      },
      {
        label: "Access",
        pages: [
          { page: "/administration/credentials", label: "Credentials" },
          { page: "/administration/domain", label: "Domains" },
          { page: "/administration/authorization-configs", label: "Authorization configs" },
          { page: "/administration/vault", label: "Vault" },
          { page: "/administration/locations", label: "Locations" },
          { page: "/administration/tracing", label: "Tracing" },
        ],
      },
      {
        label: "Organization",
        pages: [
          { page: "/organization", label: "Organization" },
          { page: "/billing", label: "Billing", with: [subscriptions] },
          { page: "/administration/audit-log", label: "Audit log" },
        ],
      },
      {
        label: "Installation",
        pages: [{ page: "/administration/system-configuration", label: "System configuration" }],
      },
      {
        label: "Payments",
        pages: [
          { page: "/administration/system/plans", label: "Plans and prices" },
          { page: "/administration/system/monthly", label: "Monthly numbers" },
          { page: "/administration/system/subscriptions", label: "Subscriptions" },
          { page: "/administration/system/paypal-deliveries", label: "PayPal's deliveries" },
          { page: "/administration/system/reconciliations", label: "Reconciliation" },
        ],
      },
    ],
  },
  {
    label: "Profile",
    icon: "user",
    isArea: true,
    hides: true,
    groups: [
      {
        pages: [
          { page: "/profile", label: "Account" },
          { page: "/profile/password", label: "Password" },
          { page: "/profile/second-factor", label: "Second factor" },
          { page: "/profile/passkeys", label: "Passkeys" },
          { page: "/profile/api-tokens", label: "API tokens" },
          { page: "/profile/command-line", label: "Command line" },
          { page: "/profile/display", label: "Display" },
        ],
      },
    ],
  },
];
