import { matchRoutes } from "@remix-run/react";
import type { Scope } from "#contracts/kit/endpoint.ts";

/** Open to all, to signed-in users, or to holders of a scope. */
export type PageAccess = "public" | "signed-in" | Scope;

/** One access for viewing a page and for sending its forms, or one for each. */
type Decision = PageAccess | { view: PageAccess; change: PageAccess };

const viewOrChangeTests: Decision = { view: "tests:read", change: "tests:write" };
const viewOrRunTests: Decision = { view: "tests:read", change: "tests:run" };

/**
 * Who may see a page and who may send its forms; the only place that defines it. Guards use it, and a test compares it
 * with `routes.ts`, so that a page without a rule fails. The services check permissions independently.
 */
export const routeAccess = {
  "/": "public",
  "/login": "public",
  "/login/single-sign-on": "public",
  "/login/single-sign-on/return": "public",
  "/signout": "public",
  "/cookie-consent": "public",
  "/human-check": "public",
  "/signup": "public",
  "/self-registration": "public",
  "/register": "public",
  "/registration-type-selection": "public",
  "/create-account-individual": "public",
  "/create-account-individual-success": "public",
  "/complete-individual-account-registration": "public",
  "/create-account-organization": "public",
  "/create-account-organization-success": "public",
  "/complete-organization-account-registration": "public",
  "/password-reset": "public",
  "/password-reset/complete": "public",
  "/confirm-email": "public",
  "/confirm-alert-address": "public",
  "/privacy-policy": "public",
  "/terms-and-conditions": "public",
  "/legal": "public",
  "/contact": "public",
  "/about": "public",
  "/alert-webhooks": "public",
  "/docs": "public",
  "/docs/:chapter": "public",
  "/status/:address": "public",
  "/status/:address/badge.svg": "public",
  "/status/:address/feed.atom": "public",
  "/status-updates/:address": "public",
  "/confirm-status-updates": "public",
  "/end-status-updates": "public",
  "/*": "public",

  "/dashboard": "signed-in",
  "/trends.csv": "tests:read",
  "/search": "signed-in",
  "/search/suggestions": "signed-in",
  "/time-zone": "signed-in",
  "/profile": "signed-in",
  "/organization": { view: "signed-in", change: "users:manage" },
  "/profile/api-tokens": "signed-in",
  "/profile/api-tokens/create": "signed-in",
  "/profile/command-line": "signed-in",
  "/profile/confirm": "signed-in",
  "/profile/display": "signed-in",
  "/profile/email": "signed-in",
  "/profile/name": "signed-in",
  "/profile/password": "signed-in",
  "/profile/passkeys": "signed-in",
  "/profile/passkeys/:passkeyId": "signed-in",
  "/profile/second-factor": "signed-in",
  "/organization/code": "tests:read",
  "/organization/code/drift.yaml": "tests:read",
  "/organization/delete": "users:manage",
  "/organization/export": "users:manage",
  "/organization/single-sign-on": "users:manage",
  "/notifications/:notificationId": { view: "public", change: "signed-in" },
  "/billing": "billing:manage",
  "/billing/address": "billing:manage",
  "/billing/invoices/:paymentId": "billing:manage",
  "/subscriptions/paypal/return": "billing:manage",
  "/subscriptions/:subscriptionId": "billing:manage",
  "/subscriptions/:subscriptionId/plan": "billing:manage",

  // Who may read it depends on how mail is delivered: see `mailbox` of the portal's context.
  "/sandbox/mail": "public",
  "/sandbox/mail/:letterId": "public",
  "/sandbox/mail/:letterId/html": "public",

  "/administration": "signed-in",
  "/administration/user-management": "users:manage",
  "/administration/user-management/users/:userId/edit": "users:manage",
  "/administration/user-management/invite": "users:manage",
  "/administration/user-management/invites/pending": "users:manage",
  "/administration/user-management/invites/:invitationId": "users:manage",
  "/administration/credentials": "signed-in",
  "/administration/credentials/create": "credentials:manage",
  "/administration/credentials/:credentialId/edit": "credentials:manage",
  "/administration/credentials/:credentialId/secret": "credentials:manage",
  "/administration/credentials/:credentialId/try": "credentials:manage",
  "/administration/credentials/domain/:domain": "signed-in",
  "/administration/authorization-configs": "signed-in",
  "/administration/authorization-configs/create": "domains:manage",
  "/administration/authorization-configs/:authorizationConfigId/edit": "domains:manage",
  "/administration/audit-log": "users:manage",
  "/administration/audit-log/chain": "users:manage",
  "/administration/audit-log.csv": "users:manage",
  "/administration/system-configuration": "system:manage",
  "/administration/domain": "signed-in",
  "/administration/domain/create": "domains:manage",
  "/administration/domain/:domain/edit": "domains:manage",
  "/administration/locations": "tests:read",
  "/administration/locations/create": "credentials:manage",
  "/administration/locations/:locationId": { view: "tests:read", change: "credentials:manage" },
  "/administration/locations/:locationId/add-agent": "credentials:manage",
  "/administration/tracing": "domains:manage",
  "/administration/vault": "credentials:manage",
  "/administration/system/monthly": "system:manage",
  "/administration/system/monthly.csv": "system:manage",
  "/administration/system/paypal-deliveries": "system:manage",
  "/administration/system/paypal-deliveries/:paymentDeliveryId": "system:manage",
  "/administration/system/plans": "system:manage",
  "/administration/system/plans/:serviceId": "system:manage",
  "/administration/system/plans/:serviceId/edit": "system:manage",
  "/administration/system/plans/:serviceId/price": "system:manage",
  "/administration/system/plans/create": "system:manage",
  "/administration/system/reconciliations": "system:manage",
  "/administration/system/reconciliations/:reconciliationId": "system:manage",
  "/administration/system/subscriptions": "system:manage",
  "/administration/system/subscriptions/:subscriptionId": "system:manage",

  "/api-management": "signed-in",
  "/api-management/list": "apis:read",
  "/api-management/register": "apis:write",
  "/api-management/import": "apis:write",
  "/api-management/example": "apis:write",
  "/api-management/:apiId": "apis:read",
  "/api-management/:apiId/dependencies": "apis:read",
  "/api-management/:apiId/dependencies/resource": { view: "apis:read", change: "apis:write" },
  "/api-management/:apiId/details": { view: "apis:read", change: "apis:write" },
  "/api-management/:apiId/details/authentication": { view: "apis:read", change: "apis:write" },
  "/api-management/:apiId/details/edit": "apis:write",
  "/api-management/:apiId/details/environments": "apis:write",
  "/api-management/:apiId/details/import": "apis:write",
  "/api-management/:apiId/details/problems": "apis:read",
  "/api-management/:apiId/details/watch": { view: "apis:read", change: "apis:write" },
  "/api-management/:apiId/documents/:documentId": "apis:read",
  "/api-management/:apiId/environment": "apis:read",
  "/api-management/:apiId/swagger": "apis:read",
  "/api-management/:apiId/swagger/filter": "apis:read",
  "/api-management/:apiId/swagger/operation": { view: "apis:read", change: "tests:run" },
  "/api-management/:apiId/swagger/operations": "apis:read",
  "/api-management/:apiId/swagger/schema": "apis:read",
  "/api-management/:apiId/swagger/send": "tests:run",
  "/api-management/:apiId/swagger/webhook": "apis:read",

  "/test-management": "signed-in",
  "/test-management/alert-rules": viewOrChangeTests,
  "/test-management/certificates": "tests:read",
  "/test-management/files/:sha256": "tests:read",
  "/test-management/failing-tests": "tests:read",
  "/test-management/incidents": viewOrChangeTests,
  "/test-management/incidents/:incidentId": viewOrChangeTests,
  "/test-management/runs": "tests:read",
  "/test-management/select-api": "tests:read",
  "/test-management/alert-channels": "tests:read",
  "/test-management/alert-channels/create": "tests:write",
  "/test-management/alert-channels/:channelId": viewOrChangeTests,
  "/test-management/alert-channels/:channelId/deliveries/:deliveryId": viewOrChangeTests,
  "/test-management/test-circles/create": "tests:write",
  "/test-management/test-circles/list": viewOrChangeTests,
  "/test-management/schedules": "tests:read",
  "/test-management/maintenance-windows": "tests:read",
  "/test-management/maintenance-windows/create": "tests:write",
  "/test-management/maintenance-windows/:maintenanceWindowId/edit": viewOrChangeTests,
  "/test-management/:apiId": "tests:read",
  "/test-management/:apiId/alert-rules": viewOrChangeTests,
  "/test-management/:apiId/explorations": viewOrRunTests,
  // Saving a finding needs tests:write: every role has both or neither, and the services check each.
  "/test-management/:apiId/explorations/:explorationId": viewOrRunTests,
  "/test-management/:apiId/explorations/:explorationId/events": "tests:read",
  "/test-management/:apiId/export": "tests:read",
  "/test-management/:apiId/export/download": "tests:read",
  "/test-management/:apiId/manage": "tests:read",
  "/test-management/:apiId/marks": viewOrRunTests,
  "/test-management/:apiId/runs": viewOrRunTests,
  "/test-management/:apiId/runs/start": "tests:run",
  "/test-management/:apiId/runs/:runId": viewOrRunTests,
  "/test-management/:apiId/runs/:runId/comparison": "tests:read",
  "/test-management/:apiId/runs/:runId/events": "tests:read",
  "/test-management/:apiId/runs/:runId/report": "tests:read",
  "/test-management/:apiId/test-circles/create": "tests:write",
  "/test-management/:apiId/test-circles/executions/list": viewOrRunTests,
  "/test-management/:apiId/test-circles/list": viewOrChangeTests,
  "/test-management/:apiId/test-circles/:testCircleId": viewOrRunTests,
  "/test-management/:apiId/test-circles/:testCircleId/alert-rules": viewOrChangeTests,
  "/test-management/:apiId/test-circles/:testCircleId/edit": viewOrChangeTests,
  "/test-management/:apiId/test-circles/:testCircleId/service-level": "tests:write",
  "/test-management/:apiId/test-circles/:testCircleId/status-page": viewOrChangeTests,
  "/test-management/:apiId/test-circles/:testCircleId/status-page/subscribers": "tests:write",
  "/test-management/:apiId/test-circles/:testCircleId/status-page/subscribers.csv": "tests:write",
  "/test-management/:apiId/test-circles/:testCircleId/schedules/create": "tests:write",
  "/test-management/:apiId/test-circles/:testCircleId/schedules/:scheduleId/edit": viewOrChangeTests,
  "/test-management/:apiId/test-circles/:testCircleId/executions/list": viewOrRunTests,
  "/test-management/:apiId/test-circles/:testCircleId/executions/:testCircleExecutionId/results": viewOrRunTests,
  // Running needs tests:run and deleting tests:write; every role has both or neither, and the services check each.
  "/test-management/:apiId/tests": viewOrRunTests,
  "/test-management/:apiId/tests/body-schema": "tests:read",
  "/test-management/:apiId/tests/create/*": "tests:write",
  "/test-management/:apiId/tests/create/:pathName/:method": "tests:write",
  "/test-management/:apiId/tests/import": "tests:write",
  "/test-management/:apiId/tests/make": "tests:write",
  "/test-management/:apiId/tests/proposals": viewOrChangeTests,
  "/test-management/:apiId/tests/send": "tests:run",
  "/test-management/:apiId/tests/:testId/edit": viewOrChangeTests,
  "/test-management/:apiId/tests/:testId/notices": viewOrChangeTests,
  "/test-management/:apiId/tests/:testId/executions/list": viewOrRunTests,
  "/test-management/:apiId/tests/:testId/executions/:testExecutionId/body": "tests:read",
  "/test-management/:apiId/tests/:testId/executions/:testExecutionId/events": "tests:read",
  "/test-management/:apiId/tests/:testId/executions/:testExecutionId/report": "tests:read",
  "/test-management/:apiId/tests/:testId/executions/:testExecutionId/results": viewOrRunTests,
  "/test-management/:apiId/tests/:testId/executions/:testExecutionId/verifications": viewOrRunTests,
} satisfies Record<string, Decision>;

/** The access needed to view a page. */
export function accessToView(page: keyof typeof routeAccess): PageAccess {
  const decision: Decision = routeAccess[page];
  return typeof decision === "string" ? decision : decision.view;
}

const routes = Object.keys(routeAccess).map((path) => ({ path }));
/** Cached: every loader of a page needs it, and matching tests all routes. */
const matched = new Map<string, keyof typeof routeAccess>();
const maxMatched = 1_000;

/** The page of an address. */
export function pageAt(pathname: string): keyof typeof routeAccess {
  const known = matched.get(pathname);
  if (known) return known;
  const page = (matchRoutes(routes, pathname)?.at(-1)?.route.path ?? "/*") as keyof typeof routeAccess;
  if (matched.size >= maxMatched) matched.clear();
  matched.set(pathname, page);
  return page;
}

/** The access needed by a request. */
export function accessNeeded(request: Pick<Request, "url" | "method">): PageAccess {
  const page = pageAt(new URL(request.url).pathname);
  if (request.method === "GET" || request.method === "HEAD") return accessToView(page);
  const decision: Decision = routeAccess[page];
  return typeof decision === "string" ? decision : decision.change;
}
