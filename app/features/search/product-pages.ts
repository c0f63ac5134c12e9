import { type SectionPage, sections } from "~/features/navigation/sections";
import { href, type Page } from "~/href";
import type { Viewer } from "~/session/guards";
import { accessToView } from "~/session/route-access";
import type { Hit } from "./found";

type ProductPage = Pick<SectionPage, "page" | "label">;

/** Pages of the rail, and pages reached from lists only. */
const productPages: readonly ProductPage[] = [
  ...sections.flatMap(({ label, own, groups = [] }) => [
    ...(own ? [{ page: own.page, label }] : []),
    ...groups.flatMap(({ pages }) => pages),
  ]),
  { page: "/api-management/register", label: "Register an API" },
  { page: "/test-management/test-circles/create", label: "Create a circle" },
  { page: "/administration/user-management/invite", label: "Invite people" },
  { page: "/administration/locations/create", label: "Create a location" },
  { page: "/organization/code", label: "Assurance as code" },
  { page: "/organization/single-sign-on", label: "Single sign-on" },
];

/** Additional search words. */
const otherWords: Partial<Record<Page, string>> = {
  "/dashboard": "home overview trends",
  "/api-management/register": "add create new openapi document",
  "/test-management/test-circles/list": "test groups",
  "/test-management/test-circles/create": "add new",
  "/test-management/schedules": "calendar cron",
  "/test-management/maintenance-windows": "pause downtime",
  "/test-management/certificates": "tls expiry",
  "/test-management/alert-rules": "notifications quiet hours",
  "/test-management/alert-channels": "email slack teams webhook pagerduty",
  "/administration/user-management": "people members roles",
  "/administration/user-management/invite": "add users members",
  "/administration/credentials": "secrets api keys tokens passwords",
  "/administration/domain": "verification hosts",
  "/administration/authorization-configs": "security schemes",
  "/administration/vault": "secrets hashicorp",
  "/administration/locations": "agents networks firewall private",
  "/administration/locations/create": "add new agent network",
  "/administration/tracing": "opentelemetry",
  "/administration/audit-log": "changes history",
  "/administration/system-configuration": "settings limits",
  "/organization": "name settings second factor",
  "/organization/code": "files git drift",
  "/organization/single-sign-on": "sso oidc identity provider",
  "/billing": "plan invoices payments subscription",
  "/profile": "profile sessions",
  "/profile/second-factor": "two-factor 2fa mfa totp",
  "/profile/passkeys": "webauthn",
  "/profile/display": "theme dark light time zone keys shortcuts",
  "/profile/command-line": "cli pipeline github gitlab ci",
};

const toWords = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/** Product pages that the viewer may open and whose words start with the query's. */
export function findPages({ may }: Pick<Viewer, "may">, query: string): Hit[] {
  const wanted = toWords(query).filter(Boolean);
  if (wanted.length === 0) return [];
  const maySee = ({ page }: ProductPage) => {
    const access = accessToView(page);
    return access === "public" || access === "signed-in" || may(access);
  };
  const begins = (words: string[]) => wanted.every((one) => words.some((word) => word.startsWith(one)));
  const found = productPages.filter(
    (one) => maySee(one) && begins(toWords(`${one.label} ${otherWords[one.page] ?? ""}`)),
  );
  // Matches in the name come first.
  return found
    .sort((one, other) => Number(begins(toWords(other.label))) - Number(begins(toWords(one.label))))
    .map(({ page, label }) => ({ href: href(page), name: label }));
}
