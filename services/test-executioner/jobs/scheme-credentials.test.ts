import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

let world: ExecutionWorld;
let api: Target;

const results = { responses: { "200": { description: "ok" } } };
const document = {
  paths: {
    "/orders": { get: { ...results, security: [{ login: [], device: [] }, { key: [] }] } },
    "/anything": { get: results },
  },
  components: {
    securitySchemes: {
      key: { type: "apiKey", in: "query", name: "key" },
      login: { type: "http", scheme: "basic" },
      device: { type: "apiKey", in: "header", name: "X-Device" },
    },
  },
};

beforeAll(async () => {
  world = await createExecutionWorld(await testEngines()[0].open());
  api = await startTarget((_, response) => void response.end("{}"));
});
afterEach(() => {
  api.requests.length = 0;
});
afterAll(async () => {
  await world.stop();
  await world.database.close();
  await api.close();
});

async function createTenant() {
  const tenant = await world.createTenant(api.baseUrl, document);
  const token = (name: string, secret: string, domain = api.host) =>
    tenant.createCredential({ name, domain, type: "bearer", settings: {}, secret });
  return {
    ...tenant,
    token,
    ana: () =>
      tenant.createCredential({
        ...{ name: "Ana", domain: api.host, type: "basic", secret: "ana's password" },
        settings: { username: "ana" },
      }),
    async bind(schemeName: string, credentialId: string, domain = api.host) {
      const body = { domain, schemeName, credentialId };
      return requireValue(await (await tenant.manage()).createAuthorizationConfig({ body }), "binding").id;
    },
    async send(path = "/orders", request: object = {}) {
      const { id } = await tenant.createTest({ path, request: request as never });
      const execution = await tenant.run(id);
      expect(execution.verdict).toBe("passed");
      return api.requests.at(-1)!;
    },
  };
}

test("an operation's scheme gets the credential bound to it, where the document requires it, and no other", async () => {
  const tenant = await createTenant();
  await tenant.bind("key", await tenant.token("Shop key", "key-secret-1"));
  await tenant.ana();
  const { url, headers } = await tenant.send();
  expect(url).toBe("/orders?key=key-secret-1");
  expect(headers.authorization).toBeUndefined();
});

test("an alternative with an unbound scheme is skipped", async () => {
  const tenant = await createTenant();
  await tenant.bind("login", await tenant.ana());
  await tenant.bind("key", await tenant.token("Shop key", "key-secret-2"));
  expect((await tenant.send()).url).toBe("/orders?key=key-secret-2");
});

test("all schemes of the first alternative get their credentials once all are bound", async () => {
  const tenant = await createTenant();
  await tenant.bind("key", await tenant.token("Shop key", "key-secret-2"));
  await tenant.bind("login", await tenant.ana());
  await tenant.bind("device", await tenant.token("Device", "device-secret"));
  const { url, headers } = await tenant.send();
  expect(url).toBe("/orders");
  expect(headers.authorization).toBe(`Basic ${Buffer.from("ana:ana's password").toString("base64")}`);
  expect(headers["x-device"]).toBe("device-secret");
});

test("an operation without a bound scheme inherits the credentials of its host as before", async () => {
  const tenant = await createTenant();
  await tenant.bind("other", await tenant.token("Token", "host-secret"));
  expect((await tenant.send()).headers.authorization).toBe("Bearer host-secret");
  expect((await tenant.send("/anything")).headers.authorization).toBe("Bearer host-secret");
});

test("a test's own values and its chosen authorization are kept", async () => {
  const tenant = await createTenant();
  await tenant.bind("login", await tenant.ana());
  await tenant.bind("device", await tenant.token("Device", "device-secret"));
  const own = await tenant.send("/orders", { headers: [{ name: "X-Device", value: "written" }] });
  expect(own.headers["x-device"]).toBe("written");
  const none = await tenant.send("/orders", { authorization: { kind: "none" } });
  expect([none.headers.authorization, none.headers["x-device"]]).toEqual([undefined, undefined]);
});

test("a credential moved to another domain is not sent for its scheme, and the reason is given", async () => {
  const tenant = await createTenant();
  const credentialId = await tenant.token("Moved", "moved-secret");
  await tenant.bind("key", credentialId);
  const body = { name: "Moved", domain: "other.test", type: "bearer" as const, settings: {}, secret: "moved-secret" };
  requireValue(await (await tenant.manage()).changeCredential({ params: { credentialId }, body }), "moving");
  const { id } = await tenant.createTest({ path: "/orders" });
  const execution = await tenant.run(id);
  expect(execution).toMatchObject({ verdict: "errored", cause: { code: "credential_refused" } });
  expect(api.requests).toEqual([]);
});

test("L02: another organization's binding of the same host and scheme authorizes nothing here", async () => {
  const theirs = await createTenant();
  await theirs.bind("key", await theirs.token("Theirs", "their-secret"));
  const tenant = await createTenant();
  await tenant.token("Own", "own-secret");
  const { url, headers } = await tenant.send();
  expect([url, headers.authorization]).toEqual(["/orders", "Bearer own-secret"]);
  expect(JSON.stringify(api.requests)).not.toContain("their-secret");
});

test("without a credential of its host, a test is errored and a request sent without a test is refused, both unsent", async () => {
  const tenant = await createTenant();
  const detail = `No credential for ${api.host}: the operation requires a user name and password (HTTP Basic) and an API key in X-Device, or an API key in the query parameter key`;
  const { id } = await tenant.createTest({ path: "/orders" });
  const execution = await tenant.run(id);
  expect([execution.verdict, execution.cause?.code]).toEqual(["errored", "no_credential"]);
  expect(execution.cause?.detail).toContain(detail);
  const body = { apiId: tenant.apiId, method: "get", path: "/orders", request: {} };
  const attempt = requireValue(await tenant.client.sendRequest({ body }), "sending");
  expect(attempt.cause?.code).toBe("no_credential");
  expect(api.requests).toEqual([]);
  await tenant.send("/anything");
  await tenant.send("/orders", { authorization: { kind: "none" } });
});

test("a request sent without a test is authorized in the same way, with its secret redacted", async () => {
  const tenant = await createTenant();
  await tenant.bind("key", await tenant.token("Shop key", "key-secret-3"));
  const body = { apiId: tenant.apiId, method: "get", path: "/orders", request: {} };
  const attempt = requireValue(await tenant.client.sendRequest({ body }), "sending");
  expect(api.requests[0]!.url).toBe("/orders?key=key-secret-3");
  expect(attempt.request!.url).toBe(`${api.baseUrl}/orders?key=[secret]`);
});
