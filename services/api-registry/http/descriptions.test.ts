import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { fixture, smallDocument } from "../testing/fixtures.ts";
import { type OpenRegistry, openRegistry } from "../testing/registry.ts";

for (const engine of testEngines()) {
  let registry: OpenRegistry;
  beforeAll(async () => {
    registry = await openRegistry(engine);
  });
  afterAll(() => registry.close());

  async function register(document: string, client = registry.client): Promise<string> {
    return requireValue(await client.registerApi({ body: { source: { document } } }), "register").id;
  }

  test(`${engine.name}: the parts of an API equal the whole`, async () => {
    const { client } = registry;
    const params = { apiId: await register(fixture("valid", "discord-v31.json").document) };
    const { document, problems, ...whole } = requireValue(await client.getApi({ params }), "the whole");
    const [summary, description, tags, environments, variables] = await Promise.all([
      client.summarizeApi({ params }).then((response) => requireValue(response, "summary")),
      client.describeApi({ params }).then((response) => requireValue(response, "description")),
      client.listOperationTags({ params }).then((response) => requireValue(response, "tags")),
      client.listEnvironments({ params }).then((response) => requireValue(response, "environments")),
      client.getVariables({ params }).then((response) => requireValue(response, "variables")),
    ]);
    expect({
      ...summary,
      ...description,
      ...variables,
      operationTags: tags.items,
      environments: environments.items,
    }).toEqual(whole);
    expect([summary.documentId, summary.problemCount]).toEqual([document.id, problems.length]);
  });

  test(`${engine.name}: requests go to the base URL, else to the first absolute server`, async () => {
    const { client } = registry;
    const getBaseUrl = async (servers: object[]) => {
      const params = { apiId: await register(JSON.stringify(smallDocument({ servers }))) };
      return requireValue(await client.summarizeApi({ params }), "summary").effectiveBaseUrl;
    };
    const hostile = '\u0000 \ud800 "resolvedUrl":"https://evil.example"';
    expect(await getBaseUrl([{ url: "/v1", description: hostile }, { url: "https://api.example.com/v1" }])).toBe(
      "https://api.example.com/v1",
    );
    expect(await getBaseUrl([{ url: "/v1", description: hostile }])).toBeNull();
    const variable = { host: { default: "eu.example.com" } };
    expect(await getBaseUrl([{ url: "https://{host}/", variables: variable }])).toBe("https://eu.example.com");
  });

  test(`${engine.name}: all base URLs of an organization are listed, including those of environments`, async () => {
    const { tokenFor, serviceToken } = registry.identities;
    const { token, organizationId } = tokenFor();
    const client = registry.connect({ token });
    const document = (title: string) => JSON.stringify(smallDocument({ info: { title, version: "1" } }));
    const [second, first] = [await register(document("b"), client), await register(document("a"), client)];
    const chosen = { name: "b", baseUrl: "https://chosen.example.com", tags: [] };
    requireValue(await client.changeApi({ params: { apiId: second }, body: chosen }), "change");
    const items = [{ name: "Staging", baseUrl: "https://staging.example.com", variables: {} }];
    requireValue(await client.replaceEnvironments({ params: { apiId: first }, body: { items } }), "environments");
    const internal = registry.connect({ token: await serviceToken(organizationId) });
    expect(requireValue(await internal.listBaseUrls(), "base URLs").items).toEqual([
      { apiId: first, name: "a", baseUrls: ["https://api.example.com/v1", "https://staging.example.com"] },
      { apiId: second, name: "b", baseUrls: ["https://chosen.example.com"] },
    ]);
    expect((await client.listBaseUrls()).status).toBe(404);
  });

  test(`${engine.name}: servers of single operations are known by their URLs, and the document's beside the operation`, async () => {
    const { tokenFor, serviceToken } = registry.identities;
    const { token, organizationId } = tokenFor();
    const client = registry.connect({ token });
    const ok = { responses: { "200": { description: "ok" } } };
    const servers = [{ url: "https://api.example.com/v1", description: '"]},\\ \u0000' }];
    const paths = {
      "/usual": { get: { ...ok, servers } },
      "/pathlevel": { servers: [{ url: 'https://[::1]/a"]\\' }, { url: "/relative" }], get: ok },
      "/operation": { get: { ...ok, servers: [{ url: "https://upload.example.com" }] } },
    };
    const own = await register(JSON.stringify(smallDocument({ servers, paths })), client);
    const usual = await register(JSON.stringify(smallDocument()), client);
    const internal = registry.connect({ token: await serviceToken(organizationId) });
    const { items } = requireValue(await internal.listBaseUrls(), "base URLs");
    expect(items.find(({ apiId }) => apiId === own)?.baseUrls).toEqual(
      ["https://api.example.com/v1", "https://[::1]/a%22]/", "https://upload.example.com"].map((url) =>
        url.replace(/\/$/, ""),
      ),
    );
    const asked = [own, usual].map((apiId) => ({ organizationId, apiId }));
    const runnable = requireValue(await internal.listRunnableApis({ body: { items: asked } }), "runnable");
    expect(runnable.items.map((item) => item?.hasOwnServers)).toEqual([true, false]);

    const documentServersOf = async (pathName: string) =>
      requireValue(await client.getOperation({ params: { apiId: own, method: "get", pathName } }), "operation")
        .documentServers;
    expect(await documentServersOf("/usual")).toBeUndefined();
    for (const path of ["/pathlevel", "/operation"]) {
      expect((await documentServersOf(path))?.map(({ url }) => url)).toEqual(["https://api.example.com/v1"]);
    }
  });
}
