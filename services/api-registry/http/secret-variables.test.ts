import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { storedRows } from "../../kit/testing/stored-rows.ts";
import { fixture } from "../testing/fixtures.ts";
import { type OpenRegistry, openRegistry } from "../testing/registry.ts";

const reference = { kind: "vault" as const, path: "shop/live", key: "password" };

for (const engine of testEngines()) {
  let registry: OpenRegistry;
  let params: { apiId: string };
  beforeAll(async () => {
    registry = await openRegistry(engine);
    const { document } = fixture("valid", "swagger-petstore-v30.yaml");
    params = { apiId: await registry.register({ source: { document } }) };
  });
  afterAll(() => registry.close());

  const service = async () =>
    registry.connect({ token: await registry.identities.serviceToken(registry.organizationId) });
  const open = async (names: string[], environment: string | null = null) => {
    const body = { ...params, environment, names };
    return requireValue(await (await service()).openSecretVariables({ body }), "opening").items;
  };
  const replace = (body: Parameters<typeof registry.client.replaceVariables>[0]["body"]) =>
    registry.client.replaceVariables({ params, body });
  const environment = (more: object) => ({ name: "Staging", baseUrl: "https://staging.example.com", ...more });
  const replaceEnvironments = (...items: object[]) =>
    registry.client.replaceEnvironments({ params, body: { items: items as never } });

  test(`${engine.name}: a secret variable is stored sealed, never returned, and kept when it is saved without a value`, async () => {
    requireValue(await replace({ variables: { a: "1" }, secretVariables: [{ name: "key", value: "canary-1f" }] }), "a");
    const kept = await replace({ variables: { a: "2" }, secretVariables: [{ name: "key", value: null }] });
    expect(requireValue(kept, "kept")).toEqual({
      variables: { a: "2" },
      secretVariables: [{ name: "key", value: null }],
    });
    expect(await open(["key", "a", "other"])).toEqual([{ name: "key", value: "canary-1f" }]);
    // Clients that know plain variables only neither delete a secret nor uncover it.
    requireValue(await replace({ variables: { a: "3" } }), "without secrets");
    expect((await replace({ variables: { key: "open" } })).status).toBe(422);
    requireValue(
      await replaceEnvironments(environment({ secretVariables: [{ name: "pin", value: "canary-2f" }] })),
      "b",
    );
    const read = [
      await registry.client.getVariables({ params }),
      await registry.client.getApi({ params }),
      await registry.client.listEnvironments({ params }),
      await registry.client.listAuditRecords({ query: { limit: 100 } }),
      await (await service()).listRunnableApis({
        body: { items: [{ organizationId: registry.organizationId, ...params }] },
      }),
    ];
    expect(JSON.stringify([read, await storedRows(registry.database, "api_registry")])).not.toContain("canary-");
    expect(JSON.stringify(read)).toContain('"hiddenVariables":["key"]');
  });

  test(`${engine.name}: a value set for a secret variable by name stays secret, and an unnamed one stays as it was`, async () => {
    requireValue(await replace({ variables: {}, secretVariables: [{ name: "key", value: "canary-3f" }] }), "all");
    const set = (body: Parameters<typeof registry.client.setVariables>[0]["body"]) =>
      registry.client.setVariables({ params, body });
    const first = requireValue(await set({ variables: { plain: "x" } }), "plain");
    expect(first).toEqual({ variables: { plain: "x" }, secretVariables: [{ name: "key", value: null }] });
    requireValue(await set({ variables: { key: "canary-4f" } }), "key");
    const made = await set({ variables: {}, secretVariables: [{ name: "plain", value: "canary-5f" }] });
    expect(requireValue(made, "secret").variables).toEqual({});
    expect(await open(["key", "plain"])).toEqual([
      { name: "key", value: "canary-4f" },
      { name: "plain", value: "canary-5f" },
    ]);
  });

  test(`${engine.name}: an environment keeps its secrets under a new name, and they precede those of the API`, async () => {
    requireValue(await replace({ variables: {}, secretVariables: [{ name: "pin", value: "canary-6f" }] }), "shared");
    const secretVariables = [{ name: "pin", value: "canary-7f" }];
    requireValue(await replaceEnvironments(environment({ secretVariables })), "first");
    const kept = [{ name: "pin", value: null }];
    const renamed = environment({ name: "Test", formerName: "Staging", secretVariables: kept });
    requireValue(await replaceEnvironments(renamed), "renamed");
    expect(await open(["pin"], "Test")).toEqual([{ name: "pin", value: "canary-7f" }]);
    expect(await open(["pin"])).toEqual([{ name: "pin", value: "canary-6f" }]);
    expect(await open(["pin"], "Staging")).toEqual([{ name: "pin", value: "canary-6f" }]);
    requireValue(await replaceEnvironments(environment({ name: "Test" })), "by a client without secrets");
    expect(await open(["pin"], "Test")).toEqual([{ name: "pin", value: "canary-7f" }]);
    const unknown = await replaceEnvironments(environment({ name: "New", secretVariables: kept }));
    expect(!unknown.ok && unknown.problem.errors).toEqual([
      { path: "items[0].secretVariables[0].value", message: "Give it a value" },
    ]);
  });

  test(`${engine.name}: only those who manage credentials choose where a secret is read; others keep what is chosen`, async () => {
    const { organizationId } = registry;
    const editor = registry.connect({
      token: registry.identities.tokenFor({ organizationId, scopes: ["apis:read", "apis:write", "tests:write"] }).token,
    });
    const body = { variables: {}, secretVariables: [{ name: "vaulted", value: null, reference }] };
    expect((await editor.replaceVariables({ params, body })).status).toBe(403);
    expect((await editor.setVariables({ params, body })).status).toBe(403);
    const items = [environment({ secretVariables: body.secretVariables })] as never;
    expect((await editor.replaceEnvironments({ params, body: { items } })).status).toBe(403);
    requireValue(await replace(body), "by a manager");
    requireValue(await editor.replaceVariables({ params, body }), "unchanged");
    expect(await open(["vaulted"])).toEqual([{ name: "vaulted", value: null, reference }]);
    const elsewhere = {
      ...body,
      secretVariables: [{ ...body.secretVariables[0]!, reference: { ...reference, key: "k" } }],
    };
    expect((await editor.replaceVariables({ params, body: elsewhere })).status).toBe(403);
  });

  test(`${engine.name}: a secret variable without a value, twice, or named like a plain one is refused at its field`, async () => {
    const secretVariables = [
      { name: "a", value: null },
      { name: "b", value: "1" },
      { name: "b", value: "2" },
      { name: "c", value: "3" },
      { name: "d", value: "4", reference },
    ];
    const refused = await replace({ variables: { c: "" }, secretVariables });
    expect(!refused.ok && refused.problem.errors?.map(({ path }) => path)).toEqual([
      "secretVariables[0].value",
      "secretVariables[2].name",
      "secretVariables[3].name",
      "secretVariables[4].reference",
    ]);
  });

  test(`${engine.name}: only services open secret variables, and none those of another organization`, async () => {
    requireValue(await replace({ variables: {}, secretVariables: [{ name: "key", value: "canary-8f" }] }), "all");
    const body = { ...params, environment: null, names: ["key"] };
    expect((await registry.client.openSecretVariables({ body })).ok).toBe(false);
    const elsewhere = await registry.identities.serviceToken("01900000-0000-7000-8000-000000000009");
    const opened = await registry.connect({ token: elsewhere }).openSecretVariables({ body });
    expect(requireValue(opened, "elsewhere").items).toEqual([]);
  });
}
