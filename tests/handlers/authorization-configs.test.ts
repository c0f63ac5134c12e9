import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

const configs = "/administration/authorization-configs";

let portal: HandledPortal;
let visitor: Visitor;
beforeAll(async () => {
  portal = await openHandledPortal();
  visitor = await portal.signIn();
});
afterAll(() => portal.stop());

async function store(name: string, domain: string): Promise<string> {
  const settings = { in: "header" as const, parameterName: "X-Key" };
  const body = { name, domain, type: "apiKey" as const, settings, secret: "a secret to keep" };
  return requireValue(await portal.backend.securityService.createCredential({ body }), "credential").id;
}

test("a config's form keeps the input and reports errors at the field", async () => {
  const credentialId = await store("Elsewhere", "elsewhere.example.com");
  const form = await visitor.open(`${configs}/create`);
  const refused = await form.submit("Create authorization config", { domain: "not a host!" });
  expect(refused.status).toBe(422);
  expect(refused.value("domain")).toBe("not a host!");
  expect(refused.errors("domain")).toContain("Enter a host name, e.g. api.example.com");
  expect(refused.errors("schemeName")).toBe("Enter the name of the security scheme");
  expect(refused.errors("credentialId")).toBe("Choose a credential");
  const values = { domain: "api.books.example.com", schemeName: "bookKey", credentialId };
  const unfit = await refused.submit("Create authorization config", values);
  expect([unfit.status, unfit.value("schemeName")]).toEqual([422, "bookKey"]);
  expect(unfit.errors("credentialId")).toBe("Elsewhere may be sent to elsewhere.example.com only");
});

test("a config is created from its domain, changed, and deleted after asking", async () => {
  await store("Till key", "*.till.example.com");
  const api = "api.till.example.com";
  requireValue(await portal.backend.securityService.createDomain({ body: { name: api } }), "domain");
  const domain = await visitor.open(`/administration/domain/${api}/edit`);
  const form = await domain.follow("Create an authorization config");
  expect(form.value("domain")).toBe(api);
  expect(form.html).toContain(`label="May be sent to ${api}"`);
  // The only matching credential is selected already.
  const made = await form.submit("Create authorization config", { schemeName: "tillKey" });
  expect([made.heading, made.text.includes("tillKey is mapped to Till key")]).toEqual([api, true]);
  expect(made.rows("tillKey")[0]).toContain("API key in header X-Key");

  const again = await (await made.follow("Create an authorization config")).submit("Create authorization config", {
    schemeName: "tillKey",
  });
  expect([again.status, again.errors("schemeName")]).toEqual([409, "This domain has a config for this scheme already"]);

  const list = await visitor.open(`${configs}?query=till`);
  const edit = await list.follow("tillKey");
  expect(edit.heading).toBe(`tillKey at ${api}`);
  const saved = await edit.submit("Save", { schemeName: "deviceKey" });
  expect(saved.text).toContain(`deviceKey at ${api} is saved.`);
  const requested = await (await saved.follow("deviceKey")).follow("Delete");
  expect(requested.text).toContain(`Delete the config for deviceKey at ${api}?`);
  const deleted = await requested.submit("Delete authorization config");
  expect(deleted.text).toContain(`The config for deviceKey at ${api} is deleted.`);
  expect((await visitor.open(edit.address)).status).toBe(404);
});

test("a credential created while editing a config is selected on return, and the input is kept", async () => {
  const form = await visitor.open(`${configs}/create`);
  const typed = { domain: "api.loans.example.com", schemeName: "loanKey" };
  const credential = await form.submit("Create a credential", typed);
  expect([credential.heading, credential.value("domain")]).toEqual(["Create a credential", typed.domain]);
  const cancelled = await credential.follow("Cancel");
  expect([cancelled.value("domain"), cancelled.value("schemeName")]).toEqual([typed.domain, "loanKey"]);
  const refused = await credential.submit("Create credential", { type: "bearer", secret: "a secret to keep" });
  expect([refused.status, refused.errors("name") !== ""]).toEqual([422, true]);
  const back = await refused.submit("Create credential", { name: "Loans", secret: "a secret to keep" });
  expect([back.heading, back.value("schemeName")]).toEqual(["Create an authorization config", "loanKey"]);
  expect(back.text).toContain("We restored your unsaved changes");
  const made = await back.submit("Create authorization config");
  expect(made.text).toContain("loanKey is mapped to Loans at api.loans.example.com.");

  const edit = await made.follow("loanKey");
  const other = await edit.submit("Create a credential", { schemeName: "deviceKey" });
  const renewed = { name: "Loans, new", type: "bearer", secret: "a secret to keep" };
  const again = await other.submit("Create credential", renewed);
  expect([again.url.pathname, again.value("schemeName")]).toEqual([edit.url.pathname, "deviceKey"]);
  const saved = await again.submit("Save");
  expect(saved.rows("deviceKey")[0]).toContain("Loans, new");
});

test("the page to return to from a new credential belongs to the portal", async () => {
  const form = await visitor.open("/administration/credentials/create?returnTo=https://evil.example/config");
  expect(new URL(form.link("Cancel")).pathname).toBe("/dashboard");
});

test("a credential names the configs that are deleted with it before it is deleted", async () => {
  const credentialId = await store("Shelf", "*.shelf.example.com");
  const body = { domain: "api.shelf.example.com", schemeName: "shelfKey", credentialId };
  requireValue(await portal.backend.securityService.createAuthorizationConfig({ body }), "config");
  const page = await visitor.open(`/administration/credentials/${credentialId}/edit`);
  expect((await page.follow("shelfKey at api.shelf.example.com")).heading).toBe("shelfKey at api.shelf.example.com");
  const requested = await page.follow("Delete");
  expect(requested.text).toContain("Its authorization config is deleted too: shelfKey at api.shelf.example.com.");
  const moved = await page.submit("Save", { domain: "moved.example.com", secret: "a secret to keep" });
  expect(moved.text).toContain("Shelf is saved.");
  const list = await visitor.open(`${configs}?query=shelf`);
  expect(list.rows("shelfKey")[0]).toContain("Bound to another domain");
  expect((await list.follow("shelfKey")).text).toContain("Shelf is not sent to api.shelf.example.com");
});

test("a scheme of an operation that no credential answers is reported where it matters, until a stored one is bound", async () => {
  await store("Pets key", "pets.example.com");
  const keys = { apiKey: { type: "apiKey", in: "header", name: "X-Pets" }, login: { type: "http", scheme: "basic" } };
  const get = { security: [{ apiKey: [] }], responses: { 200: { description: "Done" } } };
  const document = {
    ...{ openapi: "3.1.0", info: { title: "Pets", version: "1" }, servers: [{ url: "https://pets.example.com/v1" }] },
    ...{ components: { securitySchemes: keys }, paths: { "/pets": { get } } },
  };
  const source = { document: JSON.stringify(document) };
  const { id } = requireValue(await portal.backend.apiRegistry.registerApi({ body: { source } }), "API");
  const missing = "requires an API key in X-Pets; none is stored";
  const editor = await visitor.open(`/test-management/${id}/tests/create/%2Fpets/get`);
  expect(editor.text).toContain(missing);
  const reference = `/api-management/${id}/swagger/operation?method=get&path=%2Fpets`;
  expect((await visitor.open(reference)).text).toContain(missing);
  const form = await editor.follow("Store one");
  const credentialId = form.html.match(/<option value="([^"]+)"[^>]*>Pets key/)![1]!;
  const bound = await form.submit("Use it", { credentialId });
  expect(bound.text).toContain("apiKey is mapped to Pets key at pets.example.com.");
  for (const page of [editor.address, reference]) expect((await visitor.open(page)).text).not.toContain(missing);
});

test("a user who may not manage domains sees the configs and changes none", async () => {
  const viewer = await joinAs(portal, "VIEWER");
  const list = await viewer.open(configs);
  expect([list.status, list.text.includes("Create an authorization config")]).toEqual([200, false]);
  expect((await viewer.open(`${configs}/create`)).status).toBe(403);
});
