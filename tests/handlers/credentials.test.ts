import { afterAll, beforeAll, expect, test } from "vitest";
import { startVaultServer } from "../../libraries/vault-kv/testing/vault-server.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { startTarget } from "../../services/test-executioner/testing/target.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

let portal: HandledPortal;
let visitor: Visitor;
beforeAll(async () => {
  portal = await openHandledPortal();
  visitor = await portal.signIn();
});
afterAll(() => portal.stop());

const apiKey = {
  type: "apiKey",
  domain: "*.Shop.example.com",
  "settings.in": "header",
  "settings.parameterName": "X-Shop-Key",
  secret: "key-1",
};

async function create(name: string) {
  const form = await visitor.open("/administration/credentials/create");
  return await form.submit("Create credential", { ...apiKey, name });
}

test("a credential's form keeps the input, except the secret, and reports missing values at the field", async () => {
  const form = await visitor.open("/administration/credentials/create");
  const values = { name: "Half", type: "apiKey", domain: "not a host!" };
  const refused = await form.submit("Create credential", values);
  expect(refused.status).toBe(422);
  expect(refused.value("name")).toBe("Half");
  expect(refused.value("domain")).toBe("not a host!");
  expect(refused.errors("domain")).not.toBe("");
  expect(refused.errors("secret")).toBe("Enter the secret");
  expect(refused.errors("name")).toBe("");
  const withSecret = await refused.submit("Create credential", { secret: "canary-9c1e" });
  expect(withSecret.status).toBe(422);
  expect(withSecret.html).not.toContain("canary-9c1e");
});

test("a credential is stored for its domain only, and found by matching hosts", async () => {
  const list = await create("Shop");
  expect(list.text).toContain("Shop is stored, for *.shop.example.com only.");
  expect(list.text).toContain("API key in header X-Shop-Key");
  expect((await visitor.open("/administration/credentials/domain/eu.shop.example.com")).text).toContain("X-Shop-Key");
  const elsewhere = await visitor.open("/administration/credentials/domain/shop.example.org");
  expect(elsewhere.text).toContain("Requests to it are not allowed");
});

test("an OAuth client requires its token URL and ID, and its secret again for another token host", async () => {
  const form = await visitor.open("/administration/credentials/create");
  const client = {
    name: "Client",
    type: "oauth2ClientCredentials",
    domain: "api.example.com",
    secret: "client-secret",
  };
  const refused = await form.submit("Create credential", client);
  expect(refused.errors("settings.tokenUrl")).toBe("Enter the token URL");
  expect(refused.errors("settings.clientId")).toBe("Enter the client ID");
  const list = await refused.submit("Create credential", {
    "settings.tokenUrl": "https://login.example.com/token",
    "settings.clientId": "portal",
    secret: "client-secret",
  });
  expect(list.rows("Client")[0]).toContain("OAuth 2.0 client portal at login.example.com");
  const edit = await list.follow("Client");
  expect(edit.value("settings.tokenUrl")).toBe("https://login.example.com/token");
  const moved = await edit.submit("Save", { "settings.tokenUrl": "https://evil.example.com/token" });
  expect(moved.errors("secret")).toBe("Enter the secret again: it was given for another token URL");
});

test("the form names the required fields of each other type", async () => {
  const form = await visitor.open("/administration/credentials/create");
  const given = { name: "Other", domain: "api.example.com", secret: "another-secret" };
  const digest = await form.submit("Create credential", { ...given, type: "digest" });
  expect(digest.errors("settings.username")).toBe("Enter the user name");
  const mutual = await form.submit("Create credential", { ...given, type: "mutualTls" });
  expect(mutual.errors("settings.certificate")).toBe("Enter the client certificate");
  const aws = { ...given, type: "awsSignatureV4", "settings.accessKeyId": "AKIDEXAMPLE" };
  const refused = await form.submit("Create credential", aws);
  expect(refused.errors("settings.region")).toBe("Enter the region");
  const location = { "settings.region": "eu-central-1", "settings.service": "execute-api" };
  const list = await form.submit("Create credential", { ...aws, ...location });
  expect(list.rows("Other")[0]).toContain("AWS Signature v4 as AKIDEXAMPLE for execute-api in eu-central-1");
});

test("a credential given another domain requires its secret again, and no page contains it", async () => {
  const edit = await (await create("Moved")).follow("Moved");
  expect(edit.html).not.toContain("key-1");
  const refused = await edit.submit("Save", { domain: "other.example.com" });
  expect(refused.status).toBe(422);
  expect(refused.errors("secret")).toContain("Enter the secret again: it was given for another domain");
  expect(refused.value("domain")).toBe("other.example.com");
  const saved = await refused.submit("Save", { secret: "key-2" });
  expect(saved.text).toContain("Moved is saved.");
});

test("a credential shows its users, also before it is deleted", async () => {
  const { apiRegistry, testRegistry, securityService } = portal.backend;
  const document = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Orders", version: "1" },
    servers: [{ url: "https://orders.example.com/v1" }],
    paths: { "/orders": { get: { responses: { "200": { description: "ok" } } } } },
  });
  const { id: apiId } = requireValue(await apiRegistry.registerApi({ body: { source: { document } } }), "register");
  const body = { name: "Orders key", domain: "orders.example.com", type: "bearer" as const, settings: {}, secret: "s" };
  const { id: credentialId } = requireValue(await securityService.createCredential({ body }), "credential");
  const authorization = { kind: "credentials" as const, bindings: [{ schemeName: "", credentialId }] };
  const test = { name: "Lists orders", method: "get", path: "/orders", request: { authorization } };
  requireValue(
    await testRegistry.createTest({ params: { apiId }, body: { ...test, checks: ["not_a_server_error"] } }),
    "test",
  );

  const list = await visitor.open("/administration/credentials?query=orders");
  expect(list.rows("Orders key")[0]).toContain("1 test, 1 API");
  const edit = await list.follow("Orders key");
  expect((await edit.follow("Lists orders")).heading).toBe("Lists orders");
  expect(edit.html).toContain(`/api-management/${apiId}/details"`);
  const requesting = await edit.follow("Delete");
  expect(requesting.text).toContain("1 test using it will error");
  expect(requesting.text).toContain("Tests of Orders that inherit their authorization are sent without it");
});

test("a secret is replaced on a separate page, which never shows it", async () => {
  const edit = await (await create("Rotated")).follow("Rotated");
  const page = await edit.follow("Replace secret");
  expect((await page.submit("Replace secret", { secret: "" })).errors("secret")).not.toBe("");
  const replaced = await page.submit("Replace secret", { secret: "canary-new-key" });
  expect(replaced.heading).toBe("Rotated");
  expect(replaced.text).toContain("Rotated has a new secret. The old one no longer works.");
  expect(replaced.html).not.toContain("canary-new-key");
});

test("a credential is tried at a URL of its domain, and at no other", async () => {
  const target = await startTarget((request, response) => {
    response.writeHead(request.headers["x-shop-key"] === "canary-tried-key" ? 200 : 401).end();
  });
  const form = await visitor.open("/administration/credentials/create");
  const given = { ...apiKey, name: "Tried", domain: target.host, secret: "canary-tried-key" };
  const page = await (await (await form.submit("Create credential", given)).follow("Tried")).follow("Try");
  const tried = await page.submit("Send", { url: `${target.baseUrl}/me?all=1` });
  expect(tried.text).toContain("Status 200");
  expect(tried.text).toContain(`GET ${target.baseUrl}/me?all=1`);
  expect(tried.text).toContain("X-Shop-Key: [secret]");
  expect(tried.html).not.toContain("canary-tried-key");
  const elsewhere = await page.submit("Send", { url: "https://other.example.com/" });
  expect(elsewhere.status).toBe(422);
  expect(elsewhere.errors("url")).toContain("not of the credential's domain");
  const replaced = await (await page.follow("Tried")).follow("Replace secret");
  await replaced.submit("Replace secret", { secret: "another-key" });
  expect((await page.submit("Send", { url: target.baseUrl })).text).toContain("does not accept this credential");
  await target.close();
});

test("a credential is deleted after asking", async () => {
  const edit = await (await create("Gone")).follow("Gone");
  const requesting = await edit.follow("Delete");
  expect(requesting.text).toContain("Delete Gone?");
  const list = await requesting.submit("Delete credential");
  expect(list.text).toContain("Gone is deleted.");
  const left = await visitor.open("/administration/credentials?query=gone");
  expect(left.text).not.toContain("X-Shop-Key");
});

test("a credential has its secret in Vault: connected, chosen, tried and disconnected, without script", async () => {
  const [vault, target] = await Promise.all([
    startVaultServer(),
    startTarget(({ headers }, response) => void response.writeHead(headers.authorization ? 200 : 401).end("{}")),
  ]);
  vault.allow("hvs.portal");
  vault.put("secret/data/shop/live", { token: "from-vault-8c21" });
  const page = await visitor.open("/administration/vault");
  const missing = await page.submit("Connect Vault", { address: "vault", roleId: "kept" });
  expect([missing.status, missing.value("roleId")]).toEqual([422, "kept"]);
  expect(missing.errors("address")).toContain("Write an address");
  const connected = await missing.submit("Connect Vault", { address: vault.address, secret: "hvs.portal" });
  expect(connected.value("address")).toBe(vault.address);

  const form = await visitor.open("/administration/credentials/create");
  const values = { name: "In Vault", type: "bearer", domain: target.host, secretFrom: "vault" };
  const refused = await form.submit("Create credential", { ...values, vaultPath: "shop/../sys", vaultKey: "token" });
  expect([refused.status, refused.value("vaultPath")]).toEqual([422, "shop/../sys"]);
  expect(refused.errors("vaultPath")).toContain("A path has no . or .. in it");
  const list = await refused.submit("Create credential", { vaultPath: "shop/live" });
  const edit = await list.follow("In Vault");
  expect([edit.value("vaultPath"), edit.value("vaultKey")]).toEqual(["shop/live", "token"]);
  const tried = await (await edit.follow("Try")).submit("Send", { url: `${target.baseUrl}/me` });
  expect(tried.text).toContain("Status 200");
  expect(target.requests.at(-1)!.headers.authorization).toBe("Bearer from-vault-8c21");
  vault.seal(true);
  const asked = await visitor.open("/administration/vault?dialog=delete");
  expect((await asked.submit("Disconnect Vault")).text).toContain("Vault is no longer connected.");
  const alone = await (await edit.follow("Try")).submit("Send", { url: `${target.baseUrl}/me` });
  expect(alone.text).toContain("No Vault is connected");
  const pages = [page, missing, connected, edit, tried, alone].map(({ html }) => html).join();
  expect(pages).not.toMatch(/hvs\.portal|from-vault-8c21/);
  await Promise.all([vault.close(), target.close()]);
});

test("a variable of the environment is refused at its field where the operator allows none", async () => {
  const form = await visitor.open("/administration/credentials/create");
  const values = { name: "In the environment", type: "bearer", domain: "api.test", secretFrom: "environment" };
  const refused = await form.submit("Create credential", { ...values, environmentName: "PATH" });
  expect(refused.errors("environmentName")).toContain("This installation allows no secrets from the environment");
});

test("a credential starts from what the document of an API asks for: only the secret is left to type", async () => {
  const document = JSON.stringify({
    ...{ openapi: "3.1.0", info: { title: "Keyed", version: "1" }, servers: [{ url: "https://keyed.example.com/v1" }] },
    paths: { "/pets": { get: { security: [{ key: [] }], responses: { 200: { description: "The pets" } } } } },
    components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "api_key" } } },
  });
  const body = { source: { document } };
  const { id: apiId } = requireValue(await portal.backend.apiRegistry.registerApi({ body }), "API");
  const start = await visitor.open("/administration/credentials/create");
  const asked = await start.submit("Show what it requires", { apiId });
  const form = await asked.follow("key: an API key in the query parameter api_key");
  expect(["name", "domain", "settings.parameterName"].map((name) => form.value(name))).toEqual([
    ...["key of keyed.example.com", "keyed.example.com", "api_key"],
  ]);
  const made = await form.submit("Create credential", { secret: "k-1" });
  expect(made.rows("key of keyed.example.com")).toHaveLength(1);
});
