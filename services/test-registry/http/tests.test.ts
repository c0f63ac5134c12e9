import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import type { World } from "../testing/circle-maker.ts";
import { createTest, type Draft, draft } from "../testing/drafts.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let world: World;
  beforeAll(async () => {
    world = await createTestRegistryWorld(engine);
  });
  afterAll(() => world.close());

  test(`${engine.name}: a created test is returned completely, with defaults, with its version as ETag`, async () => {
    const tenant = world.createTenant();
    const assertions = [
      { source: "jsonPath" as const, property: "$.a", comparison: "equals" as const, target: { z: 1, a: null } },
      { source: "jsonPath" as const, property: "$.b", comparison: "equals" as const, target: null },
    ];
    const body = draft({
      name: "Lists pets",
      tags: ["smoke", "smoke"],
      assertions,
      request: { body: { kind: "text", text: "\u0000 and \u2028", mediaType: "text/plain" } } as never,
    });
    const created = await tenant.client.createTest({ params: { apiId: tenant.apiId }, body });
    expect(created.ok && created.response.headers.get("etag")).toBe('"1"');
    const value = requireValue(created, "create");
    expect(value).toMatchObject({
      name: "Lists pets",
      tags: ["smoke"],
      enabled: true,
      version: 1,
      timeoutMilliseconds: 30_000,
      retry: { attempts: 1 },
      createdAt: "2026-03-01T12:00:00.000Z",
    });
    expect(JSON.stringify(value.assertions)).toBe(JSON.stringify(assertions));
    expect(requireValue(await tenant.client.getTest({ params: { testId: value.id } }), "get")).toEqual(value);
  });

  test(`${engine.name}: a test's location stays where a change does not mention it, and null removes it`, async () => {
    const tenant = world.createTenant();
    const locationId = uuidv7();
    const { id: testId } = await createTest(tenant, { name: "From there", locationId });
    await createTest(tenant, { name: "As set" });
    const list = async () =>
      requireValue(await tenant.client.listAllTests({ query: { locationId } }), "tests").items.map(({ id }) => id);
    const change = async (changes: Partial<Draft>, version: number) => {
      const body = draft({ name: "From there", ...changes });
      const headers = { "if-match": `"${version}"` };
      return requireValue(await tenant.client.changeTest({ params: { testId }, body, headers }), "change");
    };
    expect(await list()).toEqual([testId]);
    expect(await change({ tags: ["smoke"] }, 1)).toMatchObject({ locationId, tags: ["smoke"] });
    expect(await change({ locationId: null }, 2)).not.toHaveProperty("locationId");
    expect(await list()).toEqual([]);
  });

  test(`${engine.name}: a wait is stored; null and a change without it remove it`, async () => {
    const tenant = world.createTenant();
    const waitUntil = { everySeconds: 0.5, atMostSeconds: 30 };
    const params = { apiId: tenant.apiId };
    const waiting = (changes: Partial<Draft>) => draft({ name: "Waits", ...changes });
    const created = requireValue(await tenant.client.createTest({ params, body: waiting({ waitUntil }) }), "create");
    expect(created.waitUntil).toEqual(waitUntil);
    const change = async (changes: Partial<Draft>) =>
      requireValue(
        await tenant.client.changeTest({ params: { testId: created.id }, body: waiting(changes) }),
        "change",
      );
    expect((await change({ waitUntil: null as never })).waitUntil).toBeUndefined();
    expect((await change({ waitUntil })).waitUntil).toEqual(waitUntil);
    expect(await change({})).not.toHaveProperty("waitUntil");
    const refused = await tenant.client.createTest({
      params,
      body: waiting({ waitUntil: { everySeconds: 0.01, atMostSeconds: 301 } }),
    });
    expect(refused).toMatchObject({
      status: 422,
      problem: {
        errors: [
          { path: "waitUntil.everySeconds", message: "At least 0.1 seconds" },
          { path: "waitUntil.atMostSeconds", message: "At most 300 seconds" },
        ],
      },
    });
  });

  test(`${engine.name}: a target's numbers keep every digit, from the JSON of a request to that of a response`, async () => {
    const tenant = world.createTenant();
    const target = '{"id":9007199254740993,"price":[1.0,1e5,1e999999999]}';
    const assertion = `{"source":"jsonPath","property":"$.a","comparison":"equals","target":${target}}`;
    const rawBody = `{"name":"a","method":"get","path":"/pets","request":{},"assertions":[${assertion}],"retry":{"attempts":2.0}}`;
    const created = await tenant.client.createTest({
      ...{ params: { apiId: tenant.apiId }, body: undefined as never, rawBody },
      headers: { "content-type": "application/json" },
    });
    const { id, retry, assertions } = requireValue(created, "create");
    expect(retry.attempts).toBe(2);
    expect(assertions[0]?.targetJson).toBe(target);
    const got = await tenant.client.getTest({ params: { testId: id } });
    expect(requireValue(got, "get").assertions[0]?.targetJson).toBe(target);
    const authorization = `Bearer ${tenant.token}`;
    const response = await world.service.app.fetch(
      new Request(`http://registry.test/api/v1/tests/${id}`, { headers: { authorization } }),
    );
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toContain(`"target":${target}`);
  });

  test(`${engine.name}: one key creates one test, concurrently too; different content requires another key`, async () => {
    const { client, apiId } = world.createTenant();
    const create = (name: string) =>
      client.createTest({ params: { apiId }, body: draft({ name }), headers: { "idempotency-key": "of-a-form" } });
    const responses = [...(await Promise.all([create("once"), create("once")])), await create("once")];
    const results = responses.map((response) => requireValue(response, "create"));
    expect(new Set(results.map(({ id }) => id)).size).toBe(1);
    expect(await client.listTests({ params: { apiId }, query: {} })).toMatchObject({ value: { total: 1 } });
    expect((await create("twice")).status).toBe(409);
    const { id, version } = results[0]!;
    requireValue(
      await client.deleteTest({ params: { testId: id }, headers: { "if-match": `"${version}"` } }),
      "delete",
    );
    expect(await create("once")).toMatchObject({ status: 409, problem: { code: "conflict" } });
  });

  test(`${engine.name}: a missing credential is reported at its field, except one that a test had before`, async () => {
    const tenant = world.createTenant();
    const [stored, lost, deleted] = [uuidv7(), uuidv7(), uuidv7()];
    const sentWith = (...ids: string[]): Draft => {
      const bindings = ids.map((credentialId) => ({ schemeName: "key", credentialId }));
      return { name: "With keys", request: { authorization: { kind: "credentials", bindings } } as never };
    };
    const { id: testId } = await createTest(tenant, sentWith(stored, deleted));
    for (const id of [lost, deleted]) world.loseCredential(id);
    const errors = [
      {
        path: "request.authorization.bindings[1].credentialId",
        message: "No such credential. Choose another.",
      },
    ];
    const refused = { status: 422, problem: { errors } };
    const body = draft(sentWith(stored, lost));
    expect(await tenant.client.createTest({ params: { apiId: tenant.apiId }, body })).toMatchObject(refused);
    expect(await tenant.client.changeTest({ params: { testId }, body })).toMatchObject(refused);
    expect(await tenant.client.changeTest({ params: { testId }, body: draft(sentWith(deleted)) })).toMatchObject({
      ok: true,
    });
  });

  test(`${engine.name}: a test of a missing or another organization's API is not created`, async () => {
    const tenant = world.createTenant();
    const other = world.createTenant();
    for (const apiId of [uuidv7(), other.apiId]) {
      const response = await tenant.client.createTest({ params: { apiId }, body: draft({ name: "x" }) });
      expect(response).toMatchObject({ ok: false, status: 404, problem: { code: "not_found" } });
    }
  });

  test(`${engine.name}: another organization's test looks absent to every call`, async () => {
    const owner = world.createTenant();
    const { id } = await createTest(owner, { name: "private" });
    const { client } = world.createTenant();
    const body = draft({ name: "taken" });
    for (const testId of [id, uuidv7()]) {
      const responses = await Promise.all([
        client.getTest({ params: { testId } }),
        client.changeTest({ params: { testId }, body }),
        client.deleteTest({ params: { testId } }),
      ]);
      for (const response of responses) {
        expect(response).toMatchObject({ status: 404, problem: { detail: "No such test." } });
      }
    }
    for (const apiId of [owner.apiId, uuidv7()]) {
      const responses = await Promise.all([
        client.listTests({ params: { apiId }, query: {} }),
        client.deleteTestsOfApi({ params: { apiId } }),
        client.deleteTests({ params: { apiId }, body: { testIds: [id] } }),
        client.countEnabledTests({ params: { apiId } }),
      ]);
      for (const response of responses) {
        expect(response).toMatchObject({ status: 404, problem: { detail: "No such API." } });
      }
    }
    expect((await owner.client.getTest({ params: { testId: id } })).status).toBe(200);
  });

  test(`${engine.name}: invalid tests are refused at their fields, on creating and on changing`, async () => {
    const tenant = world.createTenant();
    const { id } = await createTest(tenant, { name: "good" });
    const body = draft({ name: "bad", checks: [], assertions: [] });
    const responses = [
      await tenant.client.createTest({ params: { apiId: tenant.apiId }, body }),
      await tenant.client.changeTest({ params: { testId: id }, body }),
    ];
    for (const response of responses) {
      expect(response).toMatchObject({
        status: 422,
        problem: { code: "invalid_input", errors: [{ path: "enabled" }] },
      });
    }
    const nameless = await tenant.client.createTest({ params: { apiId: tenant.apiId }, body: draft({ name: " " }) });
    expect(nameless).toMatchObject({
      status: 422,
      problem: { errors: [{ path: "name", message: "Give the test a name" }] },
    });
  });

  test(`${engine.name}: a change of a stale version is refused, one without a version is applied`, async () => {
    const tenant = world.createTenant();
    const { id } = await createTest(tenant, { name: "first" });
    const change = (name: string, ifMatch?: string) =>
      tenant.client.changeTest({
        params: { testId: id },
        body: draft({ name }),
        headers: ifMatch === undefined ? undefined : { "if-match": ifMatch },
      });
    world.clock.advance(1_000);
    expect(await change("second", '"1"')).toMatchObject({ ok: true, value: { version: 2, name: "second" } });
    expect(await change("third", '"1"')).toMatchObject({ status: 412, problem: { code: "stale_version" } });
    expect(await change("third", "nonsense")).toMatchObject({ status: 412 });
    expect(await change("third", '"7", "2"')).toMatchObject({ ok: true, value: { version: 3 } });
    expect(await change("fourth", "*")).toMatchObject({ ok: true, value: { version: 4 } });
    expect(await change("fifth")).toMatchObject({ ok: true, value: { version: 5 } });
    const stale = await tenant.client.deleteTest({ params: { testId: id }, headers: { "if-match": '"1"' } });
    expect(stale.status).toBe(412);
    expect((await tenant.client.deleteTest({ params: { testId: id } })).status).toBe(204);
    expect((await tenant.client.deleteTest({ params: { testId: id } })).status).toBe(404);
  });

  test(`${engine.name}: of two concurrent changes of one version one is refused`, async () => {
    const tenant = world.createTenant();
    const { id } = await createTest(tenant, { name: "first" });
    const responses = await Promise.all(
      ["a", "b"].map((name) =>
        tenant.client.changeTest({
          params: { testId: id },
          body: draft({ name }),
          headers: { "if-match": '"1"' },
        }),
      ),
    );
    expect(responses.map((response) => response.status).sort()).toEqual([200, 412]);
  });

  test(`${engine.name}: calls without token, scope, JSON or sense are refused`, async () => {
    const tenant = world.createTenant();
    const params = { apiId: tenant.apiId };
    const body = draft({ name: "x" });
    expect((await world.connect().createTest({ params, body })).status).toBe(401);
    const reader = world.connect(world.tokenFor({ organizationId: tenant.organizationId, scopes: ["tests:read"] }));
    expect((await reader.createTest({ params, body })).status).toBe(403);
    expect((await reader.changeTest({ params: { testId: uuidv7() }, body })).status).toBe(403);
    expect((await reader.deleteTest({ params: { testId: uuidv7() } })).status).toBe(403);
    expect((await reader.deleteTestsOfApi({ params })).status).toBe(403);
    expect((await reader.deleteTests({ params, body: { testIds: [uuidv7()] } })).status).toBe(403);
    const writer = world.connect(world.tokenFor({ scopes: ["tests:write"] }));
    expect((await writer.listTests({ params, query: {} })).status).toBe(403);
    expect((await writer.getTest({ params: { testId: uuidv7() } })).status).toBe(403);
    expect((await writer.countTests({ query: {} })).status).toBe(403);
    expect((await tenant.client.listTests({ params, query: { cursor: "nonsense" } })).status).toBe(400);
    expect((await tenant.client.listTests({ params: { apiId: "nonsense" }, query: {} })).status).toBe(400);
    const url = `http://service.internal/api/v1/apis/${tenant.apiId}/tests`;
    const authorization = `Bearer ${tenant.token}`;
    const send = (type: string, text: string) =>
      world.service.app.request(url, { method: "POST", headers: { authorization, "content-type": type }, body: text });
    expect((await send("application/json", "{")).status).toBe(400);
    expect((await send("text/plain", "{}")).status).toBe(415);
  });

  test(`${engine.name}: while the API registry is unavailable nothing is created`, async () => {
    const lonely = await createTestRegistryWorld(engine);
    lonely.silenceApiRegistry();
    const tenant = lonely.createTenant();
    const response = await tenant.client.createTest({ params: { apiId: tenant.apiId }, body: draft({ name: "x" }) });
    expect(response).toMatchObject({ status: 503, problem: { code: "service_unavailable" } });
    await lonely.close();
  });
}
