import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { noOrganization } from "../../kit/organization/no-organization.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type OpenRegistry, openRegistry } from "../testing/registry.ts";

const responses = { 200: { description: "ok" } };

for (const engine of testEngines()) {
  let registry: OpenRegistry;
  beforeAll(async () => {
    registry = await openRegistry(engine);
  });
  afterAll(() => registry.close());

  async function register(paths: object, more: object = {}): Promise<string> {
    const document = JSON.stringify({ openapi: "3.0.3", info: { title: "Pets", version: "1" }, paths, ...more });
    return await registry.register({ source: { document } });
  }

  const find = async (apiId: string) => {
    const body = { operations: [{ method: "get", path: "/open" }] };
    return requireValue(await registry.client.findOperations({ params: { apiId }, body }), "operations");
  };

  test(`${engine.name}: the different requirements of operations are told apart, the most frequent first`, async () => {
    const key = { type: "apiKey", in: "header", name: "X-API-Key" };
    const login = { type: "http", scheme: "basic" };
    const get = (security?: object[]) => ({ get: { responses, ...(security ? { security } : {}) } });
    const apiId = await register(
      {
        "/open": get([]),
        "/optional": get([{ key: [] }, {}]),
        "/both": get([{ key: [], login: [] }]),
        "/a": get(),
        "/b": get([{ key: [] }]),
      },
      { components: { securitySchemes: { key, login } }, security: [{ key: ["read"] }] },
    );
    const found = requireValue(await registry.client.getAuthentication({ params: { apiId } }), "authentication");
    expect(found).toMatchObject({
      securitySchemes: [{ name: "key", parameterName: "X-API-Key" }, { name: "login" }],
      requirements: [[["key"]], [["key"], []], [["key", "login"]]],
      sendsHostCredentials: null,
    });
    const described = requireValue(await registry.client.describeApi({ params: { apiId } }), "description");
    expect(described).not.toHaveProperty("securityRequirements");
  });

  test(`${engine.name}: only documents with security schemes may require authentication, whatever their texts say`, async () => {
    const description = '"securitySchemes":[{';
    const open = await register({ "/open": { get: { responses } } }, { tags: [{ name: description, description }] });
    const keyed = await register(
      { "/open": { get: { responses } } },
      { components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } } },
    );
    const { identities, organizationId } = registry;
    const internal = registry.connect({ token: await identities.serviceToken(noOrganization) });
    const items = [open, keyed].map((apiId) => ({ organizationId, apiId }));
    const found = requireValue(await internal.listRunnableApis({ body: { items } }), "runnable APIs");
    expect(found.items.map((item) => item?.hasSecuritySchemes)).toEqual([false, true]);
  });

  test(`${engine.name}: the answer to send the host's credentials counts while the document names no scheme`, async () => {
    const [open, keyed] = [
      await register({ "/open": { get: { responses } } }),
      await register(
        { "/open": { get: { responses } } },
        { components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } } },
      ),
    ];
    for (const apiId of [open, keyed]) {
      const body = { sendsHostCredentials: true };
      const changed = requireValue(await registry.client.changeAuthentication({ params: { apiId }, body }), "change");
      expect(changed.sendsHostCredentials).toBe(true);
    }
    expect([(await find(open)).sendsHostCredentials, (await find(keyed)).sendsHostCredentials]).toEqual([
      true,
      undefined,
    ]);
    const body = { sendsHostCredentials: false };
    requireValue(await registry.client.changeAuthentication({ params: { apiId: open }, body }), "change");
    expect((await find(open)).sendsHostCredentials).toBeUndefined();
    const records = await registry.client.listAuditRecords({ query: { kind: "authentication", limit: 1 } });
    expect(requireValue(records, "records").items[0]).toMatchObject({
      operation: "changeAuthentication",
      before: { sendsHostCredentials: true },
      after: body,
    });
  });

  test(`${engine.name}: another organization's API looks absent`, async () => {
    const params = { apiId: await register({ "/open": { get: { responses } } }) };
    const body = { sendsHostCredentials: true };
    const { stranger } = registry;
    const answers = await Promise.all([
      stranger.getAuthentication({ params }),
      stranger.changeAuthentication({ params, body }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
}
