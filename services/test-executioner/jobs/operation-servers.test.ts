import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { respondJson, startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

const [engine] = testEngines();
let world: ExecutionWorld;
let api: Target;
let upload: Target;
beforeAll(async () => {
  world = await createExecutionWorld(await engine.open());
  [api, upload] = [await startTarget(respondJson({})), await startTarget(respondJson({}))];
});
afterAll(async () => {
  await world.stop();
  await world.database.close();
  await Promise.all([api.close(), upload.close()]);
});
beforeEach(() => {
  api.requests.length = 0;
  upload.requests.length = 0;
});

const responses = { "200": { description: "ok" } };
const toDocument = () => ({
  servers: [{ url: `${api.baseUrl}/api/v1` }],
  paths: {
    "/usual": { get: { responses } },
    "/of-path": { servers: [{ url: `${api.baseUrl}/pathlevel` }], get: { responses } },
    "/of-operation": {
      servers: [{ url: `${api.baseUrl}/pathlevel` }],
      get: { servers: [{ url: `${api.baseUrl}/operationlevel` }], responses },
    },
    "/of-another-host": {
      servers: [{ url: "{origin}/upload", variables: { origin: { default: upload.baseUrl } } }],
      get: { responses },
    },
  },
});
/** Needs its operation for nothing but its server. */
const plain = { checks: ["not_a_server_error" as const] };

test("a test's request goes to the document's server for its path or operation, and says so", async () => {
  const tenant = await world.createTenant(`${api.baseUrl}/api/v1`, toDocument());
  for (const [path, url, server] of [
    ["/usual", "/api/v1/usual", undefined],
    ["/of-path", "/pathlevel/of-path", "operation"],
    ["/of-operation", "/operationlevel/of-operation", "operation"],
  ] as const) {
    const { id } = await tenant.createTest({ path, ...plain });
    const execution = await tenant.run(id);
    expect([execution.verdict, execution.attempts[0]!.request!.server]).toEqual(["passed", server]);
    expect(api.requests.at(-1)!.url).toBe(url);
  }
});

test("a test's own base URL precedes the document's server for its operation", async () => {
  const tenant = await world.createTenant(`${api.baseUrl}/api/v1`, toDocument());
  const { id } = await tenant.createTest({ path: "/of-path", request: { baseUrl: "{{base}}/mine" } as never });
  const execution = await tenant.run(id, { variables: { base: api.baseUrl } });
  expect(execution).toMatchObject({ verdict: "passed" });
  expect(execution.attempts[0]!.request!.server).toBeUndefined();
  expect(api.requests.at(-1)!.url).toBe("/mine/of-path");
});

test("an environment moves an operation's server on the API's host, and leaves one on another host", async () => {
  const staging = await startTarget(respondJson({}));
  const tenant = await world.createTenant(`${api.baseUrl}/api/v1`, toDocument());
  const client = world.apiRegistry({ token: tenant.token });
  const items = [{ name: "Staging", baseUrl: `${staging.baseUrl}/api/v1`, variables: {} }];
  requireValue(await client.replaceEnvironments({ params: { apiId: tenant.apiId }, body: { items } }), "environment");
  for (const path of ["/of-path", "/of-another-host"]) {
    const { id } = await tenant.createTest({ path, ...plain });
    await tenant.run(id, { environment: "Staging" });
  }
  expect(staging.requests.map(({ url }) => url)).toEqual(["/pathlevel/of-path"]);
  expect(upload.requests.map(({ url }) => url)).toEqual(["/upload/of-another-host"]);
  expect(api.requests).toEqual([]);
  await staging.close();
});

test("a server on another host gets the credentials of its own host only", async () => {
  const components = { securitySchemes: { login: { type: "http", scheme: "bearer" } } };
  const document = { ...toDocument(), components, security: [{ login: [] }] };
  const tenant = await world.createTenant(`${api.baseUrl}/api/v1`, document);
  const manage = await tenant.manage();
  for (const { host: domain } of [api, upload]) {
    const secret = `secret-of-${domain}`;
    const credentialId = await tenant.createCredential({ name: domain, domain, type: "bearer", settings: {}, secret });
    const body = { domain, schemeName: "login", credentialId };
    requireValue(await manage.createAuthorizationConfig({ body }), "The credential could not be assigned");
  }
  for (const path of ["/usual", "/of-another-host"]) {
    const { id } = await tenant.createTest({ path, ...plain });
    await tenant.run(id);
  }
  expect(api.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer secret-of-${api.host}`]);
  expect(upload.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer secret-of-${upload.host}`]);
});

test("a request that is sent without being stored goes where a run's goes", async () => {
  const tenant = await world.createTenant(`${api.baseUrl}/api/v1`, toDocument());
  const body = { apiId: tenant.apiId, method: "get", path: "/of-path", request: {} as never };
  const sent = requireValue(await tenant.user.sendRequest({ body }), "send");
  expect([api.requests.at(-1)!.url, sent.request?.server]).toEqual(["/pathlevel/of-path", "operation"]);
  expect(requireValue(await tenant.user.resolveRequest({ body }), "resolve")).toEqual({
    url: `${api.baseUrl}/pathlevel/of-path`,
    server: "operation",
  });
});

test("an operation is looked up for its server only where the document has servers of single operations", async () => {
  const tenant = await world.createTenant(`${api.baseUrl}/api/v1`);
  const { id } = await tenant.createTest({ path: "/", ...plain });
  const before = world.registryCalls.findOperations;
  await tenant.run(id);
  expect(world.registryCalls.findOperations).toBe(before);
});
