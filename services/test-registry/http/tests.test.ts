import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

type Draft = Partial<TestInput> & Pick<TestInput, "name">;

function draft(changes: Draft) {
  return { method: "get", path: "/pets", request: {}, checks: ["not_a_server_error" as const], ...changes };
}

for (const engine of testEngines()) {
  let world: Awaited<ReturnType<typeof createTestRegistryWorld>>;
  beforeAll(async () => {
    world = await createTestRegistryWorld(engine);
  });
  afterAll(() => world.close());

  async function createTest(tenant: ReturnType<typeof world.createTenant>, changes: Draft) {
    return requireValue(
      await tenant.client.createTest({ params: { apiId: tenant.apiId }, body: draft(changes) }),
      "create",
    );
  }

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

  test(`${engine.name}: every sort pages through all tests once`, async () => {
    const tenant = world.createTenant();
    for (const [index, name] of ["delta", "Alpha", "alpha", "Charlie", "bravo", "Écho"].entries()) {
      world.clock.advance(1_000);
      await createTest(tenant, { name, path: `/p${index % 3}`, method: index % 2 ? "post" : "get" });
    }
    for (const sort of ["name", "-name", "path", "updatedAt", "-updatedAt"] as const) {
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const page = requireValue(
          await tenant.client.listTests({ params: { apiId: tenant.apiId }, query: { sort, limit: 2, cursor } }),
          "list",
        );
        if (cursor === undefined) expect(page.total).toBe(6);
        names.push(...page.items.map((item) => item.name));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(new Set(names).size).toBe(6);
      if (sort === "name") expect(names.slice(0, 2).map((name) => name.toLowerCase())).toEqual(["alpha", "alpha"]);
      if (sort === "-updatedAt") expect(names[0]).toBe("Écho");
    }
  });

  test(`${engine.name}: tests are found by words, method, path, tag, state, id and whether they may change data`, async () => {
    const tenant = world.createTenant();
    await createTest(tenant, { name: "Pay 100%", tags: ["money"] });
    const refund = await createTest(tenant, { name: "Refund", path: "/refunds", method: "post" });
    await createTest(tenant, { name: "Draft", enabled: false });
    const find = async (query: object) => {
      const response = await tenant.client.listTests({ params: { apiId: tenant.apiId }, query });
      return requireValue(response, "list").items.map((item) => item.name);
    };
    expect(await find({ query: "0%" })).toEqual(["Pay 100%"]);
    expect(await find({ query: "%%" })).toEqual([]);
    expect(await find({ query: "\u0000" })).toEqual([]);
    expect(await find({ query: "REFUND" })).toEqual(["Refund"]);
    expect(await find({ method: "POST" })).toEqual(["Refund"]);
    expect(await find({ path: "/refunds" })).toEqual(["Refund"]);
    expect(await find({ tag: "money" })).toEqual(["Pay 100%"]);
    expect(await find({ enabled: "false" })).toEqual(["Draft"]);
    expect(await find({ safe: "false" })).toEqual(["Refund"]);
    expect(await find({ safe: "true" })).toEqual(["Draft", "Pay 100%"]);
    expect(await find({ ids: refund.id })).toEqual(["Refund"]);
    expect(await find({ ids: refund.id, safe: "true" })).toEqual([]);
  });

  test(`${engine.name}: tests are counted by API and by operation`, async () => {
    const tenant = world.createTenant();
    const secondApi = world.registerApi(tenant.organizationId);
    await createTest(tenant, { name: "a" });
    await createTest(tenant, { name: "b", enabled: false });
    await createTest(tenant, { name: "c", path: "/pets/{id}", enabled: false });
    await createTest({ ...tenant, apiId: secondApi }, { name: "d" });
    await createTest(world.createTenant(), { name: "foreign" });
    const all = requireValue(await tenant.client.countTests({ query: {} }), "count");
    expect(all.byApi).toHaveLength(2);
    expect(all.byApi).toContainEqual({ apiId: tenant.apiId, total: 3, enabled: 1 });
    expect(all.byOperation).toEqual([]);
    const some = requireValue(await tenant.client.countTests({ query: { apiIds: secondApi } }), "count");
    expect(some.byApi).toEqual([{ apiId: secondApi, total: 1, enabled: 1 }]);
    const one = requireValue(await tenant.client.countTests({ query: { apiId: tenant.apiId } }), "count");
    expect(one.byOperation).toEqual([
      { method: "get", path: "/pets", total: 2 },
      { method: "get", path: "/pets/{id}", total: 1 },
    ]);
    expect(await tenant.client.countTests({ query: { apiIds: "nonsense" } })).toMatchObject({ status: 400 });
    expect(requireValue(await tenant.client.countTests({ query: { apiIds: "" } }), "count").byApi).toEqual([]);
  });

  test(`${engine.name}: enabled tests are counted by method, and which of them change nothing`, async () => {
    const tenant = world.createTenant();
    await createTest(tenant, { name: "a" });
    await createTest(tenant, { name: "b" });
    await createTest(tenant, { name: "c", method: "delete" });
    await createTest(tenant, { name: "d", method: "post", enabled: false });
    await createTest({ ...tenant, apiId: world.registerApi(tenant.organizationId) }, { name: "e" });
    const { apiId } = tenant;
    const { byMethod } = requireValue(await tenant.client.countEnabledTests({ params: { apiId } }), "count");
    expect(byMethod).toEqual([
      { method: "delete", total: 1, isSafe: false },
      { method: "get", total: 2, isSafe: true },
    ]);
  });

  test(`${engine.name}: the named tests are deleted together, those of others remain, and repeating has no effect`, async () => {
    const tenant = world.createTenant();
    const other = { ...tenant, apiId: world.registerApi(tenant.organizationId) };
    const stranger = world.createTenant();
    const [first, second, stored] = [
      await createTest(tenant, { name: "a" }),
      await createTest(tenant, { name: "b" }),
      await createTest(tenant, { name: "c" }),
    ];
    const spared = [await createTest(other, { name: "d" }), await createTest(stranger, { name: "e" })];
    const params = { apiId: tenant.apiId };
    const body = { testIds: [first, second, ...spared].map(({ id }) => id) };
    const remove = async () => requireValue(await tenant.client.deleteTests({ params, body }), "delete");
    expect(await remove()).toEqual({ deleted: 2 });
    expect(await remove()).toEqual({ deleted: 0 });
    const left = requireValue(await tenant.client.listAllTests({ query: {} }), "list").items;
    expect(left.map(({ id }) => id).sort()).toEqual([stored.id, spared[0]!.id].sort());
    expect((await stranger.client.getTest({ params: { testId: spared[1]!.id } })).status).toBe(200);
  });

  test(`${engine.name}: all tests of an API are deleted together, others remain`, async () => {
    const tenant = world.createTenant();
    const secondApi = world.registerApi(tenant.organizationId);
    await createTest(tenant, { name: "a" });
    const remaining = await createTest({ ...tenant, apiId: secondApi }, { name: "b" });
    expect((await tenant.client.deleteTestsOfApi({ params: { apiId: tenant.apiId } })).status).toBe(204);
    const left = requireValue(await tenant.client.countTests({ query: {} }), "count");
    expect(left.byApi.map((count) => count.apiId)).toEqual([remaining.apiId]);
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
