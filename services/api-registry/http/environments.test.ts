import { afterAll, beforeAll, expect, test } from "vitest";
import type { Environment } from "#contracts/api-registry/environments.ts";
import { requireValue } from "../../kit/client/client.ts";
import { noOrganization } from "../../kit/organization/no-organization.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { smallDocument } from "../testing/fixtures.ts";
import { type OpenRegistry, openRegistry } from "../testing/registry.ts";

const missing = "019a0000-0000-7000-8000-000000000000";
const small = JSON.stringify(smallDocument());

for (const engine of testEngines()) {
  let registry: OpenRegistry;
  beforeAll(async () => {
    registry = await openRegistry(engine);
  });
  afterAll(() => registry.close());

  test(`${engine.name}: APIs of a location are those with an environment that is sent from it`, async () => {
    const apiId = await registry.register({ source: { document: small } });
    await registry.register({ source: { document: small } });
    const locationId = "019a0000-0000-7000-8000-000000000001";
    const environment = { name: "Staging", baseUrl: "https://staging.example.com", variables: {}, locationId };
    const body = { items: [environment, { ...environment, name: "Tests" }] };
    requireValue(await registry.client.replaceEnvironments({ params: { apiId }, body }), "replace");
    const list = async (query: object) => requireValue(await registry.client.listApis({ query }), "list");
    const found = await list({ locationId });
    expect(found.items.map((api) => api.id)).toEqual([apiId]);
    expect(found.total).toBe(1);
    expect((await list({ locationId: missing })).total).toBe(0);

    const { locationId: _, ...renamed } = { ...environment, name: "Test", formerName: "Staging" };
    const items = [renamed];
    requireValue(await registry.client.replaceEnvironments({ params: { apiId }, body: { items } }), "rename");
    expect((await list({ locationId })).total, "a renamed environment keeps its location").toBe(1);
  });

  test(`${engine.name}: services read base URLs of many APIs at once, and none in another organization's name`, async () => {
    const { client, identities, organizationId } = registry;
    const internal = registry.connect({ token: await identities.serviceToken(noOrganization) });
    const apiId = await registry.register({ source: { document: small }, baseUrl: "https://chosen.example.com" });
    const environments = [{ name: "staging", baseUrl: "https://staging.example.com", variables: { a: "1" } }];
    await client.replaceEnvironments({ params: { apiId }, body: { items: environments } });
    const other = await registry.register({ source: { document: small } });
    const items = [
      { organizationId, apiId: other },
      { organizationId: missing, apiId },
      { organizationId, apiId },
    ];
    const response = requireValue(await internal.listRunnableApis({ body: { items } }), "runnable APIs");
    expect<unknown>(response.items).toMatchObject([
      { api: { id: other, effectiveBaseUrl: "https://api.example.com/v1" }, environments: [] },
      null,
      { api: { id: apiId, effectiveBaseUrl: "https://chosen.example.com" }, environments },
    ]);
    expect((await client.listRunnableApis({ body: { items } })).status).toBe(404);
  });

  test(`${engine.name}: environments are stored in order, with unique names`, async () => {
    const apiId = await registry.register({ source: { document: small } });
    const items: Environment[] = [
      { name: "Staging", baseUrl: "https://staging.example.com", variables: { version: "2" } },
      { name: "Live", baseUrl: "https://api.example.com", variables: {} },
    ];
    const params = { apiId };
    expect(await registry.client.replaceEnvironments({ params, body: { items } })).toMatchObject({
      ok: true,
      value: { items },
    });
    expect(await registry.client.listEnvironments({ params })).toMatchObject({ ok: true, value: { items } });
    const twice = await registry.client.replaceEnvironments({ params, body: { items: [items[0]!, items[0]!] } });
    expect(twice).toMatchObject({ ok: false, status: 422, problem: { errors: [{ path: "items[1].name" }] } });
    const reader = await registry.reader.replaceEnvironments({ params, body: { items } });
    expect(reader.status).toBe(403);
  });

  test(`${engine.name}: a base URL must be one that requests can be sent to`, async () => {
    const apiId = await registry.register({ source: { document: small } });
    const params = { apiId };
    for (const baseUrl of ["ftp://files.example.com", "javascript:alert(1)", "localhost:8080", "https:example.com"]) {
      const refused = { ok: false, status: 422 };
      const message = "A base URL starts with https:// or http://";
      const environments = { items: [{ name: "Files", baseUrl, variables: {} }] };
      expect(await registry.client.replaceEnvironments({ params, body: environments })).toMatchObject({
        ...refused,
        problem: { errors: [{ path: "items[0].baseUrl", message }] },
      });
      const atIt = { ...refused, problem: { errors: [{ path: "baseUrl", message }] } };
      expect(await registry.client.changeApi({ params, body: { name: "Files", baseUrl, tags: [] } })).toMatchObject(
        atIt,
      );
      const registered = await registry.client.registerApi({ body: { source: { document: small }, baseUrl } });
      expect(registered).toMatchObject(atIt);
    }
  });
}
