import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

let portal: HandledPortal;
let visitor: Visitor;
let apiId: string;
let address: string;
beforeAll(async () => {
  portal = await openHandledPortal();
  visitor = await portal.signIn();
  const document = JSON.stringify({ openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths: {} });
  const registered = await portal.backend.apiRegistry.registerApi({ body: { source: { document } } });
  apiId = requireValue(registered, "API").id;
  address = `/api-management/${apiId}/details/environments`;
});
afterAll(() => portal.stop());

const stored = async () => {
  const params = { apiId };
  const { items } = requireValue(await portal.backend.apiRegistry.listEnvironments({ params }), "environments");
  return { items, shared: requireValue(await portal.backend.apiRegistry.getVariables({ params }), "variables") };
};
const staging = { "items[0].name": "Staging", "items[0].baseUrl": "https://staging.example.com" };

test("a secret variable is entered without a script, kept when the form is saved again, and never displayed", async () => {
  const page = await visitor.open(address);
  const shared = await page.submit("Add a secret variable");
  const row = await shared.submit("Add an environment", { "secrets[0].name": "pin", "secrets[0].secret": "canary-1a" });
  const rows = await row.submit("Add a secret variable", staging);
  const inEnvironment = { "items[0].secrets[0].name": "key", "items[0].secrets[0].secret": "canary-2b" };
  const saved = await rows.submit("Save environments", { ...inEnvironment, "secrets[0].secret": "canary-1a" });
  expect(saved.text).toContain("Secret variables: key");
  const again = await visitor.open(address);
  expect(again.text).toContain("Stored. Leave it empty to keep it.");
  const renamed = await again.submit("Save environments", { "items[0].name": "Test", variables: "size=2" });
  const { items, shared: own } = await stored();
  expect(items).toMatchObject([{ name: "Test", secretVariables: [{ name: "key", value: null }] }]);
  expect(own).toEqual({ variables: { size: "2" }, secretVariables: [{ name: "pin", value: null }] });
  expect([saved, again, renamed].map(({ html }) => html).join("")).not.toContain("canary-");
});

test("a name that looks secret is saved only once the user has said whether it is", async () => {
  const typed = { "items[0].variables": "api_key=canary-3c\nsize=1" };
  const asked = await (await visitor.open(address)).submit("Save environments", typed);
  expect([asked.status, asked.text]).toEqual([422, expect.stringContaining("Not saved yet: some names look secret")]);
  expect((await stored()).items[0]!.variables).toEqual({});
  const plain = await asked.submit("Save them as plain");
  expect(plain.status).toBe(200);
  expect((await stored()).items[0]!.variables).toEqual({ api_key: "canary-3c", size: "1" });
  const suggested = await visitor.open(address);
  expect(suggested.text).toContain("Some plain variables look secret");
  // Stored as plain by decision: saving does not ask again.
  expect((await suggested.submit("Save environments")).text).toContain("The environments are saved.");
  await (await visitor.open(address)).submit("Make them secret and save");
  const { variables, secretVariables } = (await stored()).items[0]!;
  expect(variables).toEqual({ size: "1" });
  expect(secretVariables?.map(({ name }) => name)).toEqual(["api_key", "key"]);
  expect((await visitor.open(address)).html).not.toContain("canary-");
});

test("an error of a secret variable is at its field", async () => {
  const row = await (await visitor.open(address)).submit("Add a secret variable");
  const refused = await row.submit("Save environments", { "items[0].secrets[2].name": "empty" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("Give it a value");
});

test("who may not manage credentials sees where a secret is read, and can't choose it", async () => {
  const reference = { kind: "vault" as const, path: "shop/live", key: "password" };
  const body = { variables: {}, secretVariables: [{ name: "vaulted", value: null, reference }] };
  requireValue(await portal.backend.apiRegistry.replaceVariables({ params: { apiId }, body }), "a reference");
  const page = await (await joinAs(portal, "EDITOR")).open(address);
  expect(page.text).toContain("Read from shop/live, password");
  expect(page.text).not.toContain("The value is");
  expect((await page.submit("Save environments")).text).toContain("The environments are saved.");
  expect((await stored()).shared.secretVariables).toEqual(body.secretVariables);
});
