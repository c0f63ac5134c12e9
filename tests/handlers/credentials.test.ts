import { afterAll, beforeAll, expect, test } from "vitest";
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

test("a credential's form keeps what was typed, except the secret, and says at the field what is missing", async () => {
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

test("a credential is stored for its domain only, and found by the hosts it fits", async () => {
  const list = await create("Shop");
  expect(list.text).toContain("Shop is stored, for *.shop.example.com only.");
  expect(list.text).toContain("API key in header X-Shop-Key");
  expect((await visitor.open("/administration/credentials/domain/eu.shop.example.com")).text).toContain("X-Shop-Key");
  const elsewhere = await visitor.open("/administration/credentials/domain/shop.example.org");
  expect(elsewhere.text).toContain("Nothing may be sent there");
});

test("a credential given another domain wants its secret again, and no page holds it", async () => {
  const edit = await (await create("Moved")).follow("Moved");
  expect(edit.html).not.toContain("key-1");
  const refused = await edit.submit("Save", { domain: "other.example.com" });
  expect(refused.status).toBe(422);
  expect(refused.errors("secret")).toContain("Enter the secret again: it was given for another domain");
  expect(refused.value("domain")).toBe("other.example.com");
  const saved = await refused.submit("Save", { secret: "key-2" });
  expect(saved.text).toContain("Moved is saved.");
});

test("a credential is deleted after asking", async () => {
  const edit = await (await create("Gone")).follow("Gone");
  const asking = await edit.follow("Delete");
  expect(asking.text).toContain("Delete Gone?");
  const list = await asking.submit("Delete credential");
  expect(list.text).toContain("Gone is deleted.");
  const left = await visitor.open("/administration/credentials?query=gone");
  expect(left.text).not.toContain("X-Shop-Key");
});
