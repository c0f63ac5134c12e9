import { scopes } from "#contracts/kit/endpoint.ts";
import { requireValue } from "../../../services/kit/client/client.ts";
import { signInToBackend } from "../../../tests/support/portal-backend.ts";
import { registerAccount } from "../../../tests/support/registered-account.ts";
import { documentAt } from "../document-at.ts";
import type { MeasuredServer, PortalBackend } from "../measured-server.ts";

const services = [
  "security-service",
  "portal-service",
  "api-registry",
  "test-registry",
  "test-executioner",
  "test-analyzer",
];

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

/** A service of the portal itself, as the owner of an organization of its own sees it with an API token. */
export const portalServices = services.map(
  (service): MeasuredServer => ({
    name: `portal ${service}`,
    async start({ portal }) {
      const account = await registerAccount(portal, { organizationName: `Suite of ${service}` });
      const owner = await signInToBackend({ origin: portal.origin, ...account });
      await fill(owner);
      const { token } = requireValue(
        await owner.securityService.createApiToken({
          body: { name: "Suite", scopes: scopes.filter((scope) => scope !== "system:manage") },
        }),
        "creating an API token",
      );
      const document = await (await fetch(`${portal.origin}/api/${service}/openapi.json`)).text();
      return {
        origin: portal.origin,
        documentFor: (address) => documentAt(document, `${address}/api/${service}`),
        credentials: [{ type: "bearer", settings: {}, secret: token }],
        readState: () => readState(owner),
        stop: async () => {},
      };
    },
  }),
);
