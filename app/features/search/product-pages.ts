import { href, type Page } from "~/href";
import type { Viewer } from "~/session/guards";
import { accessToView } from "~/session/route-access";
import type { Hit } from "./found";

interface ProductPage {
  page: Exclude<Page, `${string}:${string}`>;
  label: string;
  /** Other words by which it is found. */
  words?: string;
}

const productPages: readonly ProductPage[] = [
  { page: "/dashboard", label: "Dashboard", words: "home overview trends" },
  { page: "/api-management/list", label: "APIs" },
  { page: "/api-management/register", label: "Register an API", words: "add create new openapi document" },
  { page: "/test-management/test-circles/list", label: "Circles", words: "test groups" },
  { page: "/test-management/test-circles/create", label: "Create a circle", words: "add new" },
  { page: "/test-management/schedules", label: "Schedules", words: "calendar cron" },
  { page: "/test-management/maintenance-windows", label: "Maintenance windows", words: "pause downtime" },
  { page: "/test-management/incidents", label: "Incidents" },
  { page: "/test-management/failing-tests", label: "Failing tests" },
  { page: "/test-management/certificates", label: "Certificates", words: "tls expiry" },
  { page: "/test-management/alert-rules", label: "Alert rules", words: "notifications quiet hours" },
  { page: "/test-management/alert-channels", label: "Alert channels", words: "email slack teams webhook pagerduty" },
  { page: "/administration/user-management", label: "Users", words: "people members roles" },
  { page: "/administration/user-management/invite", label: "Invite people", words: "add users members" },
  { page: "/administration/user-management/invites/pending", label: "Invitations" },
  { page: "/administration/credentials", label: "Credentials", words: "secrets api keys tokens passwords" },
  { page: "/administration/domain", label: "Domains", words: "verification hosts" },
  { page: "/administration/authorization-configs", label: "Authorization configs", words: "security schemes" },
  { page: "/administration/vault", label: "Vault", words: "secrets hashicorp" },
  { page: "/administration/tracing", label: "Tracing", words: "opentelemetry" },
  { page: "/administration/audit-log", label: "Audit log", words: "changes history" },
  { page: "/administration/system-configuration", label: "System configuration", words: "settings limits" },
  { page: "/administration/system/plans", label: "Plans and prices" },
  { page: "/organization", label: "Organization", words: "name settings second factor" },
  { page: "/organization/code", label: "Assurance as code", words: "files git drift" },
  { page: "/organization/single-sign-on", label: "Single sign-on", words: "sso oidc identity provider" },
  { page: "/billing", label: "Billing", words: "plan invoices payments subscription" },
  { page: "/profile", label: "Profile", words: "account sessions" },
  { page: "/profile/password", label: "Password" },
  { page: "/profile/second-factor", label: "Second factor", words: "two-factor 2fa mfa totp" },
  { page: "/profile/passkeys", label: "Passkeys", words: "webauthn" },
  { page: "/profile/display", label: "Display", words: "theme dark light time zone keys shortcuts" },
  { page: "/profile/command-line", label: "Command line", words: "cli pipeline github gitlab ci" },
  { page: "/profile/api-tokens", label: "API tokens" },
];

const toWords = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/** Pages of the product that this viewer may see and that have words with these beginnings. */
export function findPages({ may }: Pick<Viewer, "may">, query: string): Hit[] {
  const wanted = toWords(query).filter(Boolean);
  if (wanted.length === 0) return [];
  const maySee = ({ page }: ProductPage) => {
    const access = accessToView(page);
    return access === "public" || access === "signed-in" || may(access);
  };
  const begins = (words: string[]) => wanted.every((one) => words.some((word) => word.startsWith(one)));
  const found = productPages.filter((one) => maySee(one) && begins(toWords(`${one.label} ${one.words ?? ""}`)));
  // Those with the words in their name are likelier.
  return found
    .sort((one, other) => Number(begins(toWords(other.label))) - Number(begins(toWords(one.label))))
    .map(({ page, label }) => ({ href: href(page), name: label }));
}
