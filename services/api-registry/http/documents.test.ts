import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { fixture, smallDocument } from "../testing/fixtures.ts";
import { type OpenRegistry, openRegistry } from "../testing/registry.ts";

for (const engine of testEngines()) {
  let registry: OpenRegistry;
  beforeAll(async () => {
    registry = await openRegistry(engine, { importLimits: { bytes: 3_000_000 } });
  });
  afterAll(() => registry.close());

  async function register(document: string): Promise<string> {
    return await registry.register({ source: { document } });
  }

  test(`${engine.name}: the original bytes are returned unchanged, and only once with their ETag`, async () => {
    const { document } = fixture("valid", "discord-v31.json");
    const apiId = await register(document);
    const api = await registry.client.getApi({ params: { apiId } });
    const documentId = api.ok ? api.value.document.id : "";
    const response = await registry.client.getDocument({ params: { apiId, documentId } });
    if (!response.ok) throw new Error(JSON.stringify(response.problem));
    expect(Buffer.from(await response.response.arrayBuffer()).equals(Buffer.from(document))).toBe(true);
    const etag = response.response.headers.get("etag")!;
    expect(etag).toBe(`"${createHash("sha256").update(document).digest("hex")}"`);
    const again = await registry.client.getDocument({
      params: { apiId, documentId },
      headers: { "if-none-match": etag },
    });
    expect(again.status).toBe(304);
  });

  test(`${engine.name}: a new version becomes the current one, the old one remains`, async () => {
    const apiId = await register(JSON.stringify(smallDocument()));
    const next = smallDocument({ info: { title: "Small", version: "2" }, paths: { "/a": { get: { responses: {} } } } });
    registry.clock.advance(1_000);
    const imported = await registry.client.importDocument({
      params: { apiId },
      body: { source: { document: JSON.stringify(next) } },
    });
    expect(imported).toMatchObject({
      ok: true,
      status: 201,
      value: { version: "2", current: true, operationCount: 1 },
    });
    const versions = await registry.client.listDocuments({ params: { apiId } });
    expect(versions.ok && versions.value.items.map(({ version, current }) => [version, current])).toEqual([
      ["2", true],
      ["1", false],
    ]);
    const first = await registry.client.listDocuments({ params: { apiId }, query: { limit: 1 } });
    const cursor = first.ok ? first.value.nextCursor! : "";
    const second = await registry.client.listDocuments({ params: { apiId }, query: { limit: 1, cursor } });
    expect(second.ok && second.value.items.map(({ version }) => version)).toEqual(["1"]);
    const operations = await registry.client.listOperations({ params: { apiId } });
    expect(operations.ok && operations.value.items.map(({ path }) => path)).toEqual(["/a"]);
  });

  test(`${engine.name}: operations are found in the requested version, of this API only`, async () => {
    const apiId = await register(JSON.stringify(smallDocument({ paths: { "/old": { get: { responses: {} } } } })));
    const otherId = await register(JSON.stringify(smallDocument()));
    const before = await registry.client.getApi({ params: { apiId } });
    const documentId = before.ok ? before.value.document.id : "";
    const next = smallDocument({ paths: { "/new": { get: { responses: {} } } } });
    await registry.client.importDocument({ params: { apiId }, body: { source: { document: JSON.stringify(next) } } });
    const operations = ["/old", "/new"].map((path) => ({ method: "get", path }));
    const find = async (body: { documentId?: string }) => {
      const found = await registry.client.findOperations({ params: { apiId }, body: { operations, ...body } });
      return found.ok && found.value.items.map(({ operation }) => operation.path);
    };
    expect(await find({})).toEqual(["/new"]);
    expect(await find({ documentId })).toEqual(["/old"]);
    const foreign = { params: { apiId: otherId }, body: { documentId, operations } };
    expect((await registry.client.findOperations(foreign)).status).toBe(404);
  });

  test(`${engine.name}: problems of a document are listed page by page`, async () => {
    const apiId = await register(fixture("invalid", "openapi-vue-openapi.json").document);
    const api = await registry.client.getApi({ params: { apiId } });
    if (!api.ok) throw new Error(JSON.stringify(api.problem));
    const params = { apiId, documentId: api.value.document.id };
    const seen = [];
    let cursor: string | undefined;
    do {
      const page = await registry.client.listDocumentProblems({
        params,
        query: { limit: 40, ...(cursor ? { cursor } : {}) },
      });
      if (!page.ok) throw new Error(JSON.stringify(page.problem));
      seen.push(...page.value.items);
      cursor = page.value.nextCursor ?? undefined;
    } while (cursor);
    expect(seen.length).toBe(api.value.problemCount);
    expect(seen.slice(0, 200)).toEqual(api.value.problems);
  });

  test(`${engine.name}: O06: a body over the limit is refused while it streams, with and without Content-Length`, async () => {
    let sent = 0;
    const chunk = new Uint8Array(100_000).fill(32);
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += chunk.length;
        controller.enqueue(chunk);
        if (sent > 50_000_000) controller.close();
      },
    });
    const headers = { authorization: `Bearer ${registry.token}`, "content-type": "application/json" };
    const chunked = await registry.service.app.fetch(
      new Request("http://service/api/v1/apis", {
        method: "POST",
        headers,
        body: endless,
        duplex: "half",
      } as RequestInit),
    );
    expect(chunked.status).toBe(413);
    expect(sent).toBeLessThan(5_000_000);
    const declared = await registry.service.app.fetch(
      new Request("http://service/api/v1/apis", {
        method: "POST",
        headers: { ...headers, "content-length": "70000000" },
        body: "{}",
      }),
    );
    expect(declared.status).toBe(413);
  });

  test(`${engine.name}: a staged source is registered, compared and imported without being sent again`, async () => {
    const form = new FormData();
    const pet = "get: {responses: {'200': {description: ok}}}";
    const document = `openapi: 3.0.3\ninfo: {title: Kept, version: "1", description: ${"x".repeat(600_000)}}\npaths: {/pets: {$ref: pets.yaml}}`;
    form.set("document", new File([document], "api.yaml"));
    form.append("files", new File([pet], "pets.yaml"));
    const inspected = await registry.client.inspectDocument({
      query: { keep: "true" },
      body: undefined as never,
      rawBody: form,
    });
    const staged = inspected.ok ? inspected.value.staged?.id : undefined;
    const body = { source: { staged: staged! }, name: "From what was kept", tags: ["one"] };
    const registered = await registry.client.registerApi({ body });
    if (!registered.ok) throw new Error(JSON.stringify(registered.problem));
    expect(registered.value).toMatchObject({ name: "From what was kept", tags: ["one"], operationCount: 1 });
    const params = { apiId: registered.value.id };
    const details = await registry.client.getApi({ params });
    expect(details.ok && details.value.document).toMatchObject({
      fileName: "api.yaml",
      sha256: createHash("sha256").update(document).digest("hex"),
    });
    const compared = await registry.client.compareDocument({ params, body: { source: { staged: staged! } } });
    expect(compared.ok && compared.value).toMatchObject({ unchangedCount: 1 });
    const imported = await registry.client.importDocument({ params, body: { source: { staged: staged! } } });
    expect(imported.status).toBe(201);

    const stranger = await registry.stranger.inspectDocument({ body: { staged: staged! } });
    registry.clock.advance(3_600_000);
    const late = await registry.client.inspectDocument({ body: { staged: staged! } });
    for (const refused of [stranger, late]) {
      expect(!refused.ok && refused.problem).toMatchObject({
        status: 422,
        errors: [{ path: "source.staged", message: expect.stringContaining("no longer kept") }],
      });
    }
  });

  test(`${engine.name}: the last five staged sources of an organization are stored`, async () => {
    const stagedIds: string[] = [];
    for (let index = 0; index < 6; index++) {
      const inspected = await registry.client.inspectDocument({
        query: { keep: "true" },
        body: { document: JSON.stringify(smallDocument()) },
      });
      if (inspected.ok) stagedIds.push(inspected.value.staged!.id);
    }
    const again = (staged: string) => registry.client.inspectDocument({ body: { staged } });
    expect((await again(stagedIds[0]!)).status).toBe(422);
    expect((await again(stagedIds[1]!)).status).toBe(200);
  });
}
