import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import type { ApiRegistryTables } from "../store/tables.ts";
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

  test(`${engine.name}: an API has the content of its document`, async () => {
    const apiId = await registry.register({
      source: { document: small, fileName: "small.json" },
      tags: ["one", "two"],
    });
    const response = await registry.client.getApi({ params: { apiId } });
    if (!response.ok) throw new Error(JSON.stringify(response.problem));
    expect(response.value).toMatchObject({
      name: "Small",
      version: "1",
      specificationVersion: "3.1",
      operationCount: 1,
      tags: ["one", "two"],
      baseUrl: null,
      effectiveBaseUrl: "https://api.example.com/v1",
      operationTags: [{ name: "pets", operationCount: 1 }],
      environments: [],
      problems: [],
      createdAt: "2026-01-15T10:00:00.000Z",
      document: { fileName: "small.json", format: "json", current: true, sourceUrl: null },
    });
  });

  test(`${engine.name}: an inspection returns what would be registered and stores nothing`, async () => {
    const before = await registry.client.listApis();
    const response = await registry.client.inspectDocument({ body: { document: small } });
    expect(response).toMatchObject({
      ok: true,
      value: { usable: true, title: "Small", operationCount: 1, tags: ["pets"] },
    });
    const after = await registry.client.listApis();
    expect(after.ok && after.value.total).toBe(before.ok && before.value.total);
  });

  test(`${engine.name}: invalid JSON is 400, other types 415, a missing token 401, a missing scope 403`, async () => {
    const { client, anonymous, reader } = registry;
    const headers = { "content-type": "application/json" };
    expect((await client.registerApi({ rawBody: "{", headers } as never)).status).toBe(400);
    expect((await client.registerApi({ rawBody: "[]", headers } as never)).status).toBe(400);
    expect(
      (await client.registerApi({ rawBody: "a", headers: { "content-type": "text/plain" } } as never)).status,
    ).toBe(415);
    const input = { body: { source: { document: small } } };
    expect((await anonymous.registerApi(input)).status).toBe(401);
    expect((await reader.registerApi(input)).status).toBe(403);
    expect((await reader.inspectDocument({ body: { document: small } })).status).toBe(403);
    expect((await reader.listApis()).status).toBe(200);
  });

  test(`${engine.name}: another organization's API looks absent`, async () => {
    const apiId = await registry.register({ source: { document: small } });
    const own = await registry.client.getApi({ params: { apiId } });
    const documentId = own.ok ? own.value.document.id : "";
    const change = { name: "x", baseUrl: null, tags: [] };
    const source = { source: { document: small } };
    for (const [client, id] of [
      [registry.stranger, apiId],
      [registry.client, missing],
    ] as const) {
      const params = { apiId: id };
      const responses = await Promise.all([
        client.getApi({ params }),
        client.summarizeApi({ params }),
        client.describeApi({ params }),
        client.listOperationTags({ params }),
        client.changeApi({ params, body: change }),
        client.deleteApi({ params }),
        client.listDocuments({ params }),
        client.importDocument({ params, body: source }),
        client.compareDocument({ params, body: source }),
        client.getDocument({ params: { ...params, documentId } }),
        client.listDocumentProblems({ params: { ...params, documentId } }),
        client.listOperations({ params }),
        client.findOperations({ params, body: { operations: [{ method: "get", path: "/" }] } }),
        client.getOperation({ params: { ...params, method: "get", pathName: "/pets/{petId}" } }),
        client.getWebhook({ params: { ...params, method: "get", webhookName: "x" } }),
        client.listEnvironments({ params }),
        client.replaceEnvironments({ params, body: { items: [] } }),
      ]);
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
    }
    expect((await registry.client.getApi({ params: { apiId: "no-id" } })).status).toBe(400);
    expect((await registry.client.getApi({ params: { apiId } })).status).toBe(200);
  });

  test(`${engine.name}: the data of an API is disposable once a user says so, until one says otherwise`, async () => {
    const apiId = await registry.register({ source: { document: small } });
    const change = async (body: { isDisposable?: boolean }) => {
      const input = { name: "Small", baseUrl: null, tags: [], ...body };
      return requireValue(await registry.client.changeApi({ params: { apiId }, body: input }), "change").isDisposable;
    };
    const own = await registry.client.summarizeApi({ params: { apiId } });
    expect(own.ok && own.value.isDisposable).toBe(false);
    expect(await change({ isDisposable: true })).toBe(true);
    expect(await change({})).toBe(true);
    expect(await change({ isDisposable: false })).toBe(false);
  });

  test(`${engine.name}: an API gets a new name and new tags`, async () => {
    const apiId = await registry.register({ source: { document: small } });
    registry.clock.advance(60_000);
    const body = { name: "Renamed", baseUrl: "https://staging.example.com", tags: ["x", "x"] };
    const response = await registry.client.changeApi({ params: { apiId }, body });
    expect(response).toMatchObject({
      ok: true,
      value: { name: "Renamed", tags: ["x"], baseUrl: "https://staging.example.com" },
    });
    const api = await registry.client.getApi({ params: { apiId } });
    expect(api.ok && api.value.effectiveBaseUrl).toBe("https://staging.example.com");
    expect(api.ok && api.value.updatedAt > api.value.createdAt).toBe(true);
    const empty = await registry.client.changeApi({ params: { apiId }, body: { ...body, name: " " } });
    expect(empty.status).toBe(422);
  });

  const contentTables = [
    "operations",
    "operation_tags",
    "operation_details",
    "components",
    "reaches",
    "document_chunks",
    "document_problems",
  ];
  async function expectNoContent(documentId: string) {
    const db = registry.database.inSchema<Record<string, { document_id: string }>>("api_registry");
    // It is removed after its rows, in pieces.
    await expect.poll(() => db.selectFrom("loose_contents").select("document_id").execute()).toEqual([]);
    for (const table of contentTables) {
      expect(await db.selectFrom(table).select("document_id").where("document_id", "=", documentId).execute()).toEqual(
        [],
      );
    }
  }

  test(`${engine.name}: deleting an API leaves no row of it`, async () => {
    const apiId = await registry.register({ source: { document: small } });
    await registry.client.replaceEnvironments({
      params: { apiId },
      body: { items: [{ name: "Staging", baseUrl: "https://staging.example.com", variables: {} }] },
    });
    const api = await registry.client.getApi({ params: { apiId } });
    const documentId = api.ok ? api.value.document.id : "";
    expect((await registry.client.deleteApi({ params: { apiId } })).status).toBe(204);
    expect((await registry.client.deleteApi({ params: { apiId } })).status).toBe(404);
    await expectNoContent(documentId);
    const db = registry.database.inSchema<Record<string, { api_id: string }>>("api_registry");
    expect(await db.selectFrom("environments").select("api_id").where("api_id", "=", apiId).execute()).toEqual([]);
  });

  test(`${engine.name}: an API's content is deleted too when an older version deletes only its row`, async () => {
    const [apiId, otherId] = [
      await registry.register({ source: { document: small } }),
      await registry.register({ source: { document: small } }),
    ];
    const api = requireValue(await registry.client.getApi({ params: { apiId } }), "API");
    const db = registry.database.inSchema<ApiRegistryTables>("api_registry");
    await db.deleteFrom("apis").where("id", "=", apiId).execute();
    expect(await db.selectFrom("loose_contents").select("document_id").execute()).toEqual([
      { document_id: api.document.id },
    ]);
    await registry.client.deleteApi({ params: { apiId: otherId } });
    await expectNoContent(api.document.id);
  });

  test(`${engine.name}: lists are searched, filtered by tag, sorted and paged`, async () => {
    const { token } = registry.identities.tokenFor();
    const client = registry.connect({ token });
    for (const name of ["delta", "Alpha", "charlie", "Bravo 100%"]) {
      registry.clock.advance(1_000);
      const tags = name === "delta" ? ["last"] : [];
      await client.registerApi({ body: { name, tags, source: { document: small } } });
    }
    const names = async (query: Record<string, unknown>) => {
      const response = await client.listApis({ query });
      return response.ok ? response.value.items.map((item) => item.name) : response.problem;
    };
    expect(await names({})).toEqual(["Alpha", "Bravo 100%", "charlie", "delta"]);
    expect(await names({ sort: "-name" })).toEqual(["delta", "charlie", "Bravo 100%", "Alpha"]);
    expect(await names({ sort: "-updatedAt" })).toEqual(["Bravo 100%", "charlie", "Alpha", "delta"]);
    expect(await names({ query: "RAVO 100%" })).toEqual(["Bravo 100%"]);
    expect(await names({ query: "%" })).toEqual(["Bravo 100%"]);
    expect(await names({ tag: "last" })).toEqual(["delta"]);
    for (const sort of ["name", "-name", "updatedAt", "-updatedAt"] as const) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.listApis({ query: { sort, limit: 1, ...(cursor ? { cursor } : {}) } });
        if (!page.ok) throw new Error(JSON.stringify(page.problem));
        seen.push(...page.value.items.map((item) => item.name));
        expect(page.value).toMatchObject({ total: 4, tags: ["last"] });
        cursor = page.value.nextCursor ?? undefined;
      } while (cursor);
      expect(seen).toEqual(await names({ sort }));
    }
    expect((await client.listApis({ query: { cursor: "nonsense" } })).status).toBe(400);
  });

  test(`${engine.name}: a list without some APIs has all the others on its pages, and counts them`, async () => {
    const document = { source: { document: small, fileName: "small.json" } };
    const ids = await Promise.all(
      ["A", "B", "C", "D"].map((name) => registry.register({ ...document, name, tags: ["without"] })),
    );
    const listed: string[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
      const query = { tag: "without", except: ids[1]!, sort: "name" as const, limit: 2, ...(cursor ? { cursor } : {}) };
      const page = requireValue(await registry.client.listApis({ query }), "list");
      expect(page.total).toBe(3);
      listed.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor ?? undefined;
    }
    expect(listed).toEqual(["A", "C", "D"]);
    const none = await registry.client.listApis({ query: { tag: "without", except: ids.join(",") } });
    expect(requireValue(none, "list")).toMatchObject({ items: [], nextCursor: null, total: 0 });
  });
}
