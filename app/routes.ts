import { index, type RouteConfig, route } from "@remix-run/route-config";

export default [
  index("routes/home/page.tsx"),
  route("login", "routes/login.tsx"),
  route("signout", "routes/signout.tsx"),
  route("cookie-consent", "routes/cookie-consent.ts"),
  route("human-check", "routes/human-check.ts"),

  route("signup", "routes/account/to-type-selection.ts", { id: "signup" }),
  route("self-registration", "routes/account/to-type-selection.ts", { id: "self-registration" }),
  route("register", "routes/account/register.tsx"),
  route("registration-type-selection", "routes/account/type-selection.tsx"),
  route("create-account-individual", "routes/account/create-individual.tsx"),
  route("create-account-individual-success", "routes/account/requested.tsx", { id: "individual-requested" }),
  route("complete-individual-account-registration", "routes/account/complete-registration.tsx", {
    id: "complete-individual",
  }),
  route("create-account-organization", "routes/account/create-organization.tsx"),
  route("create-account-organization-success", "routes/account/requested.tsx", { id: "organization-requested" }),
  route("complete-organization-account-registration", "routes/account/complete-registration.tsx", {
    id: "complete-organization",
  }),
  route("password-reset", "routes/password-reset/request.tsx"),
  route("password-reset/complete", "routes/password-reset/complete.tsx"),

  route("privacy-policy", "routes/legal/privacy-policy.tsx"),
  route("terms-and-conditions", "routes/legal/terms-and-conditions.tsx"),
  route("legal", "routes/legal/legal.tsx"),
  route("contact", "routes/contact.tsx"),
  route("about", "routes/about.tsx"),

  route("dashboard", "routes/dashboard/page.tsx"),
  route("trends.csv", "routes/trends/csv.ts"),
  route("time-zone", "routes/time-zone.tsx"),
  route("profile", "routes/profile/page.tsx"),
  route("notifications/:notificationId", "routes/notifications.ts"),
  route("billing", "routes/billing/page.tsx"),

  route("sandbox/mail", "routes/sandbox/mail/list.tsx"),
  route("sandbox/mail/:letterId", "routes/sandbox/mail/letter.tsx"),
  route("sandbox/mail/:letterId/html", "routes/sandbox/mail/html.ts"),

  route("administration", "routes/administration/layout.tsx", [
    index("routes/administration/start.ts"),
    route("credentials", "routes/administration/credentials/list.tsx"),
    route("credentials/create", "routes/administration/credentials/create.tsx"),
    route("credentials/:credentialId/edit", "routes/administration/credentials/edit.tsx"),
    route("credentials/domain/:domain", "routes/administration/credentials/domain.tsx"),
  ]),

  route("api-management", "routes/api-management/layout.tsx", [
    index("routes/api-management/start.ts"),
    route("list", "routes/api-management/list.tsx"),
    route("register", "routes/api-management/register.tsx"),
    route(":apiId", "routes/api-management/$apiId/layout.tsx", [
      route("details", "routes/api-management/$apiId/details/page.tsx"),
      route("details/edit", "routes/api-management/$apiId/details/edit.tsx"),
      route("details/environments", "routes/api-management/$apiId/details/environments.tsx"),
      route("details/import", "routes/api-management/$apiId/details/import.tsx"),
      route("details/problems", "routes/api-management/$apiId/details/problems.tsx"),
      route("swagger", "routes/api-management/$apiId/swagger/overview.tsx"),
      route("swagger/operations", "routes/api-management/$apiId/swagger/operations.tsx"),
      route("swagger/operation", "routes/api-management/$apiId/swagger/operation.tsx"),
      route("swagger/webhook", "routes/api-management/$apiId/swagger/webhook.tsx"),
      route("swagger/schema", "routes/api-management/$apiId/swagger/schema.tsx"),
    ]),
  ]),
  route("api-management/:apiId/documents/:documentId", "routes/api-management/$apiId/download.ts"),
  route("api-management/:apiId/swagger/filter", "routes/api-management/$apiId/swagger/filter.tsx"),
  route("api-management/:apiId/swagger/send", "routes/api-management/$apiId/swagger/send.tsx"),

  route("test-management", "routes/test-management/layout.tsx", [
    index("routes/test-management/start.ts"),
    route("select-api", "routes/test-management/select-api.tsx"),
    route("test-circles/list", "routes/test-management/circles/list.tsx", { id: "all-circles" }),
    route("test-circles/create", "routes/test-management/circles/create.tsx", { id: "create-circle-of-any" }),
    route(":apiId", "routes/test-management/api-layout.tsx", [
      route("manage", "routes/test-management/manage.tsx"),
      route("marks", "routes/test-management/marks/list.tsx"),
      route("runs", "routes/test-management/runs/list.tsx"),
      route("runs/:runId", "routes/test-management/runs/run.tsx"),
      route("runs/:runId/events", "routes/test-management/runs/events.ts"),
      route("runs/:runId/report", "routes/test-management/runs/report.ts"),
      route("tests", "routes/test-management/tests/list.tsx"),
      route("tests/send", "routes/test-management/tests/send.ts"),
      route("tests/body-schema", "routes/test-management/tests/body-schema.ts"),
      route("tests/create/:pathName/:method", "routes/test-management/tests/create.tsx"),
      // For proxies that decode %2F on the way.
      route("tests/create/*", "routes/test-management/tests/create.tsx", { id: "create-decoded" }),
      route("tests/:testId/edit", "routes/test-management/tests/edit.tsx"),
      route("tests/:testId/executions/list", "routes/test-management/executions/list.tsx"),
      route(
        "tests/:testId/executions/:testExecutionId",
        "routes/test-management/executions/execution-layout.tsx",
        { id: "execution" },
        [
          route("results", "routes/test-management/executions/results.tsx"),
          route("verifications", "routes/test-management/executions/verifications.tsx"),
        ],
      ),
      route("test-circles/list", "routes/test-management/circles/list.tsx"),
      route("test-circles/create", "routes/test-management/circles/create.tsx"),
      route("test-circles/executions/list", "routes/test-management/circles/executions.tsx", { id: "runs-of-circles" }),
      route("test-circles/:testCircleId/edit", "routes/test-management/circles/edit.tsx"),
      route("test-circles/:testCircleId/schedules/create", "routes/test-management/schedules/create.tsx"),
      route("test-circles/:testCircleId/schedules/:scheduleId/edit", "routes/test-management/schedules/edit.tsx"),
      route("test-circles/:testCircleId/executions/list", "routes/test-management/circles/executions.tsx"),
      route(
        "test-circles/:testCircleId/executions/:testCircleExecutionId/results",
        "routes/test-management/runs/run.tsx",
        { id: "circle-results" },
      ),
      route("tests/:testId/executions/:testExecutionId/events", "routes/test-management/executions/events.ts"),
    ]),
  ]),

  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
