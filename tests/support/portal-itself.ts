import { scopes } from "#contracts/kit/endpoint.ts";
import { documentAt } from "../../bench/made-suite/document-at.ts";
import { joinDocuments } from "../../bench/made-suite/joined-document.ts";
import type { MeasuredServer, PortalBackend } from "../../bench/made-suite/measured-server.ts";
import type { ServiceName } from "../../server/configuration.ts";
import { contracts } from "../../server/contracts.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { signInToBackend } from "./portal-backend.ts";
import type { RunningPortal } from "./portal-process.ts";
import { registerAccount } from "./registered-account.ts";

const services: ServiceName[] = [
  "security-service",
  "portal-service",
  "api-registry",
  "test-registry",
  "test-executioner",
  "test-analyzer",
];

const signedInOnly = "requires a signed-in user; API tokens can't do it";
const personOnly = "needs what only a person has: a password, a code, a solved human check";

/** Beside what is for operators and for who is about to sign in. */
const unreachable: Record<string, string> = {
  ...Object.fromEntries(
    [
      "put /api/v1/current-organization/second-factor",
      "put /api/v1/current-organization/single-sign-on",
      "delete /api/v1/current-organization/single-sign-on",
      "delete /api/v1/current-organization",
      "post /api/v1/users/invite",
      "post /api/v1/users/invites/{invitationId}/resend",
      "put /api/v1/users/{userId}",
      "delete /api/v1/users/{userId}/second-factor",
      "post /api/v1/users/{userId}/roles",
      "delete /api/v1/users/{userId}/roles",
      "get /api/v1/notifications",
    ].map((operation) => [operation, signedInOnly]),
  ),
  "post /api/v1/contact-messages": personOnly,
  "post /api/v1/paypal/webhooks": "PayPal signs it",
  "post /api/v1/apis/{apiId}/document-watch/take-over": "needs a version that waits",
  "post /api/v1/apis/{apiId}/document-watch/dismiss": "needs a version that waits",
  "get /auth/v1/invitation/{token}": personOnly,
  "get /registration/request/info": personOnly,
};

/** Operations that no valid call with an API token of an organization's owner can reach. */
function listUnreachable(service: ServiceName): [operation: string, reason: string][] {
  const found: Record<string, string> = { ...unreachable };
  for (const { method, path, access } of Object.values(contracts[service])) {
    const operation = `${method} ${path}`;
    if (access === "system:manage") found[operation] = "for the portal's operators";
    else if (access === "agent") found[operation] = "an agent signs it";
    else if (access === "own-account") found[operation] = signedInOnly;
    else if (access === "public" && method !== "get" && path !== "/auth/logout") found[operation] ??= personOnly;
  }
  return Object.entries(found).map(([operation, reason]) => {
    const [method, path] = operation.split(" ");
    return [`${method} /api/${service}${path}`, reason];
  });
}

const pets = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  paths: { "/pets": { get: { responses: { 200: { description: "Pets" } } } } },
});

/** An API with a test in a circle, before any suite was made. */
async function fill({ apiRegistry, testRegistry }: PortalBackend): Promise<void> {
  const api = await apiRegistry.registerApi({ body: { source: { document: pets }, baseUrl: "http://127.0.0.1:9" } });
  const params = { apiId: requireValue(api, "registering").id };
  const body = {
    name: "Lists pets",
    method: "get",
    path: "/pets",
    request: {},
    checks: ["not_a_server_error"] as const,
  };
  const test = await testRegistry.createTest({ params, body: { ...body, checks: [...body.checks] } });
  const members = [{ testId: requireValue(test, "creating a test").id }];
  requireValue(await testRegistry.createCircle({ body: { name: "Daily", members } }), "creating a circle");
}

async function readState({ securityService, apiRegistry, testRegistry }: PortalBackend): Promise<Map<string, string>> {
  const lists = {
    user: await securityService.listUsers({ query: {} }),
    token: await securityService.listApiTokens({ query: {} }),
    api: await apiRegistry.listApis({ query: {} }),
    test: await testRegistry.listAllTests({ query: {} }),
    circle: await testRegistry.listCircles({ query: {} }),
  };
  const rows = Object.entries(lists).flatMap(([kind, list]) =>
    requireValue<{ items: { id: string }[] }>(list, `listing each ${kind}`).items.map((item) => {
      const {
        lastUsedAt: _,
        lastSeenAt: __,
        lastLoginAt: ___,
        ...row
      } = item as Record<string, unknown> & { id: string };
      return [`${kind} ${row.id}`, JSON.stringify(row)] as const;
    }),
  );
  return new Map(rows);
}

/** Lets organizations without a subscription make as much as they like. */
async function removeLimits(portal: RunningPortal): Promise<void> {
  const { portalService } = await signInToBackend(portal);
  const plans = requireValue(await portalService.listOperatedPlans({}), "listing plans").items;
  const { serviceId, name, description, limits } = plans.find(({ isFree }) => isFree)!;
  const unlimited = { ...limits, apis: null, tests: null, executionsPerMonth: null, members: null };
  const body = { name, description, limits: unlimited };
  requireValue(await portalService.changePlan({ params: { serviceId }, body }), "changing the free plan");
}

/** The portal itself, with all its services, as the owner of another organization sees it with an API token. */
export const portalItself: MeasuredServer = {
  name: "portal",
  async start({ portal }) {
    await removeLimits(portal);
    const account = await registerAccount(portal, { organizationName: "Suite of the portal" });
    const owner = await signInToBackend({ origin: portal.origin, ...account });
    await fill(owner);
    const body = { name: "Suite", scopes: scopes.filter((scope) => scope !== "system:manage") };
    const { token } = requireValue(await owner.securityService.createApiToken({ body }), "creating an API token");
    const documents = await Promise.all(
      services.map(async (service) => {
        const response = await fetch(`${portal.origin}/api/${service}/openapi.json`);
        return [service, await response.text()] as const;
      }),
    );
    const document = joinDocuments(Object.fromEntries(documents));
    return {
      origin: portal.origin,
      documentFor: (address) => documentAt(document, address),
      credentials: [{ type: "bearer", settings: {}, secret: token }],
      unreachable: Object.fromEntries(services.flatMap(listUnreachable)),
      readState: () => readState(owner),
      stop: async () => {},
    };
  },
};
