import { afterAll, beforeAll, expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import type { ExecutionTables } from "../store/tables.ts";
import { respondJson, startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

const [engine] = testEngines();
let world: ExecutionWorld;
let target: Target;
beforeAll(async () => {
  world = await createExecutionWorld(await engine.open());
  target = await startTarget(respondJson({ name: "Rex" }));
});
afterAll(async () => {
  await world.stop();
  await world.database.close();
  await target.close();
});

test("one request is sent and its response returned without anything being stored", async () => {
  const tenant = await world.createTenant(target.baseUrl);
  const request = {
    query: [{ name: "a", value: "1 2", enabled: true }],
    body: { kind: "json" as const, text: '{"x":1}' },
  };
  const body = { apiId: tenant.apiId, method: "post", path: "/things", request };
  const sent = await tenant.client.sendRequest({ body });
  expect(sent.ok && sent.value).toMatchObject({
    request: { method: "POST", url: `${target.baseUrl}/things?a=1%202`, body: '{"x":1}', bodyBytes: 7 },
    response: { status: 200, body: '{"name":"Rex"}', truncated: false },
  });
  expect(target.requests.at(-1)).toMatchObject({ method: "POST", url: "/things?a=1%202", text: '{"x":1}' });
  expect(target.requests.at(-1)!.headers["user-agent"]).toBe("api-assurance-portal/1.2.3");
  const db = world.database.inSchema<ExecutionTables>("test_executioner");
  expect(await db.selectFrom("executions").select("id").execute()).toEqual([]);
});

test("environment and variables fill the request", async () => {
  const tenant = await world.createTenant("http://127.0.0.1:9");
  await world.apiRegistry({ token: tenant.token }).replaceEnvironments({
    params: { apiId: tenant.apiId },
    body: { items: [{ name: "staging", baseUrl: target.baseUrl, variables: { word: "w", other: "o" } }] },
  });
  const request = { query: [{ name: "q", value: "{{word}}{{other}}{{$timestamp}}", enabled: true }] };
  const body = { apiId: tenant.apiId, method: "get", path: "/", request, variables: { word: "mine" } };
  const sent = await tenant.client.sendRequest({ body: { ...body, environment: "staging" } });
  expect(sent.ok && sent.value.request!.url).toMatch(/\?q=mineo\d{10}$/);
  const unknown = await tenant.client.sendRequest({ body: { ...body, environment: "nowhere" } });
  expect(!unknown.ok && unknown.problem.errors).toMatchObject([{ path: "environment" }]);
});

test("the URL of a request is determined by the code that sends it, and nothing is sent", async () => {
  const tenant = await world.createTenant(target.baseUrl);
  const { length } = target.requests;
  const request = {
    pathParameters: [{ name: "petId", value: "a b", enabled: true }],
    query: [{ name: "q", value: "{{word}}", enabled: true }],
  };
  const resolve = async (variables: Record<string, string>) => {
    const body = { apiId: tenant.apiId, method: "get", path: "/pets/{petId}", request, variables };
    const resolved = await tenant.client.resolveRequest({ body });
    return resolved.ok && resolved.value;
  };
  expect(await resolve({ word: "1&2" })).toEqual({ url: `${target.baseUrl}/pets/a%20b?q=1%262` });
  expect(await resolve({})).toMatchObject({ url: null, cause: { code: "variable_missing" } });
  expect(target.requests).toHaveLength(length);
});

test("a request that can't be sent says why", async () => {
  const tenant = await world.createTenant("http://127.0.0.1:1");
  const send = async (path: string, request: object = {}, timeoutMilliseconds = 1_000) => {
    const body = { apiId: tenant.apiId, method: "get", path, request: request as never, timeoutMilliseconds };
    const sent = await tenant.client.sendRequest({ body });
    return sent.ok ? sent.value.cause?.code : sent.problem.code;
  };
  expect(await send("/pets/{petId}")).toBe("path_parameter_missing");
  expect(await send("/{x}", { query: [{ name: "a", value: "{{nothing}}", enabled: true }] })).toBe(
    "path_parameter_missing",
  );
  expect(await send("/", { query: [{ name: "a", value: "{{nothing}}", enabled: true }] })).toBe("variable_missing");
  expect(await send("/")).toBe("target_not_allowed");
  expect(await send("/", { baseUrl: "http://127.0.0.1:59999" })).toBe("connection_refused");
  target.answer(() => {});
  expect(await send("/", { baseUrl: target.baseUrl }, 200)).toBe("timeout");
  target.answer(respondJson({}));
  const headers = (name: string, value: string) => ({
    baseUrl: target.baseUrl,
    headers: [{ name, value, enabled: true }],
  });
  const before = target.connections;
  for (const [name, value] of [
    ["Host", "evil"],
    ["Transfer-Encoding", "chunked"],
    ["x", "a\r\nb: c"],
    ["x y", "a"],
  ] as const) {
    expect(await send("/", headers(name, value)), name).toBe("invalid_header");
  }
  expect(target.connections).toBe(before);
});

test("another organization's API is not found, and a reader may not send", async () => {
  const tenant = await world.createTenant(target.baseUrl);
  const other = await world.createTenant(target.baseUrl);
  const body = { apiId: tenant.apiId, method: "get", path: "/", request: {} };
  expect((await other.client.sendRequest({ body })).status).toBe(404);
  const reader = world.identities.tokenFor({ organizationId: tenant.organizationId, scopes: ["tests:read"] });
  expect((await world.connect(reader).sendRequest({ body })).status).toBe(403);
  expect((await world.connect().sendRequest({ body })).status).toBe(401);
  expect((await tenant.client.sendRequest({ body: { ...body, apiId: "x" } })).status).toBe(422);
});
