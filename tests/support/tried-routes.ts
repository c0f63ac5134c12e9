import type { PagePath } from "./route-attempts.ts";
import type { Ids } from "./tried-operations.ts";

/** Of one installation, or of no organization: never another organization's. */
export const plainRouteParameters: Ids = {
  ...{ pathName: "/pets", method: "get", serviceId: "team", "*": "/pets/get", chapter: "alerts" },
  // The operator's resources, and emails of an installation without mail: these accounts have none.
  ...{ paymentDeliveryId: "WH-1", letterId: "1" },
  reconciliationId: "01900000-0000-7000-8000-000000000000",
};

/** Query parameters that select by id, beyond the path (`:name` is replaced by an id), and those that make a page show its content. */
export const searchesByPage: Partial<Record<PagePath, Record<string, string>[]>> = {
  "/": [{ "user-notification-id": ":notificationId" }],
  "/billing": [{ "user-notification-id": ":notificationId" }],
  "/subscriptions/:subscriptionId": [{ "user-notification-id": ":notificationId" }],
  "/subscriptions/:subscriptionId/plan": [{ serviceId: "business" }],
  "/subscriptions/paypal/return": [{ subscription_id: ":providerId" }],
  "/search": [{ query: ":testId" }, { query: ":runId" }, { query: ":testExecutionId" }, { query: "pets" }],
  "/search/suggestions": [{ query: ":testId" }, { query: "pets" }, { keys: "true" }],
  "/profile/api-tokens": [{ revoke: ":apiTokenId" }],
  "/profile/command-line": [{ apiId: ":apiId" }],
  "/trends.csv": [{ apiId: ":apiId" }, { testId: ":testId" }, { testCircleId: ":testCircleId" }],
  "/administration/credentials": [{ domain: ":domain" }],
  "/administration/credentials/create": [
    { domain: ":domain" },
    { domain: ":domain", type: "apiKey", in: "header", parameterName: "X-Api-Key" },
    { apiId: ":apiId", tokenUrl: "https://sign-in.example.com/token" },
  ],
  "/administration/authorization-configs/create": [
    { domain: ":domain" },
    { apiId: ":apiId" },
    { domain: ":domain", made: ":credentialId" },
  ],
  "/administration/authorization-configs/:authorizationConfigId/edit": [{ made: ":credentialId" }],
  "/administration/locations/:locationId": [{ revoke: ":agentId" }],
  "/administration/system/paypal-deliveries": [{ subscriptionId: ":subscriptionId" }],
  "/api-management/:apiId/dependencies/resource": [{ key: "/pets/{}" }],
  "/api-management/:apiId/details/authentication": [{ scheme: "key", host: ":domain" }],
  "/api-management/:apiId/details/problems": [{ documentId: ":documentId" }],
  "/api-management/:apiId/swagger/operation": [{ method: "get", path: "/pets" }],
  "/api-management/:apiId/swagger/webhook": [{ method: "post", path: "newPet" }],
  "/api-management/:apiId/swagger/schema": [{ method: "get", path: "/pets" }],
  "/api-management/:apiId/swagger/filter": [{ query: "pets" }],
  "/test-management/alert-rules": [{ made: ":channelId" }],
  "/test-management/failing-tests": [{ apiId: ":apiId" }],
  "/test-management/incidents": [
    { state: "all", apiId: ":apiId" },
    { state: "all", testCircleId: ":testCircleId" },
  ],
  "/test-management/incidents/:incidentId": [{ dialog: "deleteComment", commentId: ":commentId" }],
  "/test-management/maintenance-windows/create": [{ apiId: ":apiId" }, { testCircleId: ":testCircleId" }],
  "/test-management/test-circles/list": [{ dialog: "delete", testCircleId: ":testCircleId" }],
  "/test-management/:apiId/alert-rules": [{ made: ":channelId" }],
  "/test-management/:apiId/export": [{ testId: ":testId" }, { testCircleId: ":testCircleId" }, { selected: ":testId" }],
  "/test-management/:apiId/export/download": [
    { testId: ":testId" },
    { testCircleId: ":testCircleId" },
    { selected: ":testId" },
  ],
  "/test-management/:apiId/marks": [{ dialog: "delete", markId: ":markId" }],
  "/test-management/:apiId/runs/:runId/comparison": [{ with: ":testCircleExecutionId" }],
  "/test-management/:apiId/tests/make": [{ steps: "life /pets/{}" }],
  "/test-management/:apiId/tests/send": [{ method: "get", path: "/pets" }],
  "/api-management/:apiId/swagger/send": [{ method: "get", path: "/pets" }],
  "/test-management/:apiId/tests": [{ dialog: "delete", testId: ":testId" }],
  "/test-management/:apiId/tests/body-schema": [{ method: "get", path: "/pets" }],
  "/test-management/:apiId/tests/:testId/executions/:testExecutionId/body": [{ attempt: "1", of: "response" }],
  "/test-management/:apiId/test-circles/list": [{ dialog: "delete", testCircleId: ":testCircleId" }],
  "/test-management/:apiId/test-circles/:testCircleId/alert-rules": [{ made: ":channelId" }],
};

const withoutToken = "It is opened by the link of a letter";
const withoutMailbox = "Letters are sent, and not kept";
const takesForms = "It takes forms and shows nothing";

/** Why a page shows nothing of ours, whatever is requested. */
export const notOurs: Partial<Record<PagePath, string>> = {
  "/login/single-sign-on/return": "A provider leads there",
  "/complete-individual-account-registration": withoutToken,
  "/complete-organization-account-registration": withoutToken,
  "/password-reset/complete": withoutToken,
  "/confirm-email": withoutToken,
  "/confirm-alert-address": withoutToken,
  "/confirm-status-updates": withoutToken,
  "/end-status-updates": withoutToken,
  "/*": "It says that there is no such page",
  "/profile/passkeys/:passkeyId": "Whoever has a passkey can't sign in here",
  "/sandbox/mail": withoutMailbox,
  "/sandbox/mail/:letterId": withoutMailbox,
  "/sandbox/mail/:letterId/html": withoutMailbox,
  "/api-management/:apiId/swagger/schema": "The documents here have no folded schema",
  "/api-management/:apiId/swagger/send": takesForms,
  "/test-management/:apiId/tests/send": takesForms,
};

/** Pages that show every organization to the operator. */
export const ofOperators: PagePath[] = [
  "/administration/system/subscriptions",
  "/administration/system/subscriptions/:subscriptionId",
];

/** The history of a resource remains when it is deleted, and is found by its id. */
export const pagesThatKeepDeleted: PagePath[] = ["/test-management/incidents"];

/** Forms that none of the tried pages displays: a script sends them, or their subject does not exist here. */
export const typedForms: Partial<Record<PagePath, Record<string, string>[]>> = {
  "/notifications/:notificationId": [{ intent: "skip" }, { intent: "dismiss" }, { intent: "continue" }],
  "/profile/confirm": [{ redirectTo: "/profile" }],
  "/billing": [{ serviceId: "business" }],
  "/subscriptions/:subscriptionId/plan": [{ serviceId: "business" }],
  "/profile/passkeys/:passkeyId": [
    { intent: "rename", name: "Tried" },
    { intent: "remove", currentPassword: "wrong" },
  ],
  "/organization/single-sign-on": [{ intent: "delete" }],
  "/api-management/example": [{}],
  "/api-management/:apiId/details/authentication": [{ intent: "send" }, { intent: "keep" }],
  "/api-management/:apiId/details/watch": [
    { intent: "end" },
    { intent: "take-over", digest: "0".repeat(64) },
    { intent: "dismiss", digest: "0".repeat(64) },
  ],
  "/api-management/:apiId/swagger/send": [{}],
  "/test-management/:apiId/tests/send": [{ name: "Tried" }],
  "/test-management/:apiId/tests/:testId/notices": [{ miss: "all", version: "1" }],
  "/test-management/:apiId/tests/create/*": [{ name: "Tried" }],
  "/test-management/:apiId/test-circles/:testCircleId/status-page/subscribers": [
    { subscriberId: "01900000-0000-7000-8000-000000000000" },
  ],
  "/administration/system-configuration": [{ intent: "undo" }],
  "/administration/system/plans/create": [{}],
  "/administration/system/plans/:serviceId": [{ intent: "retire" }],
  "/administration/system/plans/:serviceId/edit": [{}],
  "/administration/system/plans/:serviceId/price": [{}],
  "/administration/system/reconciliations": [{}],
  "/administration/system/subscriptions/:subscriptionId": [{ intent: "ask" }],
  "/administration/system/paypal-deliveries/:paymentDeliveryId": [{}],
};

/** Query parameters with the start position of a list. */
export const cursorNames = ["cursor", "before", "payments", "failuresAfter"];

/** Query parameters that belong to no organization: words and choices, positions in a document, and where a visitor comes from. */
export const plainQueryNames = new Set(
  [
    "_data token kept index cookies redirectTo returnTo continue done sent tried hint ba_token cancelled",
    "query state role sort kind verdict tag effect trigger outcome period range months week serviceId enabled safe",
    "dialog open ticked format show from to host prefix scheme subject country email name example fields rows place runKey method path operation section",
  ].flatMap((names) => names.split(" ")),
);
