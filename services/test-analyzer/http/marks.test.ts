import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuditTables } from "../../kit/audit/audit-table.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { retain } from "../jobs/retention.ts";
import { type AnalyzerTables, schemaName } from "../store/tables.ts";
import { createTestAnalyzerWorld } from "../testing/world.ts";

const document = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "https://api.example.com" }],
  paths: { "/pets": { get: { responses: { "200": { description: "Pets" } } } } },
});

for (const engine of testEngines()) {
  let world: Awaited<ReturnType<typeof createTestAnalyzerWorld>>;
  type Tenant = Awaited<ReturnType<typeof world.createTenant>>;
  beforeAll(async () => {
    world = await createTestAnalyzerWorld(engine);
  });
  afterAll(() => world.close());

  async function getNames({ client }: Tenant, query: { apiId?: string; testId?: string; kind?: "deployment" } = {}) {
    return requireValue(await client.listMarks({ query }), "marks").items.map(({ name }) => name);
  }

  /** As the registries report it. */
  async function receive(
    { internal, organizationId }: Tenant,
    occurredAt: string,
    event: Parameters<Tenant["internal"]["receiveEvent"]>[0]["body"] extends infer Body
      ? Body extends { type: infer Type; payload: infer Payload }
        ? { type: Type; payload: Payload }
        : never
      : never,
  ) {
    const body = { id: uuidv7(), organizationId, occurredAt, ...event } as Parameters<
      typeof internal.receiveEvent
    >[0]["body"];
    expect((await internal.receiveEvent({ body })).status).toBe(204);
    return body;
  }

  test(`${engine.name}: a deployment is marked, listed, in the trends of its API, and deleted with an audit record`, async () => {
    const tenant = await world.createTenant();
    const { client, organizationId } = tenant;
    const apiId = await tenant.registerApi(document);
    const body = { name: "Pets 2.4.0", apiId, url: "https://ci.example.com/42" };
    const made = requireValue(await client.createMark({ body }), "mark");
    expect(made).toMatchObject({ ...body, kind: "deployment", apiName: "Pets", at: world.clock.now().toISOString() });
    expect(made.createdBy).toBe("tester");
    const earlier = "2026-03-09T10:00:00.000Z";
    requireValue(await client.createMark({ body: { name: "Gateway", at: earlier } }), "mark");
    expect(await getNames(tenant)).toEqual(["Pets 2.4.0", "Gateway"]);
    expect(await getNames(tenant, { apiId })).toEqual(["Pets 2.4.0", "Gateway"]);
    expect(await getNames(tenant, { apiId: await tenant.registerApi(document) })).toEqual(["Gateway"]);
    expect(await client.listMarks({ query: { apiId: uuidv7() } })).toMatchObject({ status: 404 });
    const trends = requireValue(await client.getTrends({ query: { range: "24h", apiId } }), "trends");
    expect(trends.marks).toEqual([made]);
    const stranger = await world.createTenant();
    expect(await getNames(stranger)).toEqual([]);
    expect((await stranger.client.deleteMark({ params: { markId: made.id } })).status).toBe(404);
    expect((await client.deleteMark({ params: { markId: made.id } })).status).toBe(204);
    expect((await client.getMark({ params: { markId: made.id } })).status).toBe(404);
    const records = await world.database
      .inSchema<AuditTables>(schemaName)
      .selectFrom("audit_records")
      .select(["operation", "resource_kind", "resource_id"])
      .where("organization_id", "=", organizationId)
      .where("resource_id", "=", made.id)
      .orderBy("id")
      .execute();
    expect(records.map((record) => record.operation)).toEqual(["createMark", "deleteMark"]);
  });

  test(`${engine.name}: a repeated call adds no second mark, and invalid input is refused at its field`, async () => {
    const { client } = await world.createTenant();
    const headers = { "idempotency-key": "release-7" };
    const body = { name: "Release 7" };
    const [first, again] = [await client.createMark({ body, headers }), await client.createMark({ body, headers })];
    expect(requireValue(again, "mark")).toEqual(requireValue(first, "mark"));
    const other = await client.createMark({ body: { name: "Release 8" }, headers });
    expect(other.status).toBe(409);
    const future = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
    for (const [wrong, path] of [
      [{ name: " " }, "name"],
      [{ name: "x", at: future }, "at"],
      [{ name: "x", url: "javascript:alert(1)" }, "url"],
    ] as const) {
      const refused = await client.createMark({ body: wrong });
      expect([refused.status, !refused.ok && refused.problem.errors?.[0]?.path]).toEqual([422, path]);
    }
    expect((await client.createMark({ body: { name: "x", apiId: uuidv7() } })).status).toBe(404);
    const reader = world.connect(world.tokenFor({ scopes: ["tests:read"] }));
    expect((await reader.createMark({ body })).status).toBe(403);
    expect((await reader.deleteMark({ params: { markId: uuidv7() } })).status).toBe(403);
  });

  test(`${engine.name}: a new document version and an edited test are marked, edits within an hour once`, async () => {
    const tenant = await world.createTenant();
    const [apiId, testId, otherId] = [uuidv7(), uuidv7(), uuidv7()];
    const edited = (id: string, name: string) => ({
      type: "test.changed" as const,
      payload: { apiId, testId: id, name },
    });
    const imported = { apiId, apiName: "Pets", documentId: uuidv7(), version: "2.0" };
    await receive(tenant, "2026-03-10T09:00:00.000Z", { type: "document.imported", payload: imported });
    const first = await receive(tenant, "2026-03-10T10:00:00.000Z", edited(testId, "Lists pets"));
    await receive(tenant, "2026-03-10T10:40:00.000Z", edited(testId, "Lists all pets"));
    await receive(tenant, "2026-03-10T12:00:00.000Z", edited(testId, "Lists some pets"));
    await receive(tenant, "2026-03-10T12:10:00.000Z", edited(otherId, "Adds a pet"));
    expect((await tenant.internal.receiveEvent({ body: first })).status).toBe(204);
    expect(await getNames(tenant)).toEqual(["2.0"]);
    const ofTest = ["Lists some pets", "Lists all pets", "2.0"];
    expect(await getNames(tenant, { apiId })).toEqual(["Adds a pet", ...ofTest]);
    expect(await getNames(tenant, { apiId, testId })).toEqual(ofTest);
    expect(await getNames(tenant, { testId })).toEqual(ofTest.slice(0, 2));
    const page = requireValue(await tenant.client.listMarks({ query: { apiId, limit: 3 } }), "marks");
    const rest = { apiId, limit: 3, cursor: page.nextCursor ?? undefined };
    expect(requireValue(await tenant.client.listMarks({ query: rest }), "marks").items).toMatchObject([
      { name: "2.0" },
    ]);
    await receive(tenant, "2026-03-10T12:20:00.000Z", { type: "tests.deleted", payload: { apiId, testIds: [testId] } });
    expect(await getNames(tenant, { apiId })).toEqual(["Adds a pet", "2.0"]);
    await receive(tenant, "2026-03-10T12:20:00.000Z", { type: "api.deleted", payload: { apiId } });
    expect(await tenant.client.listMarks({ query: { apiId } })).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: marks are deleted after two years`, async () => {
    const tenant = await world.createTenant();
    for (const at of ["2024-03-09T00:00:00.000Z", "2024-03-12T00:00:00.000Z"]) {
      requireValue(await tenant.client.createMark({ body: { name: at, at } }), "mark");
    }
    const db = world.database.inSchema<AnalyzerTables>(schemaName);
    await retain({ db, clock: world.clock }, new AbortController().signal);
    expect(await getNames(tenant)).toEqual(["2024-03-12T00:00:00.000Z"]);
  });
}
