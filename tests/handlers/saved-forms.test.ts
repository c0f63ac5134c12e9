import { afterAll, beforeAll, expect, test } from "vitest";
import { type HandledPortal, openHandledPortal } from "../support/handled-portal.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

const session = /session/;

test("a form submitted after its session had ended is restored after signing in, except its secret", async () => {
  const visitor = await portal.signIn();
  const form = await visitor.open("/administration/credentials/create?domain=api.example.com");
  visitor.lose(session);
  const typed = { name: "Orders & more", domain: "orders.example.com", type: "bearer", secret: "do-not-keep-me" };
  const login = await form.submit("Create credential", typed);
  expect(login.heading).toBe("Login");
  expect(login.text).toContain("Your input is kept for ten minutes");
  const back = await login.submit("Login", portal.administrator);
  expect(back.address).toMatch(/^\/administration\/credentials\/create\?domain=api\.example\.com&kept=/);
  expect([back.value("name"), back.value("domain")]).toEqual([typed.name, typed.domain]);
  expect(back.html).not.toContain("do-not-keep-me");
  expect(back.text).toContain("Passwords and secrets are not restored. Enter them again.");
  expect(back.text).not.toContain("is required");
  expect((await visitor.open("/administration/credentials")).text).not.toContain(typed.name);

  const saved = await back.submit("Create credential", { secret: "now-it-is" });
  expect(saved.text).toContain("Orders & more is stored");
});

test("a session that was ended elsewhere loses no form either", async () => {
  const visitor = await portal.signIn();
  const form = await visitor.open("/api-management/register");
  const elsewhere = await (await visitor.open("/signout")).submit("Logout");
  expect(elsewhere.address).toBe("/");
  const login = await form.submit("Register", { way: "url", url: targetApi.documentUrl, name: "Kept", tags: "a, b" });
  const back = await login.submit("Login", portal.administrator);
  expect([back.value("url"), back.value("name"), back.value("tags")]).toEqual([targetApi.documentUrl, "Kept", "a, b"]);
});

test("the input is restored for no other user, and is lost where the user is unknown", async () => {
  const visitor = await portal.signIn();
  const form = await visitor.open("/administration/credentials/create");
  visitor.lose(session);
  const login = await form.submit("Create credential", { name: "Mine", domain: "a.example.com" });
  const stored = new URL(login.url.searchParams.get("redirectTo") ?? "", login.url);
  expect((await visitor.open(stored.href)).heading).toBe("Login");
  // Nor on another page.
  await (await visitor.open("/login")).submit("Login", portal.administrator);
  expect((await visitor.open(`/dashboard${stored.search}`)).text).not.toContain("You were signed out");

  visitor.lose(/session|account/);
  const lost = await form.submit("Create credential", { name: "Mine", domain: "a.example.com" });
  expect(lost.text).toContain("Your input could not be restored");
  const back = await lost.submit("Login", portal.administrator);
  expect(back.text).toContain("Your input could not be restored");
  expect(back.value("name")).toBeFalsy();
});

test("rows of a list and a large body of a test are restored as typed", async () => {
  const visitor = await portal.signIn();
  const register = await visitor.open("/api-management/register");
  const details = await register.submit("Register", { way: "url", url: targetApi.documentUrl, name: "Bookshop" });
  const apiId = details.url.pathname.split("/")[2];

  const environments = await visitor.open(`/api-management/${apiId}/details/environments`);
  const row = await environments.submit("Add");
  visitor.lose(session);
  const first = { "items[0].name": "Staging", "items[0].baseUrl": "https://staging.example.com" };
  const returned = await (await row.submit("Save", first)).submit("Login", portal.administrator);
  expect(returned.value("items[0].name")).toBe("Staging");

  const editor = await visitor.open(`/test-management/${apiId}/tests/create/%2Fbooks/post`);
  visitor.lose(session);
  const body = JSON.stringify({ title: "ü".repeat(200_000) });
  const login = await editor.submit("Save", { name: "Large", "request.body.json": body });
  const back = await login.submit("Login", portal.administrator);
  expect(back.value("name")).toBe("Large");
  expect(back.value("request.body.json")).toBe(body);
  expect((await back.submit("Save")).text).toContain("Large");
});
